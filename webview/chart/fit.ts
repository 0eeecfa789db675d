/** Fits a composition into a width. Vega fits only a single plot; the plots of a composition have sizes of their own. */
import type { View } from 'vega';
import { fieldsIn } from '../../src/shared/chart/json.ts';
import type { Fields } from '../../src/shared/text/checks.ts';

/** Minimum width of a plot, in pixels. */
const least = 40;
/** How much narrower than the container the picture may be, in pixels. */
const tolerance = 4;
const mostPasses = 4;

/** The width of a whole picture, with its axes and legends. */
function pictureWidth(view: View): number {
  const { root } = view.scenegraph() as unknown as { root: { bounds: { x1: number; x2: number } } };
  const { left, right } = (view as unknown as { padding(): { left: number; right: number } }).padding();
  return root.bounds.x2 - root.bounds.x1 + left + right;
}

/**
 * Scales all plots of an evaluated view by the same factor, so that the picture has a width in pixels. What is beside the
 * plots, such as labels and legends, hardly depends on their width, so few measurements give the factor.
 */
export async function fitWidth(view: View, { signals, width: own }: Fields, width: number): Promise<void> {
  const plots = [...fieldsIn(signals), { name: 'width', value: own }].flatMap(({ name, value }) =>
    typeof value === 'number' && /width$/i.test(String(name)) ? [{ name: String(name), value }] : [],
  );
  if (plots.length === 0) return;
  let [factor, drawn, growth] = [1, pictureWidth(view), 0];
  for (let pass = 0; pass < mostPasses && (drawn > width || drawn < width - tolerance); pass += 1) {
    const next = growth > 0 ? factor + (width - 1 - drawn) / growth : (factor * width) / drawn;
    for (const { name, value } of plots) view.signal(name, Math.max(least, Math.floor(value * next)));
    await view.resize().runAsync();
    const before = drawn;
    drawn = pictureWidth(view);
    growth = (drawn - before) / (next - factor);
    factor = next;
  }
}
