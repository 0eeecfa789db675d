/** Starts a page: its root element, and its state from the messages of the host. */
import { render, type ComponentChild } from 'preact';
import { keepFocus } from '../ui/access.tsx';
import { copyPlainText, ignoreStrayClicks } from '../ui/dom.ts';
import { oncePerFrame } from './frame.ts';
import { onHostMessage, postRaw } from './host.ts';

/** @returns the element that a page renders into, prepared for the focus, clicks and copying */
export function pageRoot(): HTMLElement | null {
  const root = document.getElementById('root');
  if (!root) return null;
  keepFocus(root);
  ignoreStrayClicks(root);
  copyPlainText(root);
  return root;
}

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
  const root = pageRoot();
  if (!root) return;
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
