/** So many pixels before its end, what scrolls is at it. */
const NEAR = 12;

/** @returns whether the end of what scrolls is in sight */
export const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: Element): boolean =>
  scrollHeight - scrollTop - clientHeight <= NEAR;
