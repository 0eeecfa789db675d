/** The one way out of the page. */
import type { FromWebview } from '../src/shared/protocol.ts';

interface VsCodeApi {
  postMessage(message: FromWebview): void;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

export const post = (message: FromWebview): void => api.postMessage(message);
export const saveState = (state: unknown): void => api.setState(state);
