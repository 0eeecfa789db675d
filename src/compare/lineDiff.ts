/** The lines that two SQL texts share and those that only one has. */
import { diffArrays } from 'diff';
import type { DiffLine } from '../shared/protocol/compare.ts';

/** With more lines changed than this, everything counts as changed, which keeps the work bounded. */
const MOST_CHANGES = 1000;

const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** @returns the lines of both texts in order; where both changed, the left one's first */
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
