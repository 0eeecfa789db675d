/** Actions of a row or message: as icon buttons, and in its context menu. */
import { openMenu, type MenuItem } from '../menu/menu.ts';
import { IconButton } from './Button.tsx';

export interface Action extends MenuItem {
  /** Codicon name. */
  icon: string;
  /** Tooltip of the button; the label by default. */
  tooltip?: string;
}

export const ActionButtons = ({ actions }: { actions: readonly Action[] }) => (
  <>
    {actions.map(({ icon, label, tooltip, run }) => (
      <IconButton key={icon} icon={icon} name={label} {...(tooltip === undefined ? {} : { tooltip })} onClick={run} />
    ))}
  </>
);

/**
 * Opens the actions as a menu at the pointer. Selected text, links, fields and results keep their own menus.
 * @param name accessible name of the menu
 */
export function openActions(event: MouseEvent, name: string, actions: readonly MenuItem[]): void {
  const target = event.target as HTMLElement;
  const isOther = target.closest('a, input, .card') !== null || getSelection()?.isCollapsed === false;
  if (event.defaultPrevented || isOther || actions.length === 0) return;
  event.preventDefault();
  const before = document.activeElement;
  const host = target.closest('main') ?? document.body;
  openMenu(host, { x: event.clientX, y: event.clientY }, name, actions, () => {
    if (before instanceof HTMLElement) before.focus();
  });
}
