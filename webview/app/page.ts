import { render, type ComponentChild } from 'preact';
import { keepFocus } from '../ui/access.tsx';
import { copyPlainText } from '../ui/dom.ts';
import { oncePerFrame } from './frame.ts';
import { onHostMessage, postRaw } from './host.ts';

/**
 * Starts a page whose state follows from the messages of the host alone.
 * @param isMessage recognizes the messages for this page; others are ignored
 * @param apply returns the state after a message; `undefined` until the first complete one
 * @param view returns the content of the page; called at most once per frame
 */
export function startPage<State, Message>(
  isMessage: (message: unknown) => message is Message,
  apply: (state: State | undefined, message: Message) => State | undefined,
  view: (state: State) => ComponentChild,
): void {
  const root = document.getElementById('root');
  if (!root) return;
  keepFocus(root);
  copyPlainText(root);
  let state: State | undefined;
  const redraw = oncePerFrame(() => {
    if (state) render(view(state), root);
  });
  onHostMessage((message) => {
    if (!isMessage(message)) return;
    state = apply(state, message);
    redraw();
  });
  postRaw({ type: 'ready' });
}
