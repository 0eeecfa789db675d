/** Menu of the actions that do not fit into a narrow result card. */
import { t } from '../../../src/shared/text/l10n.ts';
import { menuHost, openMenu } from '../../menu/menu.ts';
import type { CardAction } from './CardHead.tsx';

/** @param button anchor of the menu */
export function openCardMenu(button: HTMLElement, actions: readonly CardAction[]): void {
  const items = actions.map(({ name, run }) => ({ label: name, run }));
  openMenu(menuHost(button), button, t('More actions'), items, () => button.focus());
}
