/** Worker: runs a chart's dataflow where it can be stopped from outside, and tells what it came to. */
import type { Config } from 'vega-lite';
import type { Fields } from '../../src/shared/chart/json.ts';
import type { ChartProblemKind } from '../../src/shared/chart/problem.ts';
import type { ChartRow } from '../../src/shared/chart/rows.ts';
import { compileChart, unclear } from './compile.ts';
import { clock } from './expressions.ts';
import { openView } from './guardedView.ts';

export interface TrialJob {
  spec: Fields;
  config: Config;
  rows: readonly ChartRow[];
  locale: object;
  /** What the page takes for the present, in milliseconds since 1970. */
  now: number;
}
export type TrialAnswer =
  | { type: 'ready' }
  | { type: 'done'; marks: number; longestStep: number }
  | { type: 'failed'; kind: ChartProblemKind; message: string };

const answer = (message: TrialAnswer): void => self.postMessage(message);

async function run({ spec, config, rows, locale, now }: TrialJob): Promise<TrialAnswer> {
  try {
    clock.now = now;
    const before = performance.now();
    const { compiled } = compileChart(spec, config, rows);
    const compiling = performance.now() - before;
    const view = await openView(compiled, { renderer: 'none', locale, onProblem: () => undefined });
    return { type: 'done', marks: view.markCount(), longestStep: Math.max(compiling, view.longestStep) };
  } catch (error) {
    const { kind, message } = unclear(error);
    return { type: 'failed', kind, message };
  }
}

self.addEventListener('message', (event: MessageEvent<TrialJob>) => {
  void run(event.data).then(answer);
});
answer({ type: 'ready' });
