import { element, icon } from '../ui/elements.ts';

/** @returns a button that shows an icon and is named by its label */
export function iconButton(name: string, label: string, run: () => void): HTMLButtonElement {
  const button = element('button', 'grid-icon-button');
  button.type = 'button';
  button.ariaLabel = label;
  button.title = label;
  button.append(icon(name));
  button.addEventListener('click', run);
  return button;
}
