/** Estimates the time to draw the shapes of maps. */
import { fieldsOf, isFields, type Fields } from '../../text/checks.ts';

/** Microseconds per position, and per point at which the projection bends the line to the next one. */
const times = { position: 0.4, point: 2 };
/** Scale and precision of a projection, in pixels, that has none or is fitted to the chart. */
const usual = { scale: 150, precision: 0.7 };

/** @returns the largest number of pixels per degree of any projection, divided by its precision */
export function detailOf(projections: readonly Fields[]): number {
  const details = projections.map(
    ({ scale, precision }) => (Number(scale) || usual.scale) / (Number(precision) || usual.precision),
  );
  return (Math.max(...details) * Math.PI) / 180;
}

/**
 * @param values the data of the shapes: a topology, whose shapes refer to its arcs, or anything else
 * @returns a function that estimates the microseconds to draw a shape
 */
export function shapeTimer(values: unknown, detail: number): (shape: unknown) => number {
  const { arcs, transform } = fieldsOf(values);
  const { scale } = fieldsOf(transform);
  const isDelta = Array.isArray(scale);
  const [scaleX, scaleY] = isDelta ? scale.map(Number) : [];

  function lineTime(line: unknown): number {
    let time = 0;
    let before: unknown[] = [];
    for (const position of Array.isArray(line) ? (line as unknown[][]) : []) {
      const [x, y] = [0, 1].map((at) => Number(position[at]) - (isDelta ? 0 : Number(before[at])));
      const degrees = Math.abs(x! * (scaleX ?? 1)) + Math.abs(y! * (scaleY ?? 1));
      time += times.position + times.point * Math.max(0, Math.sqrt(degrees * detail) - 1 || 0);
      before = position;
    }
    return time;
  }

  const arcTimes = Array.isArray(arcs) ? arcs.map(lineTime) : undefined;
  const timeOf = (part: unknown): number => {
    if (typeof part === 'number') return arcTimes?.[part < 0 ? ~part : part] ?? 0;
    if (isFields(part)) return timeOf(Object.values(part));
    if (!Array.isArray(part)) return 0;
    const isLine = !arcTimes && Array.isArray(part[0]) && typeof part[0][0] === 'number';
    return isLine ? lineTime(part) : part.reduce<number>((sum, one) => sum + timeOf(one), 0);
  };
  return timeOf;
}
