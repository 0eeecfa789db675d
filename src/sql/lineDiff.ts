/** The lines that two SQL texts share and those that only one has. */

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Beyond this many lines a side everything in the middle counts as changed, which keeps the work bounded. */
const MOST_LINES = 2000;

/** Lengths of the longest common sequences of all ends of both sides; one row for each line on the left. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const below = rows[i + 1];
      const row = rows[i];
      if (row === undefined || below === undefined) continue;
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}

/** How many lines both sides begin with. */
function sharedLines(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count++;
  return count;
}

const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));

/** @returns the lines of both texts in order; where both changed, the left one's first */
export function diffLines(leftText: string, rightText: string): DiffLine[] {
  const left = leftText.split(/\r?\n/);
  const right = rightText.split(/\r?\n/);
  // What both begin and end with needs no search, so that a small change in a long text stays small.
  const start = sharedLines(left, right);
  const [leftRest, rightRest] = [left.slice(start), right.slice(start)];
  const end = sharedLines(leftRest.toReversed(), rightRest.toReversed());
  const middle = diffMiddle(leftRest.slice(0, leftRest.length - end), rightRest.slice(0, rightRest.length - end));
  return [...same(left.slice(0, start)), ...middle, ...same(left.slice(left.length - end))];
}

function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] {
  const isLong = left.length > MOST_LINES || right.length > MOST_LINES;
  const lengths = isLong ? [] : commonLengths(left, right);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [before, after] = [left[i], right[j]];
    if (before !== undefined && before === after) {
      lines.push({ kind: 'same', text: before });
      i++;
      j++;
    } else if (
      before !== undefined &&
      (after === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: before });
      i++;
    } else if (after !== undefined) {
      lines.push({ kind: 'added', text: after });
      j++;
    }
  }
  return lines;
}
