/** Sizes of marks for which Vega-Lite has no default that depends on the rows. */
import { fieldsOf, isFields, type Fields } from '../../src/shared/text/checks.ts';
import { isDiscrete, unitsOf, type Count } from '../../src/shared/chart/units.ts';

/**
 * @param width of a single plot in pixels; undefined for a composition
 * @param rows how many rows the chart has
 * @returns the part of Vega-Lite's configuration that makes bars at times as wide as their number allows, and shows lines
 * and areas with a single point
 */
export function markSizes(spec: Fields, width: number | undefined, rows: number, count: Count): Fields {
  const units = unitsOf(spec);
  const bars = units.find(
    ({ mark, encoding }) => mark === 'bar' && isContinuous(encoding.x) && !isDiscrete(encoding.y),
  );
  const band = bars && width && Math.max(1, Math.min((width * 0.6) / count(bars.encoding.x, rows), 40));
  const lines = units.filter(({ mark }) => mark === 'line' || mark === 'area');
  const isPoint = ({ encoding: { x, y } }: (typeof lines)[number]): boolean =>
    rows === 1 || [x, y].some((channel) => isPlace(channel) && count(channel, Infinity) === 1);
  const point = lines.length > 0 && lines.every(isPoint) ? { point: { size: 60 } } : {};
  return { line: point, area: point, ...(band === undefined ? {} : { bar: { continuousBandSize: band } }) };
}

const isPlace = (channel: unknown): boolean =>
  fieldsOf(channel).field !== undefined && fieldsOf(channel).type !== 'quantitative';

const isContinuous = (channel: unknown): boolean =>
  isFields(channel) &&
  (channel.type === 'temporal' || channel.type === 'quantitative') &&
  [channel.bin, channel.timeUnit, channel.aggregate].every((one) => one === undefined);
