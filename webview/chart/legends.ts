/** Position and columns of legends, so that no entry is cut off. */
import { isFields, type Fields } from '../../src/shared/chart/json.ts';
import { unitsOf } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { isDiscrete, labelWidth, yAxisWidth } from './labels.ts';

const channels = ['color', 'fill', 'stroke', 'shape', 'size', 'opacity', 'strokeDash'];
/** Chart width in pixels below which legends are below the chart. */
const narrow = 440;
/** Pixels of an entry's symbol with its margin. */
const symbol = 26;

/** Heights of an entry, of a title and of a color gradient beside the chart. */
const heights = { entry: 16, title: 34, gradient: 130 };
/** Maximum number of entries; the legend shows how many more there are. */
const most = 30;

/**
 * @param width width of the whole chart in pixels
 * @returns the configuration, and the size in pixels of legends beside the plot, whose height Vega doesn't reserve
 */
export function legendLayout(spec: Fields, table: ResultTable, width: number, count: (channel: unknown) => number) {
  const encoded = unitsOf(spec).flatMap(({ encoding }) => channels.map((name) => encoding[name]));
  const own = encoded.filter(isFields).filter(({ field, legend }) => typeof field === 'string' && legend !== null);
  // One legend covers all channels of a field.
  const shown = [...new Map(own.map((channel) => [channel.field, channel])).values()];
  const orient = shown.map(({ legend }) => (isFields(legend) ? legend.orient : undefined)).find(Boolean);
  const isBelow = orient === undefined ? width < narrow : orient === 'bottom' || orient === 'top';
  const longest = Math.max(50, ...shown.filter(isDiscrete).map((channel) => labelWidth(table, channel))) + symbol;
  // A legend below the chart starts at the axis.
  const room = isBelow ? width - yAxisWidth(spec, table, width) - 12 : width * 0.35;
  const columns = isBelow ? Math.max(1, Math.floor(room / longest)) : 1;
  // Rounded, so that resizing by a pixel does not redraw the chart.
  const limit = Math.max(80, Math.floor(room / columns / 10) * 10);
  const config: Fields = {
    columns,
    labelLimit: limit - symbol,
    ...(isBelow ? { orient: 'bottom', gradientLength: 100 } : {}),
  };
  if (isBelow || shown.length === 0) return { config, width: 0, height: 0 };
  const heightOf = (channel: Fields): number =>
    isDiscrete(channel) ? heights.title + Math.min(count(channel), most + 1) * heights.entry : heights.gradient;
  return { config, width: Math.min(longest, limit), height: shown.reduce((sum, one) => sum + heightOf(one), 0) };
}
