import { t } from '../text/l10n.ts';
import { cleanSpec } from './clean.ts';
import { boundConfig } from './config.ts';
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
