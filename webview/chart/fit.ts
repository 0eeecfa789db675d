/** Measures a drawn chart, to draw it again if it does not fit. */
import type { View } from 'vega';

/** What a drawing has measured, for the next one. */
export interface Fit {
  /** Degrees of the labels of discrete x axes. */
  angle: 0 | -40 | -90;
  /** Whether legends are below the chart. */
  isBelow: boolean;
  /** Factors of the height of rows, and of the widths of the plots of a composition. */
  rows: number;
  plots: number;
  /** The drawing of a composition before this one, and its width in pixels. */
  before?: { plots: number; drawn: number };
}

/** Minimum pixels between upright labels, from the start of a slanted one to that of the next, and between plots. */
const [upright, slanted] = [4, 16];
export const gap = 20;
/** Pixels between two columns of a legend. */
const columnGap = 10;
/** The parameter of a chart for the entries of a legend side by side. */
export const legendColumns = { name: 'fit_legend_columns', value: 1 };
/** Padding at the left and right of a chart in pixels, in sum. */
export const sides = 14;
/** The shortest and tallest plot, in pixels. */
export const limitsOfHeight = [90, 600] as const;

/**
 * @returns the fit of a chart of a width in pixels that has not been drawn yet; the first plots of a composition are wide,
 * because labels that are slanted stay so
 */
export const unmeasured = (width: number): Fit => ({
  angle: 0,
  isBelow: width < 440,
  rows: 1,
  plots: width / 200,
});

/** A part of Vega's scene graph: a mark or one of its items. Bounds are relative to the group around it. */
interface Scene {
  role?: string;
  orient?: string;
  opacity?: number;
  x: number;
  bounds: { x1: number; x2: number; y1: number; y2: number };
  items?: Scene[];
}

const rootOf = (view: View): Scene => (view.scenegraph() as unknown as { root: Scene }).root;

/** @returns the width of the picture in pixels, with axes and legends */
export function pictureWidth(view: View): number {
  const { x1, x2 } = rootOf(view).bounds;
  return x2 - x1 + sides;
}

/** @returns the height of the whole picture */
export function pictureHeight(view: View): number {
  const { y1, y2 } = rootOf(view).bounds;
  return y2 - y1 + sides;
}

/** @returns the items of all marks with a role */
const within = (scene: Scene, role: string): Scene[] =>
  (scene.items ?? []).flatMap((one) => (one.role === role ? (one.items ?? []) : within(one, role)));
const isHorizontal = ({ orient }: Scene): boolean => orient === 'bottom' || orient === 'top';

/** Puts as many entries of a legend below a chart side by side as fit; a parameter costs less than drawing it again. */
export async function fitLegends(view: View, width: number): Promise<void> {
  const below = within(rootOf(view), 'legend').filter(isHorizontal);
  const ends = below.flatMap((legend) => within(legend, 'legend-label')).map(({ bounds }) => bounds.x2);
  const columns = Math.floor((width - columnGap / 2) / (Math.max(...ends) + columnGap));
  if (columns > 1) await view.signal(legendColumns.name, columns).resize().runAsync();
}

/**
 * @param of the width of the chart in pixels, and whether it is a single plot
 * @returns what makes a drawn chart fit better; undefined if it fits
 */
export function improved(fit: Fit, view: View, of: Readonly<{ width: number; isSingle: boolean }>): Fit | undefined {
  const root = rootOf(view);
  const axes = within(root, 'axis').filter(isHorizontal);
  const legends = within(root, 'legend');
  const better: Fit = {
    ...fit,
    angle: Math.min(fit.angle, ...axes.map((axis) => angleOf(within(axis, 'axis-label')))) as Fit['angle'],
  };
  if (of.isSingle) {
    const [shortest, tallest] = limitsOfHeight;
    const height = view.height();
    const bottom = Math.max(height, ...axes.map(({ bounds }) => bounds.y2));
    if (height < shortest - 1) better.rows *= shortest / height;
    if (height > tallest + 1) better.rows *= tallest / height;
    better.isBelow ||= legends.some(({ bounds }) => bounds.y2 > bottom);
  } else {
    const drawn = pictureWidth(view);
    // What is beside the plots hardly depends on their width.
    const growth = fit.before ? (drawn - fit.before.drawn) / (fit.plots - fit.before.plots) : drawn / fit.plots;
    if (drawn > of.width || drawn < of.width * 0.95) {
      better.plots = fit.plots + (of.width * 0.98 - drawn) / Math.max(growth, 1);
      better.before = { plots: fit.plots, drawn };
    }
  }
  const isFitting = (['angle', 'isBelow', 'rows', 'plots'] as const).every((key) => better[key] === fit[key]);
  return isFitting ? undefined : better;
}

/** The angle at which no label overlaps the next one; Vega omits labels of times, and upright ones, that are too close. */
function angleOf(labels: readonly Scene[]): Fit['angle'] {
  const shown = labels.filter(({ opacity }) => opacity !== 0);
  if (shown.length === 1 && labels.length > 1) return -40;
  const sorted = shown.toSorted((one, next) => one.x - next.x);
  const pairs = sorted.slice(1).map((next, at) => [sorted[at]!, next] as const);
  if (pairs.every(([one, next]) => next.bounds.x1 - one.bounds.x2 >= upright)) return 0;
  return pairs.every(([one, next]) => next.x - one.x >= slanted) ? -40 : -90;
}
