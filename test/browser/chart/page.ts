/** The page in which the chart tests draw. It records what happens for the tests. */
import { ChartProblem } from '../../../src/shared/chart/limits.ts';
import type { ChartHandle, ChartInput } from '../../../webview/chart/chart.ts';

export interface Drawn {
  problem?: string;
  kind?: string;
  altText?: string;
  notices: string[];
  /** Drawn elements, or the pixels of a canvas that are not transparent. */
  marks: number;
  milliseconds: number;
  /** Longest time in milliseconds in which the page did not respond. */
  blocked: number;
}

export interface ChartPage {
  violations: string[];
  evalBlocked: boolean;
  draw(input: ChartInput, keep?: boolean): Promise<Drawn>;
  setTheme(): Promise<void>;
  clear(): void;
  charts: ChartHandle[];
  /** Messages of the charts that are still shown. */
  notices: string[];
}

const violations: string[] = [];
document.addEventListener('securitypolicyviolation', (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});

/** Measures how long the page's thread is blocked, as a key press would notice it. */
function watchThread(): () => number {
  let longest = 0;
  let last = performance.now();
  let timer = setTimeout(beat, 0);
  function beat(): void {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    timer = setTimeout(beat, 0);
  }
  return () => {
    clearTimeout(timer);
    return Math.max(longest, performance.now() - last);
  };
}

const charts: ChartHandle[] = [];
const allNotices: string[] = [];

async function draw(input: ChartInput, keep = false): Promise<Drawn> {
  const { drawChart } = await import('../../../webview/chart/chart.ts');
  const card = document.createElement('section');
  const container = document.createElement('div');
  card.append(container);
  document.querySelector('main')?.append(card);
  const notices: string[] = [];
  const stop = watchThread();
  const before = performance.now();
  try {
    const chart = await drawChart(container, input, (text) => {
      notices.push(text);
      allNotices.push(text);
    });
    const milliseconds = performance.now() - before;
    const { altText } = chart;
    const marks = countMarks(container);
    const blocked = stop();
    if (keep) charts.push(chart);
    else {
      chart.dispose();
      card.remove();
    }
    return { altText, notices, marks, milliseconds, blocked };
  } catch (error) {
    const milliseconds = performance.now() - before;
    const blocked = stop();
    card.remove();
    if (!(error instanceof ChartProblem)) throw error;
    return { problem: error.message, kind: error.kind, notices, marks: 0, milliseconds, blocked };
  }
}

function countMarks(container: HTMLElement): number {
  const canvas = container.querySelector('canvas');
  if (!canvas) return container.querySelectorAll('svg path, svg text, svg line, svg image').length;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return pixels.filter((value, index) => index % 4 === 3 && value > 0).length;
}

let evalBlocked = false;
try {
  new Function('return 1');
} catch {
  evalBlocked = true;
}

const page: ChartPage = {
  violations,
  evalBlocked,
  draw,
  charts,
  notices: allNotices,
  clear() {
    for (const chart of charts.splice(0)) chart.dispose();
    allNotices.length = 0;
    document.querySelector('main')?.replaceChildren();
  },
  async setTheme() {
    await Promise.all(charts.map((chart) => chart.updateTheme()));
  },
};
Object.assign(window, { chartPage: page });
