/** The messages to and from the extension host. */
import type { FromWebview } from '../../src/shared/protocol/chat.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}
declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

let wrap = (message: FromWebview): unknown => message;

/** For a page that shows more than one thread: what is posted from now on goes out as `by` makes it. */
export function envelop(by: (message: FromWebview) => unknown): void {
  wrap = by;
}

export const post = (message: FromWebview): void => api.postMessage(wrap(message));
/** Posts a message that is not of a thread. */
export const postRaw = (message: unknown): void => api.postMessage(message);
/** Keeps something over the end of this page; the editor gives a tab's back to the host, too. */
export const saveState = (state: unknown): void => api.setState(state);

/** @returns what was saved last, by this page or the one before it */
export function readState(): Record<string, unknown> | undefined {
  const state = api.getState();
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : undefined;
}

/**
 * Listens for messages of the host. Any frame that can reach this one may post to it, with a message of any shape;
 * the host's come from the frame of VS Code around this page, which has the same origin.
 */
export function onHostMessage(listener: (message: unknown) => void): void {
  window.addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
    if (origin === window.origin && (source === window || embedsThis(source))) listener(data);
  });
}

/** VS Code hides `window.parent`, so the parent is known by its frames. */
function embedsThis(source: MessageEventSource | null): boolean {
  if (source === null || !('frames' in source)) return false;
  return Array.from({ length: source.length }, (_, index) => source[index]).includes(window);
}
