/** Draws charts in one of four ways and measures the time until each is painted. */
import type { ChartHandle } from '../../../webview/chart/chart.ts';
import type { BenchChart } from './charts.ts';
import './page.css';

/** @returns the number of marks in the chart, and a function that removes it */
type Draw = (container: HTMLElement, chart: BenchChart) => Promise<{ items: number; dispose: () => void }>;

export interface ChartBenchPage {
  evalBlocked: boolean;
  violations: string[];
  /** @returns milliseconds until the code is loaded */
  load(name: string): Promise<number>;
  /** @returns milliseconds from the loaded code to the painted chart */
  draw(name: string, chart: BenchChart): Promise<number>;
}

declare global {
  interface Window {
    chartBench: ChartBenchPage;
  }
}

interface Scene {
  role?: string;
  items?: Scene[];
}

/** Number of drawn items in the marks of a chart. */
function count(scene: Scene): number {
  const items = scene.items ?? [];
  if (scene.role === 'mark' && items.every((item) => item.items === undefined)) return items.length;
  return items.reduce((sum, item) => sum + count(item), 0);
}

const itemsOf = (view: { scenegraph(): unknown }): number => count((view.scenegraph() as { root: Scene }).root);

const withData = ({ spec, columns, rows }: BenchChart): object => ({
  ...spec,
  width: 380,
  data: { values: rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))) },
});

/** The code that each way loads, and how it draws. */
const ways: Record<string, () => Promise<Draw>> = {
  async ours() {
    const { drawChart } = await import('../../../webview/chart/chart.ts');
    return async (container, { spec, columns, rows }) => {
      const input = { spec: JSON.stringify(spec), table: { columns, rows, totalRows: rows.length }, title: 'Chart' };
      const chart: ChartHandle = await drawChart(container, input, () => undefined);
      return { items: drawnIn(container), dispose: () => chart.dispose() };
    };
  },
  async 'vega-embed'() {
    const { default: embed } = await import('vega-embed');
    return async (container, chart) => {
      const { view, finalize } = await embed(container, withData(chart) as never);
      return { items: itemsOf(view), dispose: finalize };
    };
  },
  async interpreted() {
    const [{ default: embed }, { expressionInterpreter }] = await Promise.all([
      import('vega-embed'),
      import('vega-interpreter'),
    ]);
    return async (container, chart) => {
      const options = { ast: true, expr: expressionInterpreter };
      const { view, finalize } = await embed(container, withData(chart) as never, options);
      return { items: itemsOf(view), dispose: finalize };
    };
  },
  async limit() {
    const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
    return async (container, chart) => {
      const view = new View(parse(compile(withData(chart) as never).spec), { renderer: 'svg', container });
      await view.runAsync();
      return { items: itemsOf(view), dispose: () => view.finalize() };
    };
  },
};

/** Elements of the marks; of a canvas, pixels that are not transparent. */
function drawnIn(container: HTMLElement): number {
  const canvas = container.querySelector('canvas');
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels
    ? pixels.filter((value, index) => index % 4 === 3 && value > 0).length
    : container.querySelectorAll('.role-mark > path').length;
}

const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));
let evalBlocked = false;
try {
  new Function('return 1');
} catch {
  evalBlocked = true;
}
const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

const { port1: here, port2: there } = new MessageChannel();
/** Resolves in the task after the frame's callbacks, which runs after the frame is painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    here.onmessage = () => resolve();
    there.postMessage(undefined);
  });
}

const loaded: Record<string, Draw> = {};

window.chartBench = {
  evalBlocked,
  violations,
  async load(name) {
    const start = performance.now();
    const draw = await ways[name]?.();
    const time = performance.now() - start;
    if (draw) loaded[name] = draw;
    return time;
  },
  async draw(name, chart) {
    const container = document.createElement('div');
    document.getElementById('root')?.append(container);
    await frame();
    const start = performance.now();
    const drawn = await loaded[name]?.(container, chart);
    await frame();
    await painted();
    const time = performance.now() - start;
    if (!drawn || drawn.items < Math.min(chart.rows.length, 5)) throw new Error(`${name} has drawn nothing.`);
    drawn.dispose();
    container.remove();
    return time;
  },
};
