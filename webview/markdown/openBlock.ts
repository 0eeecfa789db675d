/** A block that grows at its end without being rendered anew: what is finished in it stays as it is. */
export interface OpenBlock {
  readonly element: HTMLElement;
  /**
   * @param text what follows the text that was consumed so far
   * @param settled whether nothing follows `text`
   * @returns how much of `text` is consumed, and whether the block ends there
   */
  feed(text: string, settled: boolean): { length: number; closed: boolean };
}
