import { fieldsIn, isFields, listOf } from '../json.ts';

/**
 * @param events a stream, or several
 * @param dragging whether it follows a drag that began inside the chart; only then may it come from outside
 * @returns whether streams stay inside the chart
 */
export function isInside(events: unknown, dragging: boolean): boolean {
  return listOf(events).every((stream) => {
    // A plain type is one of the chart's own events.
    if (!isFields(stream)) return typeof stream === 'string' && /^\w+$/.test(stream) && stream !== 'timer';
    if (stream.signal !== undefined || stream.scale !== undefined) return true;
    const between = fieldsIn(stream.between);
    if (between.length > 0 && !isInside(between[0], false)) return false;
    const follows = dragging || between.length > 0;
    if (stream.stream !== undefined && !isInside(stream.stream, follows)) return false;
    if (stream.merge !== undefined && !isInside(stream.merge, follows)) return false;
    if (stream.type === 'timer') return false;
    return follows || stream.source === undefined || stream.source === 'view' || stream.source === 'scope';
  });
}
