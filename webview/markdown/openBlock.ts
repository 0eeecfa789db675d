/** A block that grows at its end without being rendered anew: what is finished in it stays as it is. */
export interface OpenBlock {
  readonly element: HTMLElement;
  /** @returns the HTML of the block when it is rendered at once; absent when that depends on text outside it */
  html?(): string;
  /**
   * @param text what follows the text that was consumed so far
   * @param settled whether nothing follows `text`
   * @returns how much of `text` is consumed, and whether the block ends there
   */
  feed(text: string, settled: boolean): { length: number; closed: boolean };
}

/** @returns where the line with this number starts */
export function lineStart(text: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count++) at = text.indexOf('\n', at) + 1;
  return at;
}
