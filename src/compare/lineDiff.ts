/** Computes the line diff of two texts. */
import { diffArrays } from 'diff';
import type { DiffLine } from '../shared/protocol/runs.ts';

/** Maximum edit distance in lines, to bound the cost; beyond it, all lines count as changed. */
const MOST_CHANGES = 1000;

const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** @returns the lines of both texts in order; in changed ranges, the left lines come first */
export function diffLines(leftText: string, rightText: string): DiffLine[] {
  const [left, right] = [linesOf(leftText), linesOf(rightText)];
  const parts = diffArrays(left, right, { maxEditLength: MOST_CHANGES }) ?? [
    { value: left, removed: true, added: false },
    { value: right, removed: false, added: true },
  ];
  return parts.flatMap(({ value, removed, added }) => {
    const side = removed ? 'left' : added ? 'right' : 'both';
    return value.map((text): DiffLine => ({ side, text }));
  });
}

const MARKS = { both: ' ', left: '-', right: '+' } as const;

/** @returns the lines with a mark before each */
export const diffText = (lines: readonly DiffLine[]): string =>
  lines.map(({ side, text }) => `${MARKS[side]} ${text}`).join('\n');
