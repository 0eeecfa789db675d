/** Exchanges messages with the extension host, reports errors to it, and stores the page's state. */
import type { FromWebview } from '../../src/shared/protocol/chat.ts';
import { fieldsOf, type Fields } from '../../src/shared/text/checks.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}
declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

/** Posts a message about the only thread of the page, or about the page itself; components use `usePost`. */
export const post = (message: FromWebview): void => api.postMessage(message);

window.addEventListener('error', ({ message }) => post({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => post({ type: 'problem', text: String(reason) }));

/** Posts a message that does not belong to a thread, which is of a type of its own. */
export const postRaw = (message: unknown): void => api.postMessage(message);
/**
 * Stores a state that outlives this page; for an editor tab, VS Code also passes it to the host that restores the tab.
 */
export const saveState = (state: unknown): void => api.setState(state);

/** @returns the state that was saved last, by this page or its predecessor; empty if there is none */
export const readState = (): Fields => fieldsOf(api.getState());

/**
 * Listens for messages of the host. Any frame with a reference to this window can post to it, so a message must come
 * from this window or from VS Code's frame around it, which has the same origin.
 */
export function onHostMessage(listener: (message: unknown) => void): void {
  window.addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
    if (origin === window.origin && (source === window || embedsThis(source))) listener(data);
  });
}

/** VS Code hides `window.parent`, so the parent is recognized by containing this window as a frame. */
function embedsThis(source: MessageEventSource | null): boolean {
  if (source === null || !('frames' in source)) return false;
  return Array.from({ length: source.length }, (_, index) => source[index]).includes(window);
}
