/** Quick picks. VS Code makes icons of `$(name)` in their texts, so only an item's `icon` names one. */
import * as vscode from 'vscode';
import { plainText } from '../../shared/text/plainText.ts';

export interface PickItem extends vscode.QuickPickItem {
  /** Name of a codicon before the label. */
  icon?: string | undefined;
}

/** A button of an item, and what it does. */
export interface ItemButton extends vscode.QuickInputButton {
  act: () => unknown;
}

export const itemButton = (icon: string, tooltip: string, act: () => unknown): ItemButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
  act,
});

function plainItem<T extends PickItem>(item: T): T {
  const { icon, label, description, detail } = item;
  const plain = plainText(label);
  return {
    ...item,
    label: icon === undefined ? plain : `$(${icon}) ${plain}`,
    description: description && plainText(description),
    detail: detail && plainText(detail),
  };
}

/** @returns the item that the user picks, as it was given */
export async function showQuickPick<T extends PickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { title: string },
): Promise<T | undefined> {
  const shown = items.map((item) => ({ ...plainItem(item), item }));
  const { title, placeHolder } = options;
  const choice = await vscode.window.showQuickPick(shown, {
    ...options,
    title: plainText(title),
    placeHolder: placeHolder && plainText(placeHolder),
  });
  return choice?.item;
}

/** A pick whose items have buttons, or change while it is shown. `setItems` sets them. */
export type ChangingPick<T extends PickItem> = Omit<vscode.QuickPick<T>, 'items'> & { readonly items: readonly T[] };

export function createQuickPick<T extends PickItem>(title: string, placeholder: string): ChangingPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  pick.title = plainText(title);
  pick.placeholder = plainText(placeholder);
  return pick;
}

/** @param active tells which items the focus starts on */
export function setItems<T extends PickItem>(
  pick: ChangingPick<T>,
  items: readonly T[],
  active?: (item: T) => boolean,
): void {
  (pick as vscode.QuickPick<T>).items = items.map(plainItem);
  if (active) pick.activeItems = pick.items.filter(active);
}

/** @returns the item that the user picks, or `undefined` when the pick is closed without */
export function picked<T extends PickItem>(pick: ChangingPick<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
