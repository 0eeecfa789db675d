/** Picks of the editor whose items have buttons, or change while they are shown. */
import * as vscode from 'vscode';

/** A button of an item, and what it does. */
export interface ItemButton extends vscode.QuickInputButton {
  act: () => unknown;
}

export const itemButton = (icon: string, tooltip: string, act: () => unknown): ItemButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
  act,
});

/** @returns the item that the user picks, or `undefined` when the pick is closed without */
export function picked<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>): Promise<T | undefined> {
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
