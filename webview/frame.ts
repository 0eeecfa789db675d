/**
 * @returns asks for `draw`, once for each frame however often it is asked for: in the frame, or early, so that the frame
 * finds it done
 */
export function oncePerFrame(draw: () => void): (early?: boolean) => void {
  let waiting = false;
  /** Something is to be drawn in the next frame. */
  let asked = false;
  /** Something was drawn for it already. */
  let ahead = false;
  const frame = (): void => {
    waiting = ahead = false;
    if (!asked) return;
    asked = false;
    draw();
  };
  return (early = false) => {
    if (!waiting) requestAnimationFrame(frame);
    waiting = asked = true;
    if (!early || ahead) return;
    ahead = true;
    asked = false;
    queueMicrotask(draw);
  };
}
