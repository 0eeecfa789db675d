/** Milliseconds after which what comes is the first of its kind again. */
const PAUSE = 100;

/**
 * @returns asks for `draw`, once for each frame however often it is asked for: in the frame, or, for the first that
 * somebody waits for after a pause, at once, so that the frame finds it done
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
