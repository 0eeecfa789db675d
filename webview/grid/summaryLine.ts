/** The line under the grid: number of rows that match the filters; count, sum and average of the selected cells. */
import { formatNumber } from '../../src/shared/results/display.ts';
import { runInSlices, STRIDE, type Sliced } from '../../src/shared/results/slices.ts';
import { Summarizer, type Summary } from '../../src/shared/results/summary.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { element } from '../ui/dom.ts';
import { cellCount, type CellRange } from './selection.ts';
import type { GridState } from './gridState.ts';

export class SummaryLine {
  readonly element = element('div', 'grid-summary');
  readonly #state: GridState;
  #shown = '';
  #cancel: () => void = () => undefined;

  constructor(state: GridState) {
    this.#state = state;
  }

  /** Updates the line; a large selection is summed up in slices. */
  refresh(): void {
    this.#cancel();
    const { range } = this.#state;
    if (range && cellCount(range) > 1) {
      this.#cancel = runInSlices(summarize(this.#state, range), (summary) => this.#show(summary));
    } else this.#show(undefined);
  }

  dispose(): void {
    this.#cancel();
  }

  #show(summary: Summary | undefined): void {
    const { view, range } = this.#state;
    const number = (digits: string | number): string => formatNumber(String(digits));
    const parts: string[] = [];
    if (view.filters.size > 0) {
      const [count, total] = [number(view.count), number(view.total)];
      parts.push(plural(view.count, '{0} of {1} rows matches|{0} of {1} rows match', count, total));
    }
    if (summary) parts.push(t('Count {0}', number(summary.count)));
    const amount = (digits: string): string => (range ? this.#state.displaySum(range, digits) : digits);
    if (summary?.sum !== undefined) parts.push(t('Sum {0}', amount(summary.sum)));
    if (summary?.average !== undefined) parts.push(t('Average {0}', amount(summary.average)));
    // Replacing equal text would cost a layout.
    if (parts.join() === this.#shown) return;
    this.#shown = parts.join();
    this.element.title = parts.join(' · ');
    this.element.replaceChildren(...parts.map((part) => element('span', 'grid-summary-part', part)));
  }
}

function* summarize({ layout, columns, view }: GridState, range: CellRange): Sliced<Summary> {
  const picked = layout.visible.slice(range.left, range.right + 1).map((column) => ({
    column,
    kind: columns[column]!.kind,
  }));
  const summarizer = new Summarizer();
  const pause = Math.max(1, Math.floor(STRIDE / picked.length));
  for (let row = range.top; row <= range.bottom; row++) {
    if (row % pause === 0) yield;
    const cells = view.row(row);
    for (const { column, kind } of picked) summarizer.add(cells?.[column], kind);
  }
  return summarizer.result();
}
