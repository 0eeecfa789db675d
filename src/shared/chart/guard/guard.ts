import { t } from '../../text/l10n.ts';
import { fieldsIn, isFields, listOf, without, type Fields } from '../json.ts';
import { ChartProblem } from '../problem.ts';
import { boundsOf, either, none, scalar, scalarText, type Bounds } from './bounds.ts';
import { Dataset } from './dataset.ts';
import { checkExpression } from './expression.ts';
import { limits, refuse, tooMuch } from '../limits.ts';
import { checkMembers } from './members.ts';
import { channelBounds, dropAddresses, filtersIn, only, rowsIn } from './parts.ts';
import { applyTransform } from './transforms.ts';
import { isInside } from './events.ts';

/** Microseconds for each of these, without its expressions and its rows. */
const times = { group: 250, mark: 150, axis: 1_500, legend: 1_500, item: 18, label: 60, signal: 10, scale: 100 };

const scopeMembers =
  '$schema description background padding width height autosize style data signals scales projections axes legends marks ' +
  'title layout encode config name type from sort transform clip interactive aria role zindex key';
const allowed = {
  scope: new Set(scopeMembers.split(' ')),
  data: new Set(['name', 'values', 'source', 'transform', 'format']),
  signal: new Set('name description value update init on react push'.split(' ')),
  mark: new Set('arc area group image line path rect rule shape symbol text trail'.split(' ')),
};

/** Members of a scope that are checked one by one. */
const apart = ['data', 'signals', 'scales', 'axes', 'legends', 'marks', 'from', 'transform', 'encode'];

/** What a compiled chart comes to. */
export interface Estimate {
  /** Marks, at most. */
  items: number;
  /** Microseconds of its first drawing, about. */
  time: number;
}

/**
 * Checks the Vega specification that a chart was compiled to: everything that it loads, listens to, calls or multiplies.
 * Event streams that reach out of the chart and bindings are taken out of it, in place.
 * @param compiled with its data
 * @throws ChartProblem when it asks for something that is never done, or for too much
 */
export function checkChart(compiled: Fields): Estimate {
  const estimate = { items: 0, time: 0 };
  if (isFields(compiled.config)) compiled.config = without(compiled.config, 'events', 'signals');
  new Guard(compiled, undefined, estimate, 1).check();
  if (!(estimate.time <= limits.work)) throw tooMuch(t('The chart would take too long to draw.'));
  return estimate;
}

const unknown: Bounds = { ...scalar, text: limits.string, items: 200, distinct: Infinity };

class Guard {
  readonly #spec: Fields;
  readonly #parent: Guard | undefined;
  readonly #estimate: Estimate;
  readonly #copies: number;
  readonly #datasets = new Map<string, Dataset>();
  readonly #signals = new Map<string, Bounds | Fields>();
  readonly #scales = new Map<string, Fields>();

  constructor(spec: Fields, parent: Guard | undefined, estimate: Estimate, copies: number, facet?: [string, Dataset]) {
    this.#spec = spec;
    this.#parent = parent;
    this.#estimate = estimate;
    this.#copies = copies;
    if (facet) this.#datasets.set(...facet);
  }

  check(): void {
    const { signals, data, scales, axes, legends, marks } = this.#spec;
    only(this.#spec, allowed.scope);
    for (const signal of fieldsIn(signals)) this.#signals.set(String(signal.name), signal);
    for (const scale of fieldsIn(scales)) this.#scales.set(String(scale.name), scale);
    for (const source of fieldsIn(data)) this.#checkData(source);
    for (const signal of fieldsIn(signals)) this.#checkSignal(signal);
    for (const scale of fieldsIn(scales)) this.#walk(scale, 'scale');
    for (const axis of fieldsIn(axes)) this.#checkGuide(axis, times.axis);
    for (const legend of fieldsIn(legends)) this.#checkGuide(legend, times.legend);
    this.#walk(without(this.#spec, ...apart), '');
    for (const mark of fieldsIn(marks)) this.#checkMark(mark);
  }

  /** An expression that is evaluated so many times. */
  #expression(text: unknown, datum: Bounds, times: number, context: { handler?: boolean; row?: Bounds } = {}): Bounds {
    const { handler = false, row = datum } = context;
    const scope = {
      datum,
      row,
      handler,
      signal: (name: string) => this.#signal(name),
      rows: (name: string) => this.#rows(name),
    };
    const { bounds, time } = checkExpression(String(text), scope);
    this.#estimate.time += time * times;
    return bounds;
  }

  #dataset(name: unknown): Dataset | undefined {
    return this.#datasets.get(String(name)) ?? (this.#parent ? this.#parent.#dataset(name) : undefined);
  }

  #rows(name: string): Bounds {
    const data = this.#dataset(name);
    if (!data) return { ...scalar, items: limits.items, text: limits.items };
    const items = Math.min(data.rows, limits.items);
    return { ...scalar, items, text: items, member: () => data.row };
  }

  #scale(name: unknown): Fields | undefined {
    return this.#scales.get(String(name)) ?? (this.#parent ? this.#parent.#scale(name) : undefined);
  }

  #signal(name: string): Bounds {
    const known = this.#signals.get(name);
    if (known === undefined && this.#parent) return this.#parent.#signal(name);
    // Sizes are Vega's own signals; what else is not known may hold anything of a row.
    if (known === undefined) return /^(width|height)$/.test(name) ? { ...scalar, low: 0, high: 9_000 } : unknown;
    if (!('name' in known)) return known as Bounds;
    // While it is being worked out, it stands for itself.
    this.#signals.set(name, scalar);
    const signal = known as Fields;
    const bounds = [
      boundsOf([signal.value ?? 0]),
      ...[signal.update, signal.init]
        .filter((text) => text !== undefined)
        .map((text) => this.#expression(text, scalar, 1)),
      ...fieldsIn(signal.on).map(({ update }) => this.#handler(update)),
    ];
    const all = either(...bounds);
    this.#signals.set(name, all);
    return all;
  }

  #handler(update: unknown): Bounds {
    const text = isFields(update) ? (update.signal ?? update.expr) : update;
    if (typeof text !== 'string') return scalar;
    const bounds = this.#expression(text, unknown, 0, { handler: true });
    return { ...bounds, low: -Infinity, high: Infinity, distinct: Infinity };
  }

  #checkSignal(signal: Fields): void {
    delete signal.bind;
    only(signal, allowed.signal);
    // Vega sets the pointer by it.
    if (signal.name === 'cursor') refuse('cursor');
    if (Array.isArray(signal.on)) signal.on = fieldsIn(signal.on).filter(({ events }) => isInside(events, false));
    const opaque: Bounds = { ...scalar, opaque: true };
    for (const text of fieldsIn(signal.on).flatMap(({ events }) => filtersIn(events)))
      this.#expression(text, opaque, 0, { handler: true });
    this.#signal(String(signal.name));
    this.#estimate.time += times.signal * this.#copies;
  }

  /** Bounds of a parameter: a literal, or an expression. */
  #value(parameter: unknown): Bounds {
    if (isFields(parameter)) {
      const text = parameter.signal ?? parameter.expr;
      return typeof text === 'string' ? this.#expression(text, scalar, this.#copies) : scalar;
    }
    return boundsOf([parameter ?? 0]);
  }

  #checkData(source: Fields): void {
    if (source.url !== undefined)
      throw new ChartProblem('refused', t('The chart wants to load data from an address. That is never done.'));
    only(source, allowed.data);
    if (Array.isArray(source.source)) refuse('source');
    const from = source.source === undefined ? undefined : this.#dataset(source.source);
    const isInner = from !== undefined && from.copies < this.#copies;
    let data = from ?? new Dataset(rowsIn(source));
    if (isInner || (!from && this.#copies > 1)) data = new Dataset(data, data.rows * this.#copies, [], this.#copies);
    this.#estimate.time += from ? 0 : data.rows * 1.5;
    this.#walk(source.format, 'format');
    for (const transform of fieldsIn(source.transform)) data = this.#transformed(transform, data);
    this.#datasets.set(String(source.name), data);
  }

  #transformed(transform: Fields, data: Dataset): Dataset {
    this.#walk(without(transform, 'expr', 'signal'), 'transform', data.row, data.rows);
    const after = applyTransform({
      transform,
      data,
      value: (parameter) => this.#value(parameter),
      expression: (text, datum) => this.#expression(text, datum, data.rows),
      signal: (name, bounds) => {
        if (typeof name === 'string') this.#signals.set(name, bounds);
      },
      rows: (name) => this.#dataset(name)?.rows ?? 0,
      copies: this.#copies,
    });
    this.#estimate.time += after.time;
    return after.data;
  }

  /** Axes and legends: what they show comes from a scale. */
  #checkGuide(guide: Fields, time: number): void {
    const scale = this.#scale(guide.scale ?? guide.fill ?? guide.stroke ?? guide.size ?? guide.shape ?? guide.opacity);
    const { domain, type } = scale ?? {};
    const { distinct, low, high } = this.#domain(domain);
    const isDiscrete = /^(band|point|ordinal)$/.test(String(type));
    const shown = this.#value(guide.values ?? []).items;
    const ticks = typeof guide.tickCount === 'number' ? guide.tickCount : 12;
    const labels = Math.max(shown, isDiscrete ? Math.min(distinct, limits.rows * 4) : ticks);
    this.#estimate.time += this.#copies * (time + labels * times.label);
    const datum = { ...scalar, text: 200, member: () => ({ ...scalar, text: 200, low, high }) };
    this.#walk(guide, 'guide', datum, labels * this.#copies, high - low);
  }

  #domain(domain: unknown): Bounds {
    if (Array.isArray(domain)) return either(none, ...domain.map((one) => this.#value(one)));
    if (!isFields(domain)) return scalar;
    if (domain.signal !== undefined) return this.#value(domain);
    const fields = Array.isArray(domain.fields) ? (domain.fields as unknown[]) : [domain];
    const all = fields.map((one) => {
      if (!isFields(one))
        return Array.isArray(one) ? this.#domain(one) : (this.#dataset(domain.data)?.field(one) ?? scalar);
      const data = this.#dataset(one.data ?? domain.data);
      return listOf(one.fields ?? one.field).reduce<Bounds>(
        (sum, field) =>
          either(
            sum,
            data ? { ...data.field(field), distinct: Math.min(data.field(field).distinct, data.rows) } : scalar,
          ),
        none,
      );
    });
    return either(none, ...all);
  }

  #checkMark(mark: Fields): void {
    if (typeof mark.type !== 'string' || !allowed.mark.has(mark.type)) return refuse(String(mark.type));
    const from = isFields(mark.from) ? mark.from : {};
    const facet = isFields(from.facet) ? from.facet : undefined;
    const data = this.#dataset(facet ? facet.data : from.data);
    const isOfMarks = from.data !== undefined && !data;
    const rows = data
      ? Math.max(1, data.rows * (data.copies < this.#copies ? this.#copies : 1))
      : isOfMarks
        ? this.#estimate.items
        : this.#copies;
    const groups = facet ? Math.max(1, this.#facets(facet, data)) : rows;
    const count = facet ? groups : rows;
    const row = data?.row ?? unknown;
    const opaque = { ...scalar, opaque: true };
    for (const transform of fieldsIn(mark.transform)) {
      this.#transformed(transform, data ?? new Dataset([], rows));
      if (transform.type === 'geoshape') this.#estimate.time += (data?.size ?? 0) * 0.4;
    }
    this.#walk(mark.encode, 'encode', isOfMarks ? opaque : row, count, 0, row);
    if (mark.type !== 'group') this.#walk(without(mark, ...apart), 'mark', row, count);
    const isGroup = mark.type === 'group';
    this.#estimate.time +=
      (isGroup ? times.group : mark.type === 'trail' ? 4 * times.item : times.item) * count + times.mark * this.#copies;
    if (!isGroup) this.#estimate.items += count;
    else {
      only(mark, allowed.scope);
      const inner = new Guard(
        mark,
        this,
        this.#estimate,
        groups,
        facet ? [String(facet.name), new Dataset(data ?? [], data?.rows, [], groups)] : undefined,
      );
      inner.check();
    }
  }

  #facets({ groupby, aggregate }: Fields, data: Dataset | undefined): number {
    const groups = data?.groups(groupby) ?? 1;
    return isFields(aggregate) && aggregate.cross === true ? groups : Math.min(groups, data?.rows ?? 1);
  }

  /** Everything else: expressions wherever they are, and the members that have bounds. */
  #walk(node: unknown, key: string, datum: Bounds = scalar, count = this.#copies, span = 0, row = datum): void {
    if (Array.isArray(node)) for (const one of node) this.#walk(one, key, datum, count, span, row);
    if (!isFields(node)) return;
    if (/^(enter|update|hover|exit)$/.test(key)) dropAddresses(node);
    checkMembers(node, (parameter) => this.#value(parameter), span);
    for (const [name, member] of Object.entries(node)) {
      if (/^(signal|expr|test)$/.test(name) && typeof member === 'string') {
        const { text, items } = this.#expression(member, datum, count, { row });
        const time = (text || scalarText) / 2_000 + (key === 'text' ? items * times.item : 0);
        this.#estimate.time += count * (time + (/^font/.test(key) ? 300 : 0));
      } else if (name === 'shape' || name === 'text') {
        const { text, items } = channelBounds(member, datum, (scale) => this.#scale(scale));
        this.#estimate.time += count * (text / (name === 'shape' ? 8 : 100) + items * times.item);
        this.#walk(member, name, datum, count, span, row);
      } else if (name !== 'value' && name !== 'values') this.#walk(member, name, datum, count, span, row);
      else if (name === 'values') this.#walk(member, name, datum, 1, span, row);
    }
  }
}
