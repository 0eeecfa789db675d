/** Reads a specification from the service, which is untrusted. */
import { t } from '../text/l10n.ts';
import { isFields, type Fields } from '../text/checks.ts';
import { fieldsIn, without } from './json.ts';
import { atMost, ChartProblem, limits, refuse, tooLarge } from './limits.ts';
import { viewCount } from './units.ts';

const compositions = ['mark', 'layer', 'concat', 'hconcat', 'vconcat', 'facet', 'repeat', 'spec'];

const invalid = (message: string): ChartProblem => new ChartProblem('invalid', message);

/**
 * Reads an untrusted specification. Removes whatever loads data, opens links or listens to events, with a notice for
 * the user.
 * @throws ChartProblem if it is not a Vega-Lite specification, or is not allowed
 */
export function readSpec(text: string): { spec: Fields; notices: readonly string[] } {
  if (text.length > limits.specLength) throw tooLarge(t('The chart’s specification is too large.'));
  const parsed = parseJson(text);
  if (!isFields(parsed)) throw invalid(t('The chart’s specification is not a JSON object.'));
  if (typeof parsed.$schema === 'string' && !/vega-lite/i.test(parsed.$schema))
    throw invalid(t('The chart’s specification is not Vega-Lite.'));
  if (!compositions.some((key) => Object.hasOwn(parsed, key)))
    throw invalid(t('The chart’s specification has no mark.'));
  const { spec, notices, selections } = cleanSpec(parsed);
  const views = viewCount(spec);
  atMost(selections * views, limits.selections, 'params');
  if (views > limits.views)
    throw tooLarge(t('The chart has {0} views; the limit is {1}.', views.toLocaleString(), limits.views));
  const params = paramsOf(spec);
  return {
    spec: {
      ...without(spec, '$schema', 'background', 'params'),
      ...(params.length > 0 ? { params } : {}),
      config: boundConfig(spec.config),
    },
    notices: [...notices],
  };
}

/** Parameters of the configuration become those of the chart, unless it has a parameter of the same name. */
function paramsOf({ params, config }: Fields): Fields[] {
  const own = fieldsIn(params);
  const names = new Set(own.map(({ name }) => name));
  const configured = isFields(config) ? fieldsIn(config.params).filter(({ name }) => !names.has(name)) : [];
  return [...configured, ...own];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    throw invalid(t('The chart’s specification is not valid JSON: {0}', detail));
  }
}

/** The parts of `config` that are kept, because they don't conflict with the theme. */
const honored = new Set(
  (
    'arc area bar boxplot circle concat countTitle errorband errorbar facet fieldTitle geoshape image invalidValues ' +
    'legend line locale mark numberFormat normalizedNumberFormat point projection range rect rule scale selection ' +
    'square style text tick timeFormat title trail view'
  ).split(' '),
);

/** Parts of a chart whose colors the theme sets; the author sets those of marks. */
const themedParts = /^(axis|legend|header|title|view)/;
const color = /(color|fill|stroke|background|font)$/i;

/**
 * @returns the part of `config` to keep: sizes, formats, mark styles and ranges, but not background, fonts and text
 * colors, which may be unreadable in some themes, and no event settings
 */
function boundConfig(config: unknown): Fields {
  if (!isFields(config)) return {};
  const kept = Object.entries(config).filter(([key]) => honored.has(key) || /^(axis|header)/.test(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, themedParts.test(key) ? withoutColors(value) : value]));
}

function withoutColors(value: unknown): unknown {
  if (!isFields(value)) return value;
  // A null stroke is kept: it is not a color, but removes the frame.
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => !color.test(key) || member === null));
}

/** Matches paint servers, cursors and filters that refer to a URL. */
const addressed = /url\s*\(/i;
/** Properties that are sizes, with their maximum in pixels. */
const sizes: readonly [RegExp, number][] = [
  [/(width|height|length)$/i, 10_000],
  [/(padding|spacing|offset|tickSize)$/i, 5_000],
];
/** Properties that determine a number of elements, with their maximum, and with their minimum. */
const most: Readonly<Record<string, number>> = {
  tickCount: 1_000,
  count: 1_000,
  symbolLimit: 1_000,
  columns: 1_000,
  nice: 1_000,
  base: 100,
  scale: 100_000,
};
const least: Readonly<Record<string, number>> = { base: 1.01, precision: 0.1, grouping: 1 };
/** Maximum length of a format, and of a text in a locale. */
const longestFormat = 100;
const longestLocaleText = 40;
/** Date formats of a locale contain each other: with many in one, a short format would be a huge text. */
const innerFormats = /%[-_0]?[cxX]/g;
const mostInnerFormats = 2;

/**
 * Copies a specification without links, images, input widgets and `usermeta`. The copy contains only plain own
 * properties, so that no property name can reach a prototype.
 * @returns the copy, the number of its selections, and notices for the user about what was left out
 * @throws ChartProblem if it is too deep or too large, or loads data for a part of the chart
 */
function cleanSpec(spec: Fields): { spec: Fields; selections: number; notices: ReadonlySet<string> } {
  const notices = new Set<string>();
  let nodes = 0;
  let transforms = 0;
  let selections = 0;

  function copy(value: unknown, path: readonly string[]): unknown {
    const name = path.at(-1) ?? '';
    checkDepth(path.length);
    if (typeof value === 'string') checkText(value, name, path);
    if (typeof value === 'number') checkNumber(value, name, path);
    if (Array.isArray(value)) return value.map((entry) => copy(entry, [...path, name]));
    if (!isFields(value)) return value;
    if ((name in most || name in least) && ('expr' in value || 'signal' in value)) refuse(name);
    if (name === 'bins')
      atMost(Math.abs(Number(value.stop) - Number(value.start)) / Number(value.step ?? 1), 1_000, name);
    if (name === 'transform') atMost(++transforms, limits.transforms, name);
    if (name === 'params' && 'select' in value) selections += 1;
    const members = Object.entries(value);
    nodes += members.length;
    if (nodes > limits.nodes) throw tooLarge(t('The chart’s specification is too large.'));
    const kept = members.filter(([key, member]) => !isUnwanted(key, member, path));
    return Object.fromEntries(
      kept.map(([key, member]) => [key, isInlineData(key, name) ? checkRows(member) : copy(member, [...path, key])]),
    );
  }

  function isUnwanted(key: string, member: unknown, path: readonly string[]): boolean {
    const parent = path.at(-1);
    if (key === 'usermeta' || key === '__proto__') return true;
    // Vega-Lite passes these undocumented options on: signal handlers, and the area of a projection.
    if ((key === 'on' && parent === 'params') || (key === 'fit' && parent === 'projection')) return true;
    if (key === 'bind' && member !== 'scales' && member !== 'legend' && !(isFields(member) && 'legend' in member))
      return omit(t('Input controls in charts aren’t shown. Their initial values are used.'));
    if (key === 'href') return omit(t('Links in charts are disabled.'));
    if (key === 'url' && parent === 'data') {
      if (path.length === 1)
        return omit(t('The chart refers to data at a URL. The rows of the result are shown instead.'));
      throw new ChartProblem('refused', t('The chart would load data from a URL, which isn’t allowed.'));
    }
    // Fine lines take long; Vega's own are every ten degrees.
    if (key === 'graticule' && isFields(member)) refuse(key);
    if (key === 'cursor') return typeof member !== 'string' || addressed.test(member);
    // A calendar unit could mean millions of ticks; without it, Vega chooses readable ones.
    if (key === 'tickCount' && typeof member !== 'number') return true;
    // Digits in a format are a width, and numbers would be padded to it.
    if (/format$/i.test(key) && /\d{4}/.test(String(member))) refuse(key);
    // In a `datum`, a `value` or a `parse` object, `url` is the name of a column.
    if (key === 'url' && parent !== 'datum' && parent !== 'value' && !path.includes('parse'))
      return omit(t('Images in charts aren’t loaded.'));
    return typeof member === 'string' && addressed.test(member) && key !== 'text' && key !== 'title';
  }

  const omit = (notice: string): true => Boolean(notices.add(notice)) as true;
  const copied = copy(spec, []) as Fields;
  return { spec: copied, selections, notices };
}

/** Properties of a selection whose texts become event streams and expressions of handlers. */
const gestures = /^(on|clear|toggle|translate|zoom|legend)$/;
const selections = /^(select|selection|bind)$/;
/** What a handler may read of an event, and the other characters of event streams. */
const eventKeys = /\bevent\.((alt|ctrl|meta|shift)Key|key|buttons?)\b/g;
const streams = /^[\w\s:,>!&|{}[\]-]*$/;
/** A toggle is kept in a signal, which any expression may read, so it contains no other name. */
const toggles = /^(true|false|[\s!&|])*$/;

function checkText(text: string, name: string, path: readonly string[]): void {
  const selection = path.findIndex((key) => selections.test(key));
  const gesture = selection < 0 ? undefined : path.slice(selection).find((key) => gestures.test(key));
  const allowed = gesture === 'toggle' ? toggles : streams;
  if (gesture !== undefined && !allowed.test(text.replace(eventKeys, ''))) refuse(text);
  const isLocal = path.includes('locale');
  const isFormat = path.some((key) => /format$/i.test(key));
  atMost(text.length, isLocal ? longestLocaleText : isFormat ? longestFormat : limits.string, name);
  if (isLocal) atMost(text.match(innerFormats)?.length ?? 0, mostInnerFormats, name);
}

function checkDepth(depth: number): void {
  if (depth > limits.depth) throw tooLarge(t('The chart’s specification is nested too deeply.'));
}

/** @returns inline data, which is not copied */
function checkRows(data: unknown, depth = 0): unknown {
  checkDepth(depth);
  if (typeof data === 'object' && data !== null) for (const member of Object.values(data)) checkRows(member, depth + 1);
  return data;
}

const isInlineData = (key: string, parent: string): boolean =>
  (key === 'values' && parent === 'data') || parent === 'datasets';

function checkNumber(value: number, name: string, path: readonly string[]): void {
  const number = Math.abs(value);
  // Sizes can also be in an object, as in `padding: {left}`. A step is multiplied by the number of values.
  const size = sizes.find(([sized]) => sized.test(name) || sized.test(path.at(-2) ?? ''))?.[1] ?? Infinity;
  atMost(number, most[name] ?? (name === 'step' ? size / 20 : size), name);
  if (name in least) atMost((least[name] ?? 0) / number, 1, name);
}
