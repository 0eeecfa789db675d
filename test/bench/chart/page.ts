/** Draws charts by one of three ways, and times each until it is painted. */
import type { ChartHandle } from '../../../webview/chart/index.ts';
import type { BenchChart } from './charts.ts';
import './page.css';

/** @returns how many things the chart shows, and what takes it away */
type Draw = (container: HTMLElement, chart: BenchChart) => Promise<{ items: number; dispose: () => void }>;

export interface ChartBenchPage {
  evalBlocked: boolean;
  violations: string[];
  /** @returns milliseconds until the chart is painted, the loading of the code included when it is the first */
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

/** Drawn items: all of what a chart's marks consist of. */
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

const ways: Record<string, Draw> = {
  async ours(container, { spec, columns, rows }) {
    const { drawChart, readTheme } = await import('../../../webview/chart/index.ts');
    const input = { spec: JSON.stringify(spec), table: { columns, rows, totalRows: rows.length }, title: 'Chart' };
    const options = { theme: readTheme(container), onNotice: () => undefined };
    const chart: ChartHandle = await drawChart(container, input, options);
    return { items: drawnIn(container), dispose: () => chart.dispose() };
  },
  async 'vega-embed'(container, chart) {
    const { default: embed } = await import('vega-embed');
    const { view, finalize } = await embed(container, withData(chart) as never);
    return { items: itemsOf(view), dispose: finalize };
  },
  async limit(container, chart) {
    const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
    const view = new View(parse(compile(withData(chart) as never).spec), { renderer: 'svg', container });
    await view.runAsync();
    return { items: itemsOf(view), dispose: () => view.finalize() };
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

window.chartBench = {
  evalBlocked,
  violations,
  async draw(name, chart) {
    const container = document.createElement('div');
    document.getElementById('root')?.append(container);
    await frame();
    const start = performance.now();
    const drawn = await ways[name]?.(container, chart);
    await frame();
    await frame();
    const time = performance.now() - start;
    if (!drawn || drawn.items < Math.min(chart.rows.length, 5)) throw new Error(`${name} has drawn nothing.`);
    drawn.dispose();
    container.remove();
    return time;
  },
};
