/** The page of the benchmark: mounts one grid after the other and measures what a user would wait for. */
import { quantile } from '../result.ts';
import { contenders, type Mounted, type Table } from './contenders.ts';
import { CATEGORY, makeColumns, makeRows, PEERS_MOST_COLUMNS, SCROLL_FRAMES, type BenchRow } from './data.ts';

/** The number of rows and columns. */
export interface Shape {
  rows: number;
  columns: number;
}

export interface GridBench {
  prepare(shape: Shape): void;
  /** Milliseconds until the first rows are painted. */
  ready(name: string): Promise<number>;
  /** 95th percentile of the milliseconds of each frame while scrolling. */
  scroll(): Promise<number>;
  /** Fails unless the expected rows are visible; then scrolls back to the top. */
  check(): Promise<void>;
  /**
   * Prepares for sorting, filtering or closing a menu, for example by opening that menu. @returns whether this grid
   * supports it
   */
  aim(at: 'sort' | 'filter' | 'menu'): Promise<boolean>;
  /** Does what was prepared. @returns milliseconds until the expected rows are painted */
  act(): Promise<number>;
  dispose(): void;
}

declare global {
  interface Window {
    gridBench: GridBench;
  }
}

const PATIENCE = 30_000;

let table: Table = { columns: [], rows: [], objects: [] };
let mounted: Mounted | undefined;
/** What to do, and the first row that must then be shown. */
let aimed: { act: () => void; first: number } | undefined;

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

const { port1: here, port2: there } = new MessageChannel();

/** Resolves after the frame that has begun is painted. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    here.onmessage = () => resolve();
    there.postMessage(undefined);
  });

/**
 * Runs in its own task, like a click: the browser counts only that as script time.
 * @returns the start time when the next frame begins, later by the time until then: the browser begins it at once or at
 *   its next tick, and that wait is longer than the work of a fast grid
 */
const inTask = (act: () => void): Promise<number> =>
  new Promise((resolve) =>
    setTimeout(() => {
      let end = 0;
      const start = performance.now();
      // Asked before the grid asks, so that what the grid does in the frame counts.
      requestAnimationFrame(() => resolve(start + performance.now() - end));
      act();
      end = performance.now();
    }),
  );

/** The labels of the first visible rows, from top to bottom. */
function labelsInSight(): string[] {
  const box = mounted!.scroller.getBoundingClientRect();
  const found: string[] = [];
  for (let y = box.top + 4; y < box.top + 120; y += 16) {
    for (const x of [box.left + 12, box.left + 80]) {
      const text = document.elementFromPoint(x, y)?.textContent.trim() ?? '';
      if (/^r\d+$/.test(text) && !found.includes(text)) found.push(text);
    }
  }
  return found;
}

/** Waits frame by frame until the first visible label is the expected one and has been painted. */
async function until(expected: string, start: number): Promise<number> {
  for (;;) {
    await painted();
    const labels = labelsInSight();
    if (labels[0] === expected) return performance.now() - start;
    await nextFrame();
    if (performance.now() - start > PATIENCE) throw new Error(`expected ${expected}, saw ${labels.join()}`);
  }
}

/** The row with the smallest number in the second column. */
function leastRow(): number {
  const { rows } = table;
  let least = 0;
  for (let row = 1; row < rows.length; row++) if ((rows[row]![1] as number) < (rows[least]![1] as number)) least = row;
  return least;
}

/** The first row after each action. */
const firstRows = {
  sort: leastRow,
  filter: (): number => table.rows.findIndex((row) => row[2] === CATEGORY),
  menu: (): number => 0,
};

window.gridBench = {
  prepare(shape) {
    const columns = makeColumns(shape.columns);
    const rows = makeRows(shape.rows, columns);
    // Only for the peers: many wide objects slow down the garbage collection of all.
    const objects = shape.columns <= PEERS_MOST_COLUMNS ? rows : [];
    const asObject = (row: BenchRow): Record<string, unknown> =>
      Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]));
    table = { columns, rows, objects: objects.map(asObject) };
  },
  async ready(name) {
    const container = document.querySelector<HTMLElement>('main')!;
    await nextFrame();
    return until('r0', await inTask(() => (mounted = contenders[name]!(container, table))));
  },
  async scroll() {
    const { scroller, rowHeight } = mounted!;
    const lowest = scroller.scrollHeight - scroller.clientHeight;
    const times: number[] = [];
    let last = await nextFrame();
    for (let frame = 1; frame <= SCROLL_FRAMES; frame++) {
      // Down and, from the end of few rows, up again.
      const way = (frame * rowHeight * 7) % (2 * lowest);
      scroller.scrollTop = Math.min(way, 2 * lowest - way);
      await nextFrame();
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return quantile(times, 0.95);
  },
  async check() {
    const { scroller } = mounted!;
    const expected = Math.floor((scroller.scrollTop / scroller.scrollHeight) * table.rows.length);
    const isNear = (label: string): boolean => Math.abs(Number(label.slice(1)) - expected) < 20;
    for (const start = performance.now(); !labelsInSight().some(isNear); await nextFrame()) {
      if (performance.now() - start > PATIENCE) throw new Error(`wanted r${expected}, saw ${labelsInSight().join()}`);
    }
    scroller.scrollTop = 0;
    await until('r0', performance.now());
  },
  async aim(at) {
    const ready = mounted?.[at];
    if (!ready) return false;
    aimed = { act: ready(), first: firstRows[at]() };
    // Paint the opened menu before the measurement starts.
    for (let frame = 0; frame < 3; frame++) await nextFrame();
    return true;
  },
  async act() {
    // Each starts at the beginning of a frame: otherwise, some wait for one frame more by chance.
    await nextFrame();
    const { act, first } = aimed!;
    // It would keep the elements of the menu, and of the grid, in memory.
    aimed = undefined;
    return until(`r${first}`, await inTask(act));
  },
  dispose() {
    mounted?.dispose();
    mounted = undefined;
    document.querySelector('main')!.replaceChildren();
  },
};
