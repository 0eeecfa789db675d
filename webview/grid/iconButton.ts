import { element, icon } from '../ui/elements.ts';

/** @returns a button with a codicon; `label` is its accessible name and tooltip */
export function iconButton(name: string, label: string, run: () => void): HTMLButtonElement {
  const button = element('button', 'grid-icon-button');
  button.type = 'button';
  button.ariaLabel = label;
  button.title = label;
  button.append(icon(name));
  button.addEventListener('click', run);
  return button;
}
