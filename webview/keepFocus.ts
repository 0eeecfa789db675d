/** Keeps the keyboard in the page: when the control that has the focus goes away, the message field gets it. */

/** @param root the element that holds all controls */
export function keepFocus(root: HTMLElement): void {
  let last: EventTarget | null = null;
  root.addEventListener('focusin', ({ target }) => (last = target));
  const mend = (): void => {
    // Nothing was lost, or the keyboard is elsewhere in the editor and must stay there.
    if (!(last instanceof Element) || last.isConnected) return;
    if (document.activeElement !== document.body || !document.hasFocus()) return;
    last = null;
    const next = root.querySelector<HTMLElement>('.composer textarea') ?? root.querySelector<HTMLElement>('.log');
    next?.focus();
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
  // The control may have gone while a prompt of the editor had the keyboard.
  window.addEventListener('focus', mend);
}
