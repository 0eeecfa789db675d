/** Finds the names that may be meant by a name that does not exist. */

/** Maximum number of names to suggest. */
const MOST = 3;

/** @returns the number of inserted, deleted, changed and swapped characters between two texts */
function distance(left: string, right: string): number {
  let [before, row] = [[] as number[], [...right, ''].map((_, index) => index)];
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const cost = left[at - 1] === right[to - 1] ? 0 : 1;
      const isSwapped = left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1];
      const swapped = isSwapped && at > 1 && to > 1 ? before[to - 2]! + 1 : Infinity;
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + cost, swapped));
    }
    [before, row] = [row, next];
  }
  return row[right.length]!;
}

const wordsOf = (name: string): string[] => name.split(/[_.]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());

/**
 * @param known names that exist
 * @returns the names that differ by a few letters, or that have all words of the shorter name; the most similar first
 */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  const words = wordsOf(name);
  const wanted = name.toLowerCase();
  const most = Math.max(1, Math.floor(name.length / 3));
  const found: { each: string; score: number }[] = [];
  for (const each of new Set(known)) {
    const others = wordsOf(each);
    const [short, long] = words.length < others.length ? [words, others] : [others, words];
    const isContained = short.every((word) => long.includes(word));
    if (!isContained && Math.abs(each.length - name.length) > most) continue;
    const letters = distance(wanted, each.toLowerCase());
    if (isContained || letters <= most) found.push({ each, score: isContained ? Math.min(letters, most) : letters });
  }
  return found
    .sort((left, right) => left.score - right.score)
    .slice(0, MOST)
    .map(({ each }) => each);
}
