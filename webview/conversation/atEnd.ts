/** Distance from the end, in pixels, that counts as being at the end. */
const NEAR = 12;

/** @returns whether an element is scrolled to its end */
export const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: Element): boolean =>
  scrollHeight - scrollTop - clientHeight <= NEAR;
