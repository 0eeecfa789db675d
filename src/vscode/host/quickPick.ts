/** Quick picks. VS Code renders `$(name)` as an icon, so texts go through `plainText` and icons are set by `icon`. */
import * as vscode from 'vscode';
import { plainText } from '../../shared/text/plainText.ts';
import { prompted, showInformationMessage } from './notify.ts';

export interface PickItem extends vscode.QuickPickItem {
  /** Id of a codicon to show before the label. */
  icon?: string;
}

/** A button of an item, and its handler. */
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

/** @returns the picked element of `items`, or undefined if the user cancels */
export async function showQuickPick<T extends PickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { title: string },
): Promise<T | undefined> {
  const shown = items.map((item) => ({ ...plainItem(item), item }));
  const { title, placeHolder } = options;
  const choice = await prompted((ignoreFocusOut) =>
    vscode.window.showQuickPick(shown, {
      ignoreFocusOut,
      ...options,
      title: plainText(title),
      placeHolder: placeHolder && plainText(placeHolder),
    }),
  );
  return choice?.item;
}

/** @returns all ticked elements of `items`, or undefined if the user cancels */
export async function showQuickPicks<T extends PickItem>(
  items: readonly T[],
  { title, placeHolder }: { title: string; placeHolder: string },
): Promise<T[] | undefined> {
  const shown = items.map((item) => ({ ...plainItem(item), item }));
  const choice = await prompted(() =>
    vscode.window.showQuickPick(shown, {
      title: plainText(title),
      placeHolder: plainText(placeHolder),
      canPickMany: true,
      ignoreFocusOut: true,
    }),
  );
  return choice?.map(({ item }) => item);
}

/** A quick pick whose items have buttons or change while it is open. Items are set through `setItems`. */
type ChangingPick<T extends PickItem> = Omit<vscode.QuickPick<T>, 'items'> & { readonly items: readonly T[] };

export function createQuickPick<T extends PickItem>(title: string, placeholder: string): ChangingPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  pick.title = plainText(title);
  pick.placeholder = plainText(placeholder);
  return pick;
}

/** @param active selects the items that are focused; without one, VS Code focuses the first item */
export function setItems<T extends PickItem>(
  pick: ChangingPick<T>,
  items: readonly T[],
  active?: (item: T) => boolean,
): void {
  (pick as vscode.QuickPick<T>).items = items.map(plainItem);
  const focused = active ? pick.items.filter(active) : [];
  // With an empty list, VS Code would focus no item, and Enter would choose none.
  if (focused.length > 0) pick.activeItems = focused;
}

/** Shows a quick pick. @returns the picked item, or undefined if the user cancels */
export function picked<T extends PickItem>(pick: ChangingPick<T>): Promise<T | undefined> {
  return prompted(
    (ignoreFocusOut) =>
      new Promise((resolve) => {
        pick.onDidAccept(() => {
          resolve(pick.selectedItems[0]);
          pick.hide();
        });
        pick.onDidHide(() => {
          resolve(undefined);
          pick.dispose();
        });
        pick.ignoreFocusOut = ignoreFocusOut;
        pick.show();
      }),
  );
}

interface FolderPick {
  title: string;
  placeHolder: string;
  /** Shown if no folder is open. */
  noFolder: string;
}

/** @returns the only folder or the one that the user picks; undefined if there is none or the user cancels */
export async function pickFolder(pick: FolderPick): Promise<vscode.WorkspaceFolder | undefined> {
  const { title, placeHolder, noFolder } = pick;
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) void showInformationMessage(noFolder);
  if (folders.length <= 1) return folders[0];
  const choice = await showQuickPick(
    folders.map((folder) => ({ label: folder.name, folder })),
    { title, placeHolder },
  );
  return choice?.folder;
}
