import type { Runtime, Spec, View } from 'vega';
import embed from 'vega-embed';
import { events } from './compile.ts';
import { firstRun, GuardedView, type ViewOptions } from './guardedView.ts';

/** Pixels of a canvas at its longest; a larger one may stay blank. */
export const longestSide = 16_384;

/**
 * Draws a compiled chart into an element. What is embedded is the Vega specification that has been checked, which has
 * no `usermeta` any more, so nothing in it can change these options.
 * @throws ChartProblem when the first run goes wrong
 */
export function embedView(host: HTMLElement, compiled: Spec, options: ViewOptions): Promise<GuardedView> {
  return firstRun(options, async (given) => {
    class EmbeddedView extends GuardedView {
      constructor(runtime: Runtime) {
        super(runtime, given);
      }
    }
    const { view } = await embed(host, compiled, {
      mode: 'vega',
      ast: true,
      actions: false,
      defaultStyle: false,
      hover: false,
      // The view has its own, and a loader that never loads.
      tooltip: false,
      config: { events },
      viewClass: EmbeddedView as unknown as typeof View,
    });
    const canvas = host.querySelector('canvas');
    if (canvas && Math.max(canvas.width, canvas.height) > longestSide) await view.renderer('svg').runAsync();
    return view as unknown as GuardedView;
  });
}
