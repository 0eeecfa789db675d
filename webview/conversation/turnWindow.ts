/**
 * Selects the turns of a thread that are rendered: those at its end, or those around a position. Their number is
 * limited, so that scrolling through a long thread never renders all of it.
 */

/** The last `tail` turns, or the turns with an index in `[from, to)`. */
export type TurnSpan = { tail: number } | { from: number; to: number };

/** Number of turns that fill a screen, rendered when a thread is opened. */
const SCREEN = 2;
/** Number of turns added when the reader scrolls near an end of the rendered ones. */
const STEP = 4;
/** Number of turns rendered around a position. */
const PAGE = 12;
/** Maximum number of rendered turns; beyond it, those farthest from the reader are removed. */
const MOST = 40;

export const atEnd: TurnSpan = { tail: SCREEN };

/**
 * @param count number of turns in the thread
 * @returns the rendered turns, `[from, to)`
 */
export function drawn(span: TurnSpan, count: number): { from: number; to: number } {
  if ('tail' in span) return { from: Math.max(0, count - span.tail), to: count };
  return { from: Math.min(span.from, count), to: Math.min(span.to, count) };
}

/**
 * @param before previous number of turns
 * @param count current number of turns
 * @returns the span extended by the new turns, keeping the rendered ones, which may be in use; many new turns at once,
 *   as of a thread loaded from the service, do not extend it
 */
export function withNew(span: TurnSpan, before: number, count: number): TurnSpan {
  const come = count - before;
  if (!('tail' in span) || come < 1 || come > STEP) return span;
  const { from, to } = drawn(span, before);
  return { tail: Math.max(span.tail, Math.min(MOST, to - from + come)) };
}

/** @returns the span of the turns `[from, to)`, given the number of turns */
const spanOf = (from: number, to: number, count: number): TurnSpan =>
  to >= count ? { tail: count - from } : { from, to };

/** @returns the span extended upward */
export function withEarlier(span: TurnSpan, count: number): TurnSpan {
  const { from, to } = drawn(span, count);
  const first = Math.max(0, from - STEP);
  return spanOf(first, Math.min(to, first + MOST), count);
}

/** @returns the span extended downward; once it reaches the end it stays there */
export function withLater(span: TurnSpan, count: number): TurnSpan {
  if ('tail' in span) return span;
  const last = span.to + STEP;
  return spanOf(Math.max(span.from, Math.min(last, count) - MOST), last, count);
}

/** @returns a span that contains a turn: the same one, or one around the turn */
export function spanAround(span: TurnSpan, turn: number, count: number): TurnSpan {
  const { from, to } = drawn(span, count);
  if (turn >= from && turn < to) return span;
  const first = Math.max(0, turn - PAGE / 2);
  return spanOf(first, first + PAGE, count);
}
