/**
 * Keeps the keyboard in the page: when the control that has the focus goes away, the message field gets it, or what is
 * read where there is none; when the page gets it back, after a prompt of the editor, so does the control that had it.
 */

/** Where the keyboard goes, in this order. */
const PLACES = ['.history input', '.composer textarea', '.log', '.compare'];

/** @param root the element that holds all controls */
export function keepFocus(root: HTMLElement): void {
  let last: EventTarget | null = null;
  root.addEventListener('focusin', ({ target }) => (last = target));
  const mend = (): void => {
    // Nothing was lost, or the keyboard is elsewhere in the editor and must stay there.
    if (!(last instanceof Element) || last.isConnected) return;
    if (document.activeElement !== document.body || !document.hasFocus()) return;
    last = null;
    PLACES.map((place) => root.querySelector<HTMLElement>(place))
      .find((place) => place?.checkVisibility({ visibilityProperty: true }))
      ?.focus({ preventScroll: true });
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
  window.addEventListener('focus', () => {
    mend();
    const had = document.activeElement === document.body && last instanceof HTMLElement && last.isConnected;
    // What is read stays where it is: it may be what was just pressed that brings the keyboard back.
    if (had) (last as HTMLElement).focus({ preventScroll: true });
  });
}
