/** The one way out of the page. */
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
