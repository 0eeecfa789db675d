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

/**
 * Ignores the second click of a double-click if the first one has removed its control, such as *Send* or a row of the
 * history: it would activate what has taken its place. A control of the same name gets it, as that of the next row.
 */
export function ignoreStrayClicks(root: HTMLElement): void {
  const controlAt = ({ target }: MouseEvent): Element | null => (target as Element).closest('button, vscode-button');
  const nameOf = (control: Element | null): string | null | undefined => control?.ariaLabel ?? control?.textContent;
  let last: { target: Element; name: string | null | undefined } | undefined;
  const onClick = (event: MouseEvent): void => {
    const name = nameOf(controlAt(event));
    const isStray = event.detail > 1 && last?.target.isConnected === false && (!name || name !== last.name);
    if (isStray) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.type === 'click') last = { target: event.target as Element, name };
  };
  for (const type of ['mousedown', 'click', 'dblclick'] as const)
    root.addEventListener(type, onClick, { capture: true });
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
