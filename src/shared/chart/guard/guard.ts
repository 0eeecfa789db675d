/** The guard: rejects compiled charts that could reach outside of themselves or take too long. */
import { t } from '../../text/l10n.ts';
import { fieldsOf, isFields, type Fields } from '../../text/checks.ts';
import { fieldsIn, asList, objectsIn, without } from '../json.ts';
import { atMost, limits, refuse, tooLarge } from '../limits.ts';
import { boundsOf, either, FieldBounds, opaque, row, rowsIn, scalar, type Bounds, type Data } from './bounds.ts';
import { checkExpression } from './expression.ts';
import { detailOf, shapeTimer } from './shapes.ts';
import { applyTransform } from './transforms.ts';

export interface Estimate {
  items: number;
  /** Approximate microseconds of the first drawing. */
  time: number;
}

/** Microseconds per mark, without its expressions and rows. */
const times = { group: 450, mark: 150, guide: 1_500, item: 18, label: 60, signal: 10 };

/** Allowed properties of data sets and signals; all others are rejected. */
const dataMembers = 'name values source transform format';
const signalMembers = 'name description value update init on react push';

function only(part: Fields, known: string): void {
  for (const key of Object.keys(part)) if (!known.split(' ').includes(key)) refuse(key);
}

/** Calendar units in milliseconds. */
const units: Readonly<Record<string, number>> = {
  ...{ millisecond: 1, second: 1e3, minute: 6e4, hour: 36e5, day: 864e5, week: 6e8, month: 25e8, year: 3e10 },
};

/**
 * Checks everything that a compiled chart loads, listens to, calls or multiplies, with its data.
 * @throws ChartProblem if it uses an unsupported feature or exceeds a limit
 */
export function checkChart(compiled: Fields): Estimate {
  if (isFields(compiled.config)) compiled.config = without(compiled.config, 'events', 'signals');
  const { estimate } = new Guard(compiled);
  if (!(estimate.time <= limits.work)) throw tooLarge(t('The chart would take too long to draw.'));
  return estimate;
}

/** The scope of an expression, and the number of its evaluations. */
interface ExpressionScope {
  datum: Bounds;
  count: number;
  field?: (name?: string) => Bounds;
  handler?: boolean;
}
const once: ExpressionScope = { datum: scalar, count: 1 };

/** A chart and its views, at any depth. */
const scopesIn = (scope: Fields): Fields[] => [scope, ...fieldsIn(scope.marks).flatMap(scopesIn)];

class Guard {
  readonly estimate: Estimate = { items: 0, time: 0 };
  readonly #fields: FieldBounds;
  readonly #data = new Map<string, Data>();
  /** Definitions of the signals of all scopes, or the bounds of signals that transforms create. */
  readonly #signals: Map<string, Fields[] | Bounds>;
  readonly #bins = new Map<string, number | undefined>();
  readonly #scales: Map<string, Fields[]>;
  readonly #projections: readonly Fields[];
  /** Times to draw each shape of a data source. */
  readonly #shapes = new Map<readonly unknown[], readonly number[]>();

  constructor(compiled: Fields) {
    const partsOf = (key: string): Fields[] => scopesIn(compiled).flatMap((scope) => fieldsIn(scope[key]));
    this.#projections = partsOf('projections');
    this.#signals = Map.groupBy(partsOf('signals'), ({ name }) => String(name));
    this.#scales = Map.groupBy(partsOf('scales'), ({ name }) => String(name));
    this.#fields = new FieldBounds(partsOf('data').flatMap(({ values, format }) => rowsIn(values, format)));
    this.#scope(compiled, 1);
  }

  /** @param copies number of copies of the scope, one per facet */
  #scope(scope: Fields, copies: number): void {
    for (const source of fieldsIn(scope.data)) this.#checkData(source, copies);
    for (const signal of fieldsIn(scope.signals)) this.#checkSignal(signal, copies);
    for (const guide of [...fieldsIn(scope.axes), ...fieldsIn(scope.legends)]) this.#checkGuide(guide, copies);
    const apart = ['data', 'signals', 'axes', 'legends', 'marks', 'transform', 'encode'];
    this.#walk(without(scope, ...apart), { datum: scalar, count: copies });
    for (const mark of fieldsIn(scope.marks)) this.#checkMark(mark, copies);
  }

  #expression(text: unknown, { datum, count, field, handler = false }: ExpressionScope): Bounds {
    // Vega-Lite writes the values of a binned axis as such a sequence.
    const bins = /^sequence\((\w+)\.start, \1\.stop \+ \1\.step, \1\.step\)$/.exec(String(text))?.[1];
    const binned = bins === undefined ? undefined : this.#bins.get(bins);
    if (binned !== undefined) return { ...scalar, items: binned, distinct: binned };
    const { bounds, time } = checkExpression(String(text), {
      datum,
      field: field ?? ((name) => (name === undefined ? this.#fields.any : this.#fields.named(name))),
      signal: (name) => this.#signal(name),
      rows: (name) => {
        const items = Math.min(this.#data.get(name)?.rows ?? Infinity, limits.rows);
        return { ...row, items, text: items * (this.#fields.any.text || 32) };
      },
      handler,
    });
    this.estimate.time += time * count;
    return bounds;
  }

  readonly #value = (parameter: unknown): Bounds => {
    if (!isFields(parameter)) return boundsOf([parameter]);
    const text = parameter.signal ?? parameter.expr;
    return typeof text === 'string' ? this.#expression(text, once) : scalar;
  };

  #signal(name: string): Bounds {
    const known = this.#signals.get(name);
    const isSize = name === 'width' || name === 'height';
    // Vega defines the signals of sizes itself; any other unknown signal may contain any part of a row.
    if (known === undefined) return isSize ? { ...scalar, low: 0, high: 9_000 } : this.#fields.any;
    if (!Array.isArray(known)) return known;
    // Prevents endless recursion if the signal refers to itself.
    this.#signals.set(name, scalar);
    const all = known.flatMap(({ value, update, init, on }) => [
      boundsOf([value ?? 0]),
      ...[update, init].flatMap((text) => (text === undefined ? [] : [this.#expression(text, once)])),
      ...fieldsIn(on).map(({ update: changed }) => {
        const text = isFields(changed) ? (changed.signal ?? changed.expr) : changed;
        const isText = typeof text === 'string';
        const place = { datum: row, count: 0, handler: true };
        const bounds = isText ? this.#expression(text, place) : boundsOf([isFields(changed) ? changed.value : changed]);
        return isSize ? bounds : { ...bounds, low: -Infinity, high: Infinity, distinct: Infinity };
      }),
    ]);
    const bounds = either(...all);
    this.#signals.set(name, bounds);
    return bounds;
  }

  #checkSignal(signal: Fields, copies: number): void {
    only(signal, signalMembers);
    // Vega applies this signal to the CSS cursor.
    if (signal.name === 'cursor') refuse('cursor');
    // The configuration makes Vega block streams from outside the chart; their filters are expressions.
    for (const { events, filter } of objectsIn(signal.on)) {
      if (typeof events === 'string' && !/^(\w+:)?\w+(\{\d+\})?$/.test(events)) refuse(events);
      for (const text of asList(filter)) this.#expression(text, { datum: opaque, count: 0, handler: true });
    }
    this.#signal(String(signal.name));
    this.estimate.time += times.signal * copies;
  }

  #checkData(source: Fields, copies: number): void {
    only(source, dataMembers);
    // To parse text, Vega would generate code.
    if (Array.isArray(source.source) || typeof source.values === 'string') refuse('values');
    const own = rowsIn(source.values, source.format);
    atMost(own.length, limits.tableRows, 'values');
    if (this.#projections.length > 0)
      this.#shapes.set(own, own.map(shapeTimer(source.values, detailOf(this.#projections))));
    const from = this.#data.get(String(source.source)) ?? { rows: own.length, copies: 1, source: own };
    const repeats = from.copies < copies ? copies : 1;
    let data = { ...from, rows: from.rows * repeats, copies: Math.max(from.copies, copies) };
    this.estimate.time += source.source === undefined ? data.rows * 1.5 : 0;
    this.#walk(source.format, once);
    for (const transform of fieldsIn(source.transform)) data = this.#transformed(transform, data);
    this.#addData(source.name, data);
  }

  #addData(name: unknown, data: Data): void {
    const rows = Math.max(data.rows, this.#data.get(String(name))?.rows ?? 0);
    this.#data.set(String(name), { ...data, rows });
  }

  #transformed(transform: Fields, data: Data): Data {
    const place = { datum: row, count: data.rows };
    const { type, field, signal } = transform;
    this.#walk(without(transform, 'expr', 'signal'), place);
    const expression = (text: unknown): Bounds => this.#expression(text, place);
    const [fields, value, shapes] = [this.#fields, this.#value, this.#shapes];
    const after = applyTransform({ transform, data, fields, value, expression, shapes });
    if (type === 'extent') this.#signals.set(String(signal), { ...this.#fields.of(field), items: 2 });
    this.#bins.set(String(signal), after.bins);
    this.estimate.time += after.time;
    return after.data;
  }

  #checkGuide(guide: Fields, copies: number): void {
    const { scale, fill, stroke, size, shape, opacity, strokeDash, strokeWidth, values, tickCount } = guide;
    const name = scale ?? fill ?? stroke ?? size ?? shape ?? opacity ?? strokeDash ?? strokeWidth;
    const scales = this.#scales.get(String(name)) ?? [];
    const { distinct, low, high } = either(...scales.map(({ domain }) => this.#domain(domain)));
    const isDiscrete = scales.some(({ type }) => /^(band|point|ordinal)$/.test(String(type)));
    // Between two powers of its base, a logarithmic scale has a tick at each multiple of the lower one.
    const bases = scales.flatMap(({ type, base = 10 }) => (type === 'log' ? [Number(base)] : []));
    const ticks = isDiscrete ? distinct : (typeof tickCount === 'number' ? tickCount : 12) * Math.max(1, ...bases);
    const { interval = tickCount, step = 1 } = fieldsOf(tickCount);
    const unit = units[String(interval).replace(/utc|s$/g, '')];
    if (unit !== undefined) atMost((high - low) / (unit * Number(step)), 1_000, 'tickCount');
    const labels = Math.max(this.#value(values ?? []).items, ticks);
    this.estimate.time += copies * (times.guide + labels * times.label);
    this.#walk(guide, { datum: row, count: labels * copies, field: () => ({ ...scalar, text: 200, low, high }) });
  }

  #domain(domain: unknown): Bounds {
    if (Array.isArray(domain)) return either(...domain.map((one) => this.#value(one)));
    if (!isFields(domain)) return scalar;
    if (domain.signal !== undefined) return this.#value(domain);
    const { data, field, fields = field } = domain;
    const rows = this.#data.get(String(data))?.rows ?? Infinity;
    const each = asList(fields).map((one) => {
      if (Array.isArray(one) || (isFields(one) && one.data !== undefined)) return this.#domain(one);
      const bounds = this.#fields.of(one);
      return { ...bounds, distinct: Math.min(bounds.distinct, rows) };
    });
    return either(...each);
  }

  #checkMark(mark: Fields, copies: number): void {
    const from = fieldsOf(mark.from);
    const facet = isFields(from.facet) ? from.facet : undefined;
    const name = facet ? facet.data : from.data;
    const data = this.#data.get(String(name));
    // A mark that uses another mark as its data source gets scene items as data.
    const isOfMarks = name !== undefined && !data;
    const own = data ?? { rows: isOfMarks ? this.estimate.items : copies, copies, source: [] };
    let count = Math.max(1, own.rows * (own.copies < copies ? copies : 1));
    if (facet) {
      const isCrossed = isFields(facet.aggregate) && facet.aggregate.cross === true;
      const groups = this.#fields.groups(facet.groupby, own);
      count = Math.max(1, isCrossed ? groups : Math.min(groups, own.rows));
      this.#addData(facet.name, { ...own, copies: count });
    }
    const isGroup = mark.type === 'group';
    const each = isGroup ? times.group : mark.type === 'trail' ? 6 * times.item : times.item;
    this.estimate.time += each * count + times.mark * copies;
    for (const transform of fieldsIn(mark.transform)) this.#transformed(transform, own);
    this.#walk(mark.encode, { datum: isOfMarks ? opaque : row, count });
    if (isGroup) return this.#scope(mark, count);
    this.estimate.items += count;
    this.#walk(without(mark, 'transform', 'encode'), { datum: row, count });
  }

  /** Checks all other parts: expressions at any depth, and properties with limits. */
  #walk(node: unknown, place: ExpressionScope, key = ''): void {
    if (Array.isArray(node)) for (const one of node) this.#walk(one, place, key);
    if (!isFields(node)) return;
    for (const [name, member] of Object.entries(node)) {
      let shown: Bounds | undefined;
      if (/^(signal|expr|test)$/.test(name) && typeof member === 'string') shown = this.#expression(member, place);
      else if (name === 'field' && typeof member === 'string') shown = this.#fields.of(member);
      else if (name === 'scale' && typeof member === 'string')
        shown = boundsOf((this.#scales.get(member) ?? []).flatMap(({ range }) => asList(range)));
      else if (name === 'value') shown = boundsOf([member]);
      else this.#walk(member, place, name);
      if (!shown) continue;
      const { high, text, items } = shown;
      if (name === 'signal' && /dash$/i.test(key) && high !== 0 && !(high >= 0.5 && high < Infinity)) refuse(key);
      if (!/^(shape|text)$|^font/.test(key)) continue;
      this.estimate.time += place.count * (text / (key === 'shape' ? 8 : 100) + items * times.item);
      if (key.startsWith('font') && name !== 'value') this.estimate.time += place.count * 300;
    }
  }
}
