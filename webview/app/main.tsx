/** Entry point of the chat view. */
import { render } from 'preact';
import type { Draft } from '../../src/shared/protocol/chat.ts';
import { App } from './App.tsx';
import { post } from './host.ts';
import { pageRoot } from './page.ts';
import { compose } from './mounted.ts';
import { startStore, type ViewState } from './store.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';

const fieldIn = (root: Element): HTMLTextAreaElement | null => root.querySelector('.composer textarea');

/**
 * Renders the first state, continuing with the message field of the page's HTML, in which the user may have typed before
 * this code was loaded. Preact reuses the field, and with it the caret and a running input method.
 * @param draw renders a state into `root`
 */
function takeOver(root: Element, state: ViewState, draw: (state: ViewState) => void): void {
  const field = fieldIn(root);
  if (!field) return draw(state);
  const { value, selectionStart, selectionEnd } = field;
  const { sent } = field.dataset;
  const focused = document.activeElement === field;
  const typed: Draft = { text: value, images: [] };
  const keeps = value !== '' && !state.viewContext.readOnly;
  draw(keeps ? { ...state, draft: typed } : state);
  const now = fieldIn(root);
  if (!now) return;
  if (focused && now !== field) {
    now.focus();
    now.setSelectionRange(selectionStart, selectionEnd);
  }
  if (sent !== undefined) now.dispatchEvent(enterKey(state.viewContext.sendKey === 'modEnter'));
  // Insert the stored draft before the typed text, and save both.
  if (keeps) compose(state.draft);
}

const enterKey = (ctrlKey: boolean): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: 'Enter', ctrlKey, metaKey: ctrlKey, cancelable: true });

window.addEventListener('focus', () => post({ type: 'focused' }));
// The page may have received the focus before this code was loaded.
if (document.hasFocus()) post({ type: 'focused' });

const root = pageRoot();
if (root) {
  const draw = (state: ViewState): void => render(<App state={state} />, root);
  let isFirst = true;
  startStore((state) => {
    if (isFirst) takeOver(root, state, draw);
    else draw(state);
    isFirst = false;
  });
}
