/** Runs in a page: measures each key from its event until the frame that shows it is painted. */

interface Watched {
  keys: number[];
  posts: number;
  frames: number;
}

declare global {
  interface Window {
    floodWatch: Watched;
  }
}

/** Must be self-contained, because its source is sent to the page. */
export function watch(): void {
  const watched: Watched = { keys: [], posts: 0, frames: 0 };
  window.floodWatch = watched;
  addEventListener(
    'keydown',
    ({ timeStamp, key }) => {
      if (key.length !== 1) return;
      requestAnimationFrame(() => {
        // The task after the frame's callbacks runs after the frame is painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => watched.keys.push(performance.now() - timeStamp);
        port2.postMessage(undefined);
      });
    },
    { capture: true },
  );
  addEventListener('message', ({ data }: MessageEvent<{ type?: unknown } | undefined>) => {
    if (data?.type === 'events') watched.posts += 1;
  });
  const count = (): void => {
    watched.frames += 1;
    requestAnimationFrame(count);
  };
  count();
}
