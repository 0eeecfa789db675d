/** Compiles a specification to Vega, with corrections that Vega-Lite offers no option for. */
import { compile, type Config, type TopLevelSpec } from 'vega-lite';
import { tableName } from '../../src/shared/chart/attachData.ts';
import { checkChart } from '../../src/shared/chart/guard/guard.ts';
import { typeColumns } from '../../src/shared/results/cells.ts';
import { namesThings } from '../../src/shared/results/identifiers.ts';
import { fieldsOf, isFields, type Fields } from '../../src/shared/text/checks.ts';
import { fieldsIn, asList, objectsIn, rewrite } from '../../src/shared/chart/json.ts';
import { memberOf, plainName, readable } from '../../src/shared/chart/names.ts';
import type { ChartRow } from '../../src/shared/chart/rows.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { exactNumbers, zeroFormat } from './exactNumbers.ts';
import { isNarrow } from './layout.ts';
import { loggerOf, problemOf } from './drawView.ts';

/** Vega-Lite writes titles into expressions and looks them up in a plain object, so escape them like names. */
const escapeTitles = (spec: Fields): unknown =>
  rewrite(spec, (key, member) => (key === 'title' && typeof member === 'string' ? memberOf(member) : member));

/** Vega creates fields by their literal names, but Vega-Lite escapes those that it derives, for example for error bars. */
const unescapeCreated = (vega: Fields): Fields =>
  rewrite(vega, (key, member, { as }) => {
    if (key === 'as') return literal(member);
    if (key !== 'expr' || typeof as !== 'string' || member !== imputation(as, (name) => `datum.${name}`)) return member;
    return imputation(as, (name) => `datum[${JSON.stringify(literal(name))}]`);
  }) as Fields;

/** Vega-Lite's expression of an imputed value, in which it does not quote names. */
const imputation = (field: string, access: (name: string) => string): string =>
  `${access(field)} === null ? ${access(`imputed_${field}_value`)} : ${access(field)}`;

/** Characters with a meaning in a reference to a field, and what stands for them. */
const inReferences = new Map([
  ['.', '\u2024'],
  ['[', '\u27e6'],
  [']', '\u27e7'],
]);

/**
 * In box plots and error bars, Vega-Lite reads the name of a field that it creates for a unit of time, such as
 * `yearmonth_orders.created_at`, as a path. Replaces it by a name that means the same in each of its notations.
 */
function renameTimeUnits(vega: Fields): Fields {
  const created = objectsIn(vega).flatMap(({ type, as }) => (type === 'timeunit' ? asList(as).slice(0, 1) : []));
  const names = [...new Set(created)].filter((name) => typeof name === 'string' && /[.[\]]/.test(name)) as string[];
  const escaped = (name: string): string => name.replace(/[.[\]]/g, '\\$&');
  const notations = names.flatMap((name) => {
    const path = name.replace(/[.[\]]+/g, '.').replace(/\.$/, '');
    const own = name.replace(/[.[\]]/g, (character) => inReferences.get(character)!);
    const forms = path.includes('.') ? [escaped(name), escaped(path), name, path] : [escaped(name), name];
    return forms.map((form) => [form, own] as const);
  });
  const renamed = (member: unknown): unknown =>
    typeof member === 'string'
      ? notations.reduce((text, [form, own]) => text.replaceAll(form, own), member)
      : Array.isArray(member)
        ? member.map(renamed)
        : member;
  return notations.length === 0 ? vega : (rewrite(vega, (_, member) => renamed(member)) as Fields);
}

const literal = (name: unknown): unknown =>
  Array.isArray(name) ? name.map(literal) : typeof name === 'string' ? name.replace(/\\(.)/gs, '$1') : name;

/** Years, months and ids as numbers are labeled with whole ones, without separators, and their axes need no zero. */
function labelNames(spec: Fields, { columns, rows }: ResultTable): Fields {
  const names = new Set(
    typeColumns(columns, rows).flatMap(({ name, kind }, index) =>
      kind === 'number' && namesThings(name, rows, index) ? [name] : [],
    ),
  );
  if (names.size === 0) return spec;
  const labeled = (channel: string, definition: unknown, mark: string): unknown => {
    const { type, field, aggregate, bin, timeUnit, scale } = fieldsOf(definition);
    const isPlain = [aggregate, bin, timeUnit].every((one) => one === undefined);
    const guide = /^[xy]$/.test(channel) ? 'axis' : /^(?:color|fill|stroke|size)$/.test(channel) ? 'legend' : undefined;
    const isName = type === 'quantitative' && isPlain && typeof field === 'string' && names.has(plainName(field));
    if (!isFields(definition) || !isName || !guide) return definition;
    // Bars and areas start at zero.
    const hasBase = guide === 'legend' || (channel === 'y' && /^(?:bar|area|)$/.test(mark)) || scale === null;
    return {
      ...definition,
      ...(definition[guide] === null
        ? {}
        : { [guide]: { format: 'd', tickMinStep: 1, ...fieldsOf(definition[guide]) } }),
      ...(hasBase ? {} : { scale: { zero: false, ...fieldsOf(scale) } }),
    };
  };
  return rewrite(spec, (key, member, { mark }) => {
    if (key !== 'encoding' || !isFields(member)) return member;
    const type = isFields(mark) ? mark.type : mark;
    return Object.fromEntries(
      Object.entries(member).map(([channel, each]) => [channel, labeled(channel, each, String(type ?? ''))]),
    );
  }) as Fields;
}

/** Title of an axis, legend or tooltip for a field without one in the specification; escaped like other titles. */
function fieldTitle({ field, aggregate }: { field?: unknown; aggregate?: unknown }): string {
  const name = typeof field === 'string' ? memberOf(plainName(field)) : '';
  if (aggregate === 'count') return t('Count');
  if (typeof aggregate !== 'string') return name;
  return t('{0} of {1}', aggregate.charAt(0).toUpperCase() + aggregate.slice(1), name);
}

/** @throws ChartProblem if the specification is invalid, or the guard rejects the compiled one */
export function compileChart(spec: Fields, config: Config, rows: readonly ChartRow[], table: ResultTable): Fields {
  try {
    const options = { config, fieldTitle, logger: loggerOf(() => undefined) };
    const vega = compile(escapeTitles(labelNames(spec, table)) as TopLevelSpec, options).spec as unknown as Fields;
    const compiled = renameTimeUnits(unescapeCreated(vega));
    for (const source of fieldsIn(compiled.data)) if (source.name === tableName) source.values = rows;
    dropBelowLogarithms(compiled);
    shortenMonths(compiled);
    labelNulls(compiled);
    unescapeTitles(compiled);
    prepareTooltips(compiled, exactNumbers(table));
    checkChart(compiled);
    return compiled;
  } catch (error) {
    throw problemOf(error);
  }
}

/** Drops values that a logarithmic scale can't show: a single one would make the domain invalid. */
function dropBelowLogarithms({ scales, data }: Fields): void {
  for (const { type, domain } of fieldsIn(scales)) {
    if (type !== 'log' || !isFields(domain)) continue;
    for (const one of asList(domain.fields ?? domain.field)) {
      const [name, field] = isFields(one) ? [one.data, one.field] : [domain.data, one];
      const source = fieldsIn(data).find((each) => each.name === name);
      if (!source || typeof field !== 'string') continue;
      const positive = { type: 'filter', expr: `datum[${JSON.stringify(memberOf(plainName(field)))}] > 0` };
      source.transform = [...fieldsIn(source.transform), positive];
    }
  }
}

/** Displayed titles are unescaped, unlike those in expressions. */
function unescapeTitles(scope: Fields): void {
  for (const part of [scope, ...fieldsIn(scope.axes), ...fieldsIn(scope.legends)]) {
    const { title } = part;
    if (typeof title === 'string') part.title = readable(title);
    else if (isFields(title) && typeof title.text === 'string') title.text = readable(title.text);
  }
  for (const mark of fieldsIn(scope.marks)) unescapeTitles(mark);
}

/** Full month names overlap in a narrow chart. */
function shortenMonths({ width, axes, scales }: Fields): void {
  if (typeof width !== 'number' || !isNarrow(width)) return;
  const times = fieldsIn(scales).filter(({ type }) => type === 'time' || type === 'utc');
  for (const axis of fieldsIn(axes)) if (times.some(({ name }) => name === axis.scale)) axis.format ??= { month: '%b' };
}

/** A format would show null as zero or as a date in 1970, and zero with decimal places or a prefix such as `$0.00000`. */
function labelNulls({ axes, legends, marks }: Fields): void {
  for (const guide of [...fieldsIn(axes), ...fieldsIn(legends)]) {
    const labels = fieldsOf(fieldsOf(guide.encode).labels);
    const update = fieldsOf(labels.update);
    if (guide.format === undefined || update.text !== undefined) continue;
    const zero = zeroFormat(guide.format);
    const label = zero === undefined ? 'datum.label' : `datum.value === 0 ? format(0, '${zero}') : datum.label`;
    const text = { signal: `isValid(datum.value) ? ${label} : 'null'` };
    guide.encode = { ...fieldsOf(guide.encode), labels: { ...labels, update: { ...update, text } } };
  }
  for (const mark of fieldsIn(marks)) labelNulls(mark);
}

/**
 * Computes tooltips when the pointer enters a mark, not for every mark each time that it is drawn; but those of lines at
 * once, because Vega finds only the first point of a line. Their numbers are exact.
 */
function prepareTooltips({ marks }: Fields, exact: (expression: string) => string): void {
  for (const mark of fieldsIn(marks)) {
    prepareTooltips(mark, exact);
    const { encode, type } = mark;
    if (!isFields(encode) || !isFields(encode.update) || !isFields(encode.update.tooltip)) continue;
    const { tooltip: shown, ...update } = encode.update;
    const tooltip = rewrite(shown, (key, member) =>
      key === 'signal' && typeof member === 'string' ? exact(member) : member,
    );
    const isLine = /^(line|area|trail)$/.test(String(type));
    mark.encode = isLine ? { ...encode, update: { ...update, tooltip } } : { ...encode, update, hover: { tooltip } };
  }
}
