/** An open block that is rendered incrementally: its finished lines are not rendered again. */
export interface OpenBlock {
  readonly element: HTMLElement;
  /** @returns the HTML of the whole block; absent if it depends on text outside the block */
  html?(): string;
  /**
   * @param text the text after the part that has been consumed
   * @param settled whether `text` reaches the end of the answer
   * @returns the consumed length of `text`, and whether the block ends there
   */
  feed(text: string, settled: boolean): { length: number; closed: boolean };
}

/** @returns the offset of the start of a line, counted from 0 */
export function lineStart(text: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count++) at = text.indexOf('\n', at) + 1;
  return at;
}
