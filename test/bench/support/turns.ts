/**
 * @returns the names in the order of a round. Over twice as many rounds as an odd number of names, each is measured
 *   equally often in each place and after each other one, because a measurement can slow down the next
 */
export function inTurn<T>(names: readonly T[], round: number): T[] {
  const by = round % names.length;
  const rotated = [...names.slice(by), ...names.slice(0, by)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}
