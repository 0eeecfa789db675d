/** Layout of legends: position and number of columns, so that no entry is cut off. */
import type { distinctCounter } from '../../src/shared/chart/distinct.ts';
import { isFields, type Fields } from '../../src/shared/chart/json.ts';
import { unitsOf } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { isDiscrete, labelWidth, yAxisWidth } from './labels.ts';

/** Sizes are in pixels. */
export interface Legends {
  isBelow: boolean;
  columns: number;
  labelLimit: number;
  height: number;
  width: number;
}

const channels = ['color', 'fill', 'stroke', 'shape', 'size', 'opacity', 'strokeDash'];
/** Chart width in pixels below which legends are below the chart. */
const narrow = 440;
/** Maximum number of entries; the legend shows how many more there are. */
const most = 30;
/** Pixels of an entry's symbol with its margin, of a line, and of a title with its margin. */
const symbol = 26;
const line = 16;
const title = 34;
const gradient = { below: 50, beside: 130 };

/** Fields encoded by anything but position; one legend covers all channels of a field. */
function shown(spec: Fields): Fields[] {
  const fields = new Map<string, Fields>();
  for (const { encoding } of unitsOf(spec))
    for (const name of channels) {
      const channel = encoding[name];
      if (!isFields(channel) || typeof channel.field !== 'string' || channel.legend === null) continue;
      const key = `${channel.field} ${String(channel.type)} ${String(channel.aggregate)}`;
      if (!fields.has(key)) fields.set(key, channel);
    }
  return [...fields.values()];
}

const orientOf = ({ legend }: Fields): unknown => (isFields(legend) ? legend.orient : undefined);

/** @param width width of the whole chart in pixels */
export function legendsOf(
  spec: Fields,
  table: ResultTable,
  width: number,
  distinct: ReturnType<typeof distinctCounter>,
): Legends | undefined {
  const legends = shown(spec);
  if (legends.length === 0) return undefined;
  const orient = legends.map(orientOf).find((asked) => asked !== undefined);
  const isBelow = orient === undefined ? width < narrow : orient === 'bottom' || orient === 'top';
  const lists = legends.filter(isDiscrete);
  const longest = Math.max(0, ...lists.map((channel) => labelWidth(table, channel)));
  // Align a legend below the chart with the axis.
  const room = isBelow ? Math.max(width - yAxisWidth(spec, table, width) - 12, 80) : Math.max(width * 0.35, 80);
  const columns = isBelow ? Math.max(1, Math.floor(room / (longest + symbol))) : 1;
  const heightOf = (channel: Fields): number =>
    isDiscrete(channel)
      ? title + Math.ceil(Math.min(distinct(channel), most + 1) / columns) * line
      : isBelow
        ? gradient.below
        : gradient.beside;
  // Rounded, so that resizing by a pixel does not redraw the chart.
  const labelLimit = Math.floor((room / columns - symbol) / 10) * 10 + 10;
  return {
    isBelow,
    columns,
    labelLimit,
    width: isBelow ? 0 : Math.min(Math.max(longest, 50), labelLimit) + symbol,
    height: legends.reduce((sum, channel) => sum + heightOf(channel), 0),
  };
}
