/** Milliseconds without an awaited request after which the next one is drawn early. */
const PAUSE = 100;

/**
 * @returns a function that requests a call of `draw`, at most one per animation frame. An awaited request after a pause
 *   draws in a microtask instead, so that the next frame already shows the result
 */
export function oncePerFrame(draw: () => void): (awaited?: boolean) => void {
  let waiting = false;
  let asked = false;
  let last = -Infinity;
  const frame = (): void => {
    waiting = false;
    if (!asked) return;
    asked = false;
    draw();
  };
  return (awaited = false) => {
    if (!waiting) requestAnimationFrame(frame);
    waiting = asked = true;
    if (!awaited) return;
    const before = last;
    last = performance.now();
    if (last - before < PAUSE) return;
    asked = false;
    queueMicrotask(draw);
  };
}
