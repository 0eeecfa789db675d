/** Menu of the actions that do not fit into a narrow result card. */
import { t } from '../../../src/shared/text/l10n.ts';
import { menuHost, openMenu } from '../../menu/menu.ts';

/** An action that is a button in a wide card and a menu item in a narrow one. */
export interface CardAction {
  icon: string;
  name: string;
  /** Whether the element that the action toggles is open; omitted for other actions. */
  expanded?: boolean;
  run: () => void;
}

/** @param button anchor of the menu */
export function openCardMenu(button: HTMLElement, actions: readonly CardAction[]): void {
  const items = actions.map(({ name, run }) => ({ label: name, run }));
  openMenu(menuHost(button), button, t('More actions'), items, () => button.focus());
}
