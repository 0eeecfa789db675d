/** Continues with the message field of the page's HTML, in which the user may have typed before this code was loaded. */
import type { Draft } from '../../src/shared/protocol/chat.ts';
import { compose } from './lazy.ts';
import type { ViewState } from './store.ts';

const fieldIn = (root: Element): HTMLTextAreaElement | null => root.querySelector('.composer textarea');

/**
 * Renders the first state. Preact reuses the field of the HTML, and with it the caret and a running input method.
 * @param render renders a state into `root`
 */
export function takeOver(root: Element, state: ViewState, render: (state: ViewState) => void): void {
  const field = fieldIn(root);
  if (!field) return render(state);
  const { value, selectionStart, selectionEnd } = field;
  const { enter } = field.dataset;
  const focused = document.activeElement === field;
  const typed: Draft = { text: value, images: [] };
  const keeps = value !== '' && !state.viewContext.readOnly;
  render(keeps ? { ...state, draft: typed } : state);
  const now = fieldIn(root);
  if (!now) return;
  if (focused && now !== field) {
    now.focus();
    now.setSelectionRange(selectionStart, selectionEnd);
  }
  if (enter !== undefined) now.dispatchEvent(enterKey(enter === 'modified'));
  // Saves the typed text, after that of the stored draft.
  if (keeps) compose(state.draft);
}

const enterKey = (ctrlKey: boolean): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: 'Enter', ctrlKey, metaKey: ctrlKey, cancelable: true });
