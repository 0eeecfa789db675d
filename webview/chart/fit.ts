/** Fits an evaluated chart by what Vega has measured: its labels, titles and legends, and the width of a composition. */
import type { View } from 'vega';
import { fieldsIn } from '../../src/shared/chart/json.ts';
import type { Fields } from '../../src/shared/text/checks.ts';

/** Parameters of a chart that are chosen here, with the values that it is first evaluated with. */
export const fitted = { fit_x_angle: 0, fit_x_title: 600, fit_legend_columns: 1 };

/** Limits of the height of a plot, in pixels. */
export const [shortest, tallest] = [90, 600];
/** Minimum width of a plot, in pixels. */
const narrowest = 40;
/** How much narrower than the container the picture of a composition may be, in pixels. */
const tolerance = 4;
const mostPasses = 4;
/** Minimum pixels between upright labels, and from the start of a slanted one to that of the next. */
const gap = 4;
const slantedFrom = 16;
/** Pixels between two columns of a legend, and beside all of them. */
const columnGap = 10;
const besideLegend = 16;

/** A part of Vega's scene graph: a mark or one of its items. Positions and bounds are relative to the group around it. */
interface Scene {
  role?: string;
  orient?: string;
  opacity?: number;
  x?: number;
  y?: number;
  width?: number;
  bounds: { x1: number; x2: number; y2: number };
  items?: Scene[];
  mark?: { group?: Scene };
}

const rootOf = (view: View): Scene => (view.scenegraph() as unknown as { root: Scene }).root;
/** The items of all marks with a role. */
const within = (scene: Scene, role: string): Scene[] =>
  (scene.items ?? []).flatMap((one) => (one.role === role ? (one.items ?? []) : within(one, role)));
const isHorizontal = ({ orient }: Scene): boolean => orient === 'bottom' || orient === 'top';
const widthOf = ({ bounds }: Scene): number => bounds.x2 - bounds.x1;

/** The padding of a view, which Vega's types leave out. */
interface Padded {
  padding(): Record<'left' | 'right' | 'bottom', number>;
  padding(sides: object): unknown;
}
const padded = (view: View): Padded => view as unknown as Padded;

/** The width of a whole picture, with its axes and legends. */
const pictureWidth = (view: View): number =>
  widthOf(rootOf(view)) + padded(view).padding().left + padded(view).padding().right;

/** @returns whether a value has changed */
function set(view: View, values: Readonly<Record<string, number>>): boolean {
  const changed = Object.entries(values).filter(([name, value]) => view.signal(name) !== value);
  for (const [name, value] of changed) view.signal(name, value);
  return changed.length > 0;
}

/**
 * Fits an evaluated chart into a width in pixels.
 * @param composition the compiled specification of a composition, whose plots are scaled; Vega fits a single plot
 */
export async function fit(view: View, width: number, composition: Fields | undefined): Promise<void> {
  const root = rootOf(view);
  /** Vega fits a plot by the labels before, which its new size can change. */
  const evaluate = async (): Promise<void> => {
    let before: number | undefined;
    for (let pass = 0; pass < mostPasses && before !== root.bounds.y2; pass += 1) {
      before = root.bounds.y2;
      await view.resize().runAsync();
    }
    if (composition) await scale(view, composition, width);
  };
  const rows = composition ? {} : rowHeight(view);
  if (set(view, { ...rows, fit_legend_columns: columnsOf(root, width) }) || composition) await evaluate();
  if (set(view, labels(root)) || pictureWidth(view) > width) await evaluate();
  // Vega reserves no height for legends beside a plot.
  const bottom = Math.max(view.height(), ...within(root, 'axis').map(({ bounds }) => bounds.y2));
  const beside = within(root, 'legend').filter((legend) => !isHorizontal(legend));
  const overflow = Math.max(0, ...beside.map(({ bounds }) => bounds.y2 - bottom));
  const { bottom: below, ...sides } = padded(view).padding();
  if (overflow > 0 && !composition) {
    padded(view).padding({ ...sides, bottom: below + overflow });
    await evaluate();
  }
}

/** Changes the width of an evaluated single plot, in pixels. */
export async function resize(view: View, width: number): Promise<void> {
  set(view, fitted);
  await view.width(width).runAsync();
  await fit(view, width, undefined);
}

/** @returns as many entries of a legend side by side as fit */
function columnsOf(root: Scene, width: number): number {
  const below = within(root, 'legend').filter(isHorizontal);
  const ends = below.flatMap((legend) => within(legend, 'legend-label')).map(({ bounds }) => bounds.x2);
  return Math.max(1, Math.floor((width - besideLegend + columnGap) / (Math.max(...ends) + columnGap)));
}

/** @returns the height of each row of a single plot, so that the plot has a sensible height */
function rowHeight(view: View): Record<string, number> {
  const { signals } = view.getState({ signals: (name) => name === 'y_step', data: () => false });
  const { y_step: step } = signals as Record<string, number>;
  const height = view.height();
  return step === undefined ? {} : { y_step: (step * Math.max(shortest, Math.min(height, tallest))) / height };
}

/** The angle of labels on x axes at which none overlaps the next one, and the maximum length of titles. */
function labels(root: Scene): Record<string, number> {
  const axes = within(root, 'axis').filter(isHorizontal);
  const plot = Math.min(...axes.map(({ mark }) => mark?.group?.width ?? Infinity));
  const titles = axes.flatMap((axis) => within(axis, 'axis-title'));
  return {
    fit_x_angle: angleOf(axes.flatMap((axis) => within(axis, 'axis-label'))),
    ...(titles.some((title) => widthOf(title) > plot - 20) ? { fit_x_title: Math.max(60, plot) } : {}),
  };
}

/** Vega omits some of the labels if the upright ones are still too close. */
function angleOf(all: readonly Scene[]): number {
  const placed = all
    .filter(({ opacity }) => opacity !== 0)
    .map((label) => ({ ...originOf(label), at: label.x ?? 0, ...label.bounds }));
  const rows = [...Map.groupBy(placed, ({ y }) => Math.round(y)).values()];
  const pairs = rows.flatMap((row) => {
    const sorted = row.sort((one, next) => one.x + one.at - next.x - next.at);
    return sorted.slice(1).map((next, index) => [sorted[index]!, next] as const);
  });
  if (pairs.every(([one, next]) => next.x + next.x1 - one.x - one.x2 >= gap)) return 0;
  return pairs.every(([one, next]) => next.x + next.at - one.x - one.at >= slantedFrom) ? -40 : -90;
}

/** @returns the top left of the group around an item, in the whole picture */
function originOf({ mark }: Scene): { x: number; y: number } {
  if (!mark?.group) return { x: 0, y: 0 };
  const { x, y } = originOf(mark.group);
  return { x: x + (mark.group.x ?? 0), y: y + (mark.group.y ?? 0) };
}

/**
 * Scales all plots by the same factor, so that the picture has a width in pixels. What is beside the plots, such as labels
 * and legends, hardly depends on their width, so few measurements give the factor.
 */
async function scale(view: View, { signals, width: own }: Fields, width: number): Promise<void> {
  const plots = [...fieldsIn(signals), { name: 'width', value: own }].flatMap(({ name, value }) =>
    typeof value === 'number' && /width$/i.test(String(name))
      ? [{ name: String(name), now: Number(view.signal(String(name))) }]
      : [],
  );
  let [factor, drawn, growth] = [1, pictureWidth(view), 0];
  /** The last factor at which the picture was not too wide: axes omit other labels at each width. */
  let fitting: number | undefined;
  const apply = async (next: number): Promise<void> => {
    set(view, Object.fromEntries(plots.map(({ name, now }) => [name, Math.max(narrowest, Math.floor(now * next))])));
    await view.resize().runAsync();
  };
  for (let pass = 0; pass < mostPasses && (drawn > width || drawn < width - tolerance); pass += 1) {
    if (drawn <= width) fitting = factor;
    const next = growth > 0 ? factor + (width - 1 - drawn) / growth : (factor * width) / drawn;
    await apply(next);
    const before = drawn;
    drawn = pictureWidth(view);
    growth = (drawn - before) / (next - factor);
    factor = next;
  }
  if (drawn > width && fitting !== undefined) await apply(fitting);
}
