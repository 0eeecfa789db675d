/** Accessibility of a page: announcements to screen readers, and the focus. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { attach, attachFocus } from '../app/mounted.ts';

/** Live region for screen reader announcements. */
export const Status = () => {
  /** The number is the `key`, so that a repeated text is announced again. */
  const [said, setSaid] = useState({ text: '', number: 0 });
  useLayoutEffect(() => attach('status', (text) => setSaid(({ number }) => ({ text, number: number + 1 }))), []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      <span key={said.number}>{said.text}</span>
    </div>
  );
};

/** Elements to focus when the focused control is removed, in order of preference. */
const PLACES = ['.history input', '.composer textarea', '.log', '.answers'];

/**
 * Keeps the focus in the page. When the focused control is removed, the focus moves to the message field or, without
 * one, to the content. When the window gets the focus, for example after a prompt, so does the last focused control or,
 * if it is gone, the same place.
 * @param root contains all controls
 */
export function keepFocus(root: HTMLElement): void {
  // The message field may have received the focus before this code was loaded.
  let last: EventTarget | null = document.activeElement;
  root.addEventListener('focusin', ({ target }) => (last = target));
  const focusLast = (): void => {
    const target =
      last instanceof HTMLElement && last !== document.body && last.isConnected
        ? last
        : PLACES.map((place) => root.querySelector<HTMLElement>(place)).find((place) => place !== null);
    // Don't scroll: the focus may return by a click, whose target must not move.
    target?.focus({ preventScroll: true });
  };
  const focusIfLost = (): void => {
    // The focus may be on a control, or elsewhere in VS Code.
    if (document.activeElement === document.body && document.hasFocus()) focusLast();
  };
  new MutationObserver(() => {
    if (!(last instanceof Element) || last.isConnected) return;
    focusIfLost();
  }).observe(root, { childList: true, subtree: true });
  window.addEventListener('focus', focusIfLost);
  // The host knows that the user returns to the chat, even if the page does not have the focus yet.
  attachFocus('last', focusLast);
}

/**
 * Focuses a control that the user did not ask for: now if the page has the focus, otherwise once VS Code gives it,
 * because taking it would close an open prompt.
 * @returns a function that cancels it
 */
export function focusInTurn(focus: () => void): () => void {
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
  return () => window.removeEventListener('focus', focus);
}
