/**
 * Which turns of a thread are drawn: those at its end, or those around a place that was jumped to. There is a most of
 * them, so that a reader who goes through the whole of a long thread does not draw all of it.
 */

/** So many of the last turns, or the turns from one index up to another. */
export type Span = { tail: number } | { from: number; to: number };

/** Turns that fill a screen: what a thread is opened with. */
const SCREEN = 2;
/** Turns that are added each time the reader comes near an end of them. */
const STEP = 4;
/** Turns that are drawn around a place that was jumped to. */
const PAGE = 12;
/** Turns that are drawn at the same time; beyond them, those that are far from the reader go. */
const MOST = 40;

export const atEnd: Span = { tail: SCREEN };

/** @returns the turns that are drawn, out of so many: `[from, to)` */
export function drawn(span: Span, count: number): { from: number; to: number } {
  if ('tail' in span) return { from: Math.max(0, count - span.tail), to: count };
  return { from: Math.min(span.from, count), to: Math.min(span.to, count) };
}

/**
 * @param before how many turns there were
 * @param count how many there are now
 * @returns the span with the turns that have come, and with those that were drawn, which may be in use; many at once,
 *   as of a thread that is read from the service, are not all drawn
 */
export function withNew(span: Span, before: number, count: number): Span {
  const come = count - before;
  if (!('tail' in span) || come < 1 || come > STEP) return span;
  const { from, to } = drawn(span, before);
  return { tail: Math.max(span.tail, Math.min(MOST, to - from + come)) };
}

/** @returns the turns `[from, to)` of so many, as a span */
const spanOf = (from: number, to: number, count: number): Span => (to >= count ? { tail: count - from } : { from, to });

/** @returns the span with some more above */
export function withEarlier(span: Span, count: number): Span {
  const { from, to } = drawn(span, count);
  const first = Math.max(0, from - STEP);
  return spanOf(first, Math.min(to, first + MOST), count);
}

/** @returns the span with some more below; once it reaches the end it stays there */
export function withLater(span: Span, count: number): Span {
  if ('tail' in span) return span;
  const last = span.to + STEP;
  return spanOf(Math.max(span.from, Math.min(last, count) - MOST), last, count);
}

/** @returns a span with this turn in it: the same one, or one around it */
export function around(span: Span, turn: number, count: number): Span {
  const { from, to } = drawn(span, count);
  if (turn >= from && turn < to) return span;
  const first = Math.max(0, turn - PAGE / 2);
  return spanOf(first, first + PAGE, count);
}
