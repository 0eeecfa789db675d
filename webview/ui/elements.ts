/** Small helpers to build DOM without markup: text is only ever text. */

/** @returns a new element with a class and, where given, its text */
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

/** @returns a codicon, hidden from screen readers: the text beside it says what it is */
export function icon(name: string): HTMLElement {
  const created = element('span', `codicon codicon-${name}`);
  created.ariaHidden = 'true';
  return created;
}
