import { t } from '../text/l10n.ts';
import { cleanSpec, type Omissions } from './clean.ts';
import { boundConfig } from './config.ts';
import { fieldsIn, isFields, without, type Fields } from './json.ts';
import { limits, tooMuch } from './limits.ts';
import { ChartProblem } from './problem.ts';
import { viewCount } from './units.ts';

const compositions = ['mark', 'layer', 'concat', 'hconcat', 'vconcat', 'facet', 'repeat', 'spec'];

export interface ReadSpec {
  spec: Fields;
  /** What was left out, in sentences for the user. */
  notices: readonly string[];
}

/**
 * Reads a Vega-Lite specification that came from outside.
 * @param text JSON text
 * @returns the specification, bounded and without anything that would load, link or listen
 * @throws ChartProblem when it is no Vega-Lite specification, or one that is never drawn
 */
export function readSpec(text: string): ReadSpec {
  if (text.length > limits.specLength) {
    throw new ChartProblem('tooLarge', t('The chart’s specification is too large.'));
  }
  const parsed = parseJson(text);
  if (!isFields(parsed)) throw new ChartProblem('invalid', t('The chart’s specification is not a JSON object.'));
  if (typeof parsed.$schema === 'string' && !/vega-lite/i.test(parsed.$schema)) {
    throw new ChartProblem('invalid', t('The chart’s specification is not Vega-Lite.'));
  }
  if (!compositions.some((key) => Object.hasOwn(parsed, key))) {
    throw new ChartProblem('invalid', t('The chart’s specification has no mark.'));
  }
  const { spec, omissions } = cleanSpec(parsed);
  const views = viewCount(spec);
  if (views > limits.views)
    throw tooMuch(t('The chart has {0} views; the limit is {1}.', views.toLocaleString(), limits.views));
  const params = paramsOf(spec);
  return {
    spec: {
      ...without(spec, '$schema', 'background', 'params'),
      ...(params.length > 0 ? { params } : {}),
      config: boundConfig(spec.config),
    },
    notices: noticesOf(omissions),
  };
}

/** Parameters of the configuration are the chart's own, unless it has its own of the same name. */
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
    throw new ChartProblem('invalid', t('The chart’s specification is not valid JSON: {0}', detail));
  }
}

function noticesOf({ images, links, inputs, address }: Omissions): string[] {
  return [
    ...(address ? [t('The chart refers to data at a URL. The rows of the result are shown instead.')] : []),
    ...(images ? [t('Images in charts aren’t loaded.')] : []),
    ...(links ? [t('Links in charts are disabled.')] : []),
    ...(inputs ? [t('Input controls in charts aren’t shown. Their initial values are used.')] : []),
  ];
}
