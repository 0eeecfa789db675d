import type { Locator } from 'playwright-core';

/** Waits until an element has stayed at its position for two frames, for example after scrolling. */
export const settled = (element: Locator): Promise<void> =>
  element.evaluate(async (node) => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const top = (): number => node.getBoundingClientRect().top;
    for (let last = NaN; last !== top(); await frame()) {
      last = top();
      await frame();
    }
  });
