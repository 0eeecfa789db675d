/** The menu of the actions of a result that a narrow card has no room for. */
import { t } from '../../src/shared/text/l10n.ts';
import { menuHost, openMenu } from '../menu/menu.ts';
import type { CardAction } from './CardHead.tsx';

/** @param button where the menu opens */
export function openCardMenu(button: HTMLElement, actions: readonly CardAction[]): void {
  const items = actions.map(({ name, run }) => ({ label: name, run }));
  openMenu(menuHost(button), button, t('More actions'), items, () => button.focus());
}
