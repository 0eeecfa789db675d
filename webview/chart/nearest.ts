/** Finds the point of a line that is nearest to the pointer. */
import type { View } from 'vega';

/** A mark or an item of Vega's scene graph; the position of an item is relative to its group. */
interface Scene {
  marktype?: string;
  role?: string;
  items?: Scene[];
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  defined?: boolean;
  tooltip?: unknown;
}

export interface Point {
  /** Pixels from the top left corner of the picture. */
  x: number;
  y: number;
  value: unknown;
}

/** Distance in pixels from which a plot is left. */
const margin = 8;
/** How much more the distance along the x axis counts, which is usually that of time. */
const across = 8;

/** @returns the nearest point with a tooltip of the lines and areas in the plot at a position in the picture, in pixels */
export function nearestPoint(view: View, x: number, y: number): Point | undefined {
  const [left, top] = view.origin() as [number, number];
  const { padding } = view as unknown as { padding(): { left: number; top: number } };
  const [dx, dy] = [left + padding.call(view).left, top + padding.call(view).top];
  let found: Point | undefined;
  let least = Infinity;

  function search(mark: Scene, dx: number, dy: number): void {
    for (const item of mark.items ?? []) {
      const [itemX, itemY] = [dx + (item.x ?? 0), dy + (item.y ?? 0)];
      if (mark.marktype === 'group') {
        const { width = 0, height = 0 } = item;
        const isInside =
          x >= itemX - margin && x <= itemX + width + margin && y >= itemY - margin && y <= itemY + height + margin;
        // The outermost groups of a composition have no size.
        if (isInside || (width === 0 && height === 0) || mark.role === 'frame')
          for (const child of item.items ?? []) search(child, itemX, itemY);
      } else if (
        /^(line|area|trail)$/.test(mark.marktype ?? '') &&
        item.defined !== false &&
        item.tooltip !== undefined
      ) {
        const distance = Math.hypot((itemX - x) * across, itemY - y);
        if (distance < least) [least, found] = [distance, { x: itemX, y: itemY, value: item.tooltip }];
      }
    }
  }
  search((view.scenegraph() as unknown as { root: Scene }).root, dx, dy);
  return found;
}
