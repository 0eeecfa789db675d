import { t } from '../text/l10n.ts';
import { cleanSpec } from './clean.ts';
import { fieldsIn, isFields, without, type Fields } from './json.ts';
import { ChartProblem, limits, tooLarge } from './limits.ts';
import { viewCount } from './units.ts';

const compositions = ['mark', 'layer', 'concat', 'hconcat', 'vconcat', 'facet', 'repeat', 'spec'];

const invalid = (message: string): ChartProblem => new ChartProblem('invalid', message);

/**
 * Reads an untrusted specification. Loads, links and listeners are left out, and notices tell the user.
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
  const { spec, notices } = cleanSpec(parsed);
  const views = viewCount(spec);
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

/** Parts of a specification's `config` that shape a chart without taking it out of the theme. */
const honored = new Set(
  (
    'arc area bar boxplot circle concat countTitle errorband errorbar facet fieldTitle geoshape image invalidValues ' +
    'legend line locale mark numberFormat normalizedNumberFormat point projection range rect rule scale selection ' +
    'square style text tick timeFormat title trail view'
  ).split(' '),
);

/** The theme sets the colors of axes, legends and titles; the author those of marks. */
const furniture = /^(axis|legend|header|title|view)/;
const color = /(color|fill|stroke|background|font)$/i;

/**
 * @returns the part of `config` to keep: sizes, formats, mark styles and ranges, but not background, fonts and text
 * colors, which may be unreadable in some themes, and no event settings
 */
function boundConfig(config: unknown): Fields {
  if (!isFields(config)) return {};
  const kept = Object.entries(config).filter(([key]) => honored.has(key) || /^(axis|header)/.test(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, furniture.test(key) ? withoutColors(value) : value]));
}

function withoutColors(value: unknown): unknown {
  if (!isFields(value)) return value;
  // A null stroke removes the frame, which is not a color.
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => !color.test(key) || member === null));
}
