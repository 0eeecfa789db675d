/** Edits of the chart studio: each takes a specification and returns a new one. */
import type { Column, ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { kindOfType, typeColumns } from '../../src/shared/results/cells.ts';
import { isFields, type Fields } from '../../src/shared/text/checks.ts';
import { fieldsIn, without } from '../../src/shared/chart/json.ts';
import { escapeColumns, fieldOf, plainName } from '../../src/shared/chart/names.ts';
import { encodingOf, markOf } from '../../src/shared/chart/units.ts';

/** Marks that the studio offers. */
export const studioMarks = ['bar', 'line', 'area', 'point', 'arc', 'rect', 'tick', 'boxplot'] as const;
export type StudioMark = (typeof studioMarks)[number];
export type StudioChannel = 'x' | 'y' | 'color';

/** The current selections of the studio. */
export interface StudioState {
  mark: string;
  /** Column names. */
  x?: string;
  y?: string;
  color?: string;
  logarithmic: boolean;
  /** Number of largest values to show; undefined for all. */
  top?: number;
}

/** The channels of a pie chart that correspond to the axes of other charts. */
const pieChannels = { x: 'color', y: 'theta' } as const;

const isMeasure = (channel: unknown): boolean =>
  isFields(channel) && (channel.type === 'quantitative' || channel.aggregate !== undefined);

/** @returns the current selections; undefined for a chart with more than one view, which can only be edited as text */
export function readStudio(spec: Fields, table: ResultTable): StudioState | undefined {
  const mark = markOf(spec);
  if (typeof mark !== 'string') return undefined;
  const encoding = encodingOf(escapeColumns(spec, table));
  const name = (channel: unknown): string | undefined =>
    isFields(channel) && typeof channel.field === 'string' ? plainName(channel.field) : undefined;
  const measure = encoding[measureChannel(spec)];
  const top = topTransform(spec);
  return {
    mark,
    x: name(mark === 'arc' ? encoding.color : encoding.x),
    y: name(mark === 'arc' ? encoding.theta : encoding.y),
    color: mark === 'arc' ? undefined : name(encoding.color),
    logarithmic: isFields(measure) && isFields(measure.scale) && measure.scale.type === 'log',
    ...(top === undefined ? {} : { top }),
  };
}

/** Changes the mark and keeps the fields. */
export function setMark(spec: Fields, mark: StudioMark): Fields {
  const kept = isFields(spec.mark) ? without(spec.mark, 'type', 'interpolate', 'point', 'innerRadius', 'filled') : {};
  const marked = { ...spec, mark: Object.keys(kept).length > 0 ? { ...kept, type: mark } : mark };
  const isPie = markOf(spec) === 'arc';
  if (isPie === (mark === 'arc')) return marked;
  const encoding = encodingOf(spec);
  const { x, y } = pieChannels;
  if (isPie) return { ...marked, encoding: { ...without(encoding, x, y), x: encoding[x], y: encoding[y] } };
  const [slices, sizes] = isMeasure(encoding.x) && !isMeasure(encoding.y) ? ['y', 'x'] : ['x', 'y'];
  const bare = (channel: unknown): unknown => (isFields(channel) ? without(channel, 'axis', 'scale') : channel);
  const pie = { [x]: bare(encoding[slices]), [y]: bare(encoding[sizes]) };
  return { ...marked, encoding: { ...without(encoding, 'x', 'y', 'color', 'xOffset', 'yOffset'), ...pie } };
}

/** Swaps the x and y axes of a chart. */
export function swapAxes(spec: Fields): Fields {
  const pairs = [
    ['x', 'y'],
    ['x2', 'y2'],
    ['xOffset', 'yOffset'],
  ] as const;
  const encoding = { ...encodingOf(spec) };
  for (const [across, upright] of pairs) {
    const [x, y] = [encoding[across], encoding[upright]];
    delete encoding[across];
    delete encoding[upright];
    if (x !== undefined) encoding[upright] = turned(x);
    if (y !== undefined) encoding[across] = turned(y);
  }
  return { ...without(spec, 'width', 'height'), encoding };
}

/** A sort by the other axis names that axis, so swap the name too. */
function turned(channel: unknown): unknown {
  if (!isFields(channel) || typeof channel.sort !== 'string') return channel;
  const other: Readonly<Record<string, string>> = { x: 'y', '-x': '-y', y: 'x', '-y': '-x' };
  return { ...channel, sort: other[channel.sort] ?? channel.sort };
}

/**
 * Encodes a column on an axis or as color.
 * @param column undefined to clear the channel
 */
export function setField(spec: Fields, channel: StudioChannel, column: Column | undefined, table: ResultTable): Fields {
  const name = markOf(spec) === 'arc' && channel !== 'color' ? pieChannels[channel] : channel;
  const encoding = encodingOf(spec);
  if (column === undefined) return { ...spec, encoding: without(encoding, name) };
  const type = fieldType(column, table);
  const before = encoding[name];
  // Properties of the former field, such as its title or time unit, don't apply to the new one.
  const scale = isFields(before) && before.type === type ? before.scale : undefined;
  const definition = { ...(scale === undefined ? {} : { scale }), field: fieldOf(column.name), type };
  return { ...spec, encoding: { ...encoding, [name]: definition } };
}

/** @returns the Vega-Lite type of a column: by the service's type, otherwise by its cells */
export function fieldType(column: Column, table: ResultTable): 'quantitative' | 'temporal' | 'nominal' {
  const index = table.columns.indexOf(column);
  const kind = kindOfType(column.type) ?? typeColumns(table.columns, table.rows)[index]?.kind;
  if (kind === 'time') return 'temporal';
  if (kind === 'number') return 'quantitative';
  if (kind !== 'string') return 'nominal';
  // Some services send dates as text.
  const cells = table.rows.map((row) => row[index]).filter((cell) => cell !== null && cell !== '');
  const isDated = cells.length > 0 && cells.every((cell) => /^\d{4}-\d{2}(-\d{2})?([T ].*)?$/.test(String(cell)));
  return isDated ? 'temporal' : 'nominal';
}

/** The channel with the measure: y, unless only x has one. */
function measureChannel(spec: Fields): string {
  if (markOf(spec) === 'arc') return 'theta';
  const { x, y } = encodingOf(spec);
  return isMeasure(x) && !isMeasure(y) ? 'x' : 'y';
}

/** Toggles a logarithmic scale for the measure. */
export function setLogarithmic(spec: Fields, on: boolean): Fields {
  const channel = measureChannel(spec);
  const encoding = encodingOf(spec);
  const definition = encoding[channel];
  if (!isFields(definition)) return spec;
  const before = isFields(definition.scale) ? without(definition.scale, 'type', 'zero', 'base') : {};
  const scale = on ? { ...before, type: 'log' } : before;
  const rest = without(definition, 'scale', 'stack');
  // Don't stack: stacked lengths have no meaning on a logarithmic scale.
  const changed = on
    ? { ...rest, stack: null, scale }
    : { ...rest, ...(Object.keys(scale).length > 0 ? { scale } : {}) };
  return { ...spec, encoding: { ...encoding, [channel]: changed } };
}

/** Name of the rank field that the studio filters by. */
const rank = 'studio rank';

function topTransform(spec: Fields): number | undefined {
  for (const { filter } of fieldsIn(spec.transform)) {
    if (isFields(filter) && filter.field === rank && typeof filter.lte === 'number') return filter.lte;
  }
  return undefined;
}

/**
 * Shows only the rows with the largest values of the measure.
 * @param count number of rows; undefined for all
 */
export function setTop(spec: Fields, count: number | undefined): Fields {
  const isOurs = ({ filter, window }: Fields): boolean =>
    (isFields(filter) && filter.field === rank) || fieldsIn(window).some(({ as }) => as === rank);
  const others = fieldsIn(spec.transform).filter((transform) => !isOurs(transform));
  const definition = encodingOf(spec)[measureChannel(spec)];
  const field = isFields(definition) ? definition.field : undefined;
  if (count === undefined || typeof field !== 'string') {
    return others.length > 0 ? { ...spec, transform: others } : without(spec, 'transform');
  }
  const ranked = { window: [{ op: 'row_number', as: rank }], sort: [{ field, order: 'descending' }] };
  return { ...spec, transform: [...others, ranked, { filter: { field: rank, lte: count } }] };
}
