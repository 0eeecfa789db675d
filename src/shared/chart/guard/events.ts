import { fieldsIn, isFields, listOf } from '../json.ts';

/**
 * @param events a stream, or several
 * @param dragging whether it follows a drag that began inside the chart; only then may it come from outside
 * @returns whether streams stay inside the chart
 */
export function isInside(events: unknown, dragging = false): boolean {
  return listOf(events).every((stream) => {
    // A plain type is one of the chart's own events.
    if (!isFields(stream)) return typeof stream === 'string' && /^\w+$/.test(stream) && stream !== 'timer';
    if (stream.signal !== undefined || stream.scale !== undefined) return true;
    const [begin] = fieldsIn(stream.between);
    if (stream.type === 'timer' || (begin && !isInside(begin))) return false;
    const follows = dragging || begin !== undefined;
    const isOwn = follows || stream.source === undefined || stream.source === 'view' || stream.source === 'scope';
    return isOwn && [stream.stream, stream.merge].every((one) => isInside(one, follows));
  });
}

/** Filters of event streams, which are expressions that the author writes. */
export function filtersIn(events: unknown): string[] {
  return listOf(events)
    .filter(isFields)
    .flatMap(({ filter, between, stream, merge }) => [
      ...listOf(filter).map(String),
      ...[between, stream, merge].flatMap(filtersIn),
    ]);
}
