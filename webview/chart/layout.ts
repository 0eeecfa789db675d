/** Sizes of charts. Vega fits a single plot; the rest depends on what a first drawing has measured (`fit.ts`). */
import { fieldsOf, isFields, type Fields } from '../../src/shared/text/checks.ts';
import { fieldsIn, rewrite, without } from '../../src/shared/chart/json.ts';
import { encodingOf, isDiscrete, unitsOf } from '../../src/shared/chart/units.ts';
import { gap, legendColumns, limitsOfHeight, sides, type Fit } from './fit.ts';

/** Pixels of the symbol of a legend with its margin. */
const symbol = 30;
/** Minimum width in pixels of views that wrap, and of those that the specification has side by side. */
const [leastWrapped, leastBeside] = [150, 120];

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/** @param width of the chart in pixels */
export const isNarrow = (width: number): boolean => width < 340;

/** @returns how many wrapped views are side by side at most, in a width in pixels */
const columnsIn = (width: number): number => Math.max(1, Math.floor(width / leastWrapped));

/** @returns whether a chart is a single plot, without facets */
export function isSingle(spec: Fields): boolean {
  const { row, column, facet } = encodingOf(spec);
  return (spec.mark !== undefined || spec.layer !== undefined) && ![row, column, facet].some(isFields);
}

/** @returns the specification with sizes for a width in pixels, and the part of Vega-Lite's configuration */
export function layOut(given: Fields, width: number, fit: Fit): { spec: Fields; config: Fields } {
  const params = [...fieldsIn(given.params), legendColumns];
  const spec = { ...(fit.isBelow ? withLegendsBelow(given) : given), params };
  const { angle, isBelow } = fit;
  const vertical = { frame: 'bounds', direction: 'vertical' };
  const config = {
    axis: { labelLimit: isNarrow(width) ? 90 : 140 },
    axisX: { titleLimit: width - 100 },
    axisXTemporal: { labelAngle: angle },
    axisXDiscrete: { labelAngle: angle, labelOverlap: angle === -90, labelLimit: isNarrow(width) ? 80 : 110 },
    title: { limit: width - sides },
    legend: {
      columns: { expr: legendColumns.name },
      labelLimit: (isBelow ? width : Math.max(80, width * 0.35)) - symbol,
      // Below the chart, legends start at its left edge instead of that of the plot, and each has the whole width.
      layout: { bottom: vertical, top: vertical },
      ...(isBelow ? { orient: 'bottom', gradientLength: 150 } : {}),
    },
  };
  if (!isSingle(spec)) return { spec: scaled(spec, width, fit.plots), config: { ...config, ...partSizes(width, fit) } };
  const height = heightOf(spec, width, fit.rows);
  const axisY = typeof height === 'number' ? { titleLimit: height } : {};
  const autosize = { type: 'fit-x', contains: 'padding' };
  return { spec: { ...spec, width, height, autosize }, config: { ...config, axisY } };
}

/** @returns the specification without legends beside a chart that has no room for them */
const withLegendsBelow = (spec: Fields): Fields =>
  rewrite(spec, (key, member) =>
    key === 'legend' && isFields(member) && /^(left|right|none)$/.test(String(member.orient))
      ? without(member, 'orient', 'legendX', 'legendY')
      : member,
  ) as Fields;

/** Height of a single plot in pixels, or of each of its rows. */
function heightOf(spec: Fields, width: number, rows: number): number | { step: number } {
  const { height } = spec;
  if (typeof height === 'number') return between(height, ...limitsOfHeight);
  const units = unitsOf(spec);
  const { step } = fieldsOf(height);
  if (units.some(({ encoding }) => isDiscrete(encoding.y)))
    return { step: rows * (typeof step === 'number' ? between(step, 8, 60) : 22) };
  const isRound = units.some(({ mark }) => mark === 'arc');
  return Math.round(isRound ? between(width * 0.8, 180, 310) : between(width * 0.56 - 48, 140, 270));
}

/** The sizes of plots of a composition without sizes of their own, as Vega-Lite's configuration. */
function partSizes(width: number, { plots, angle }: Fit): Fields {
  const plot = Math.max(40, 200 * plots);
  const columns = columnsIn(width);
  const labelBound = gap / 2 - 4;
  return {
    // Labels may not reach into the next plot.
    axisX: { titleLimit: plot, labelFlush: true },
    axisXQuantitative: { labelBound },
    axisXTemporal: { labelAngle: angle, labelBound },
    view: { continuousWidth: plot, discreteWidth: plot, continuousHeight: between(plot * 1.2, 90, 220) },
    facet: { columns },
    concat: { columns },
  };
}

/** Scales the plots of a composition that have a width, and wraps views that would be too narrow. */
function scaled(spec: Fields, width: number, plots: number): Fields {
  const wrap = (view: unknown): unknown =>
    isFields(view) && fieldsIn(view.hconcat).length > width / leastBeside
      ? { ...without(view, 'hconcat'), concat: view.hconcat }
      : view;
  const { root } = rewrite({ root: without(spec, 'autosize') }, (key, member, parent) => {
    const isPlot = 'mark' in parent || 'layer' in parent;
    if (isPlot && key === 'width') return typeof member === 'number' ? Math.max(40, member * plots) : undefined;
    if (isPlot && key === 'height' && member === 'container') return undefined;
    if (key === 'columns' && typeof member === 'number')
      return member > 0 ? Math.min(member, columnsIn(width)) : undefined;
    return Array.isArray(member) ? member.map(wrap) : wrap(member);
  }) as { root: Fields };
  return root;
}
