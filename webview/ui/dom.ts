/** Creates DOM elements without parsing HTML, reads keyboard events, and copies selections. */

/** Whether the modifier key of shortcuts is Cmd. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** @returns whether an input method handles the key, for example Enter to choose a candidate */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean => composes || keyCode === 229;

export const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea');

/** Copies selections as plain text: the HTML that a browser adds contains the colors and fonts of the theme. */
export function copyPlainText(root: HTMLElement): void {
  root.addEventListener('copy', (event) => {
    const text = String(getSelection());
    // Without a selection, the clipboard must stay as it is.
    if (isField(event.target) || event.defaultPrevented || text === '') return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
}

/** @returns a new element with a class and, optionally, text */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text?: string,
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  created.className = className;
  if (text !== undefined) created.textContent = text;
  return created;
}

/** @returns a codicon, hidden from screen readers; adjacent text or a label must say what it means */
export function icon(name: string): HTMLElement {
  const created = element('span', `codicon codicon-${name}`);
  created.ariaHidden = 'true';
  return created;
}
