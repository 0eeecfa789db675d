/**
 * Every notification, dialog, input box, progress and status bar text. VS Code makes links and icons of what looks
 * like them in these strings, `command:` links included, so all text goes through `plainText`.
 */
import * as vscode from 'vscode';
import { plainText } from '../../shared/text/plainText.ts';
import { withSignal } from './cancellation.ts';

type Choice = Thenable<string | undefined>;

export const showInformationMessage = (message: string, ...actions: string[]): Choice =>
  vscode.window.showInformationMessage(plainText(message), ...actions);

export const showWarningMessage = (message: string, ...actions: string[]): Choice =>
  vscode.window.showWarningMessage(plainText(message), ...actions);

export const showErrorMessage = (message: string, ...actions: string[]): Choice =>
  vscode.window.showErrorMessage(plainText(message), ...actions);

/** Asks in a modal dialog. @param detail a smaller text below; may be empty */
export const askWithWarning = (message: string, detail: string, ...actions: string[]): Choice =>
  vscode.window.showWarningMessage(plainText(message), { modal: true, detail: plainText(detail) }, ...actions);

export const askWithInformation = (message: string, detail: string, ...actions: string[]): Choice =>
  vscode.window.showInformationMessage(plainText(message), { modal: true, detail: plainText(detail) }, ...actions);

export interface InputOptions extends vscode.InputBoxOptions {
  validateInput?: (text: string) => string | undefined;
}

/** The prompt and the result of the validation may hold links too. The value is the user's text and stays as it is. */
export function showInputBox(options: InputOptions): Thenable<string | undefined> {
  const { title, prompt, placeHolder, validateInput } = options;
  return vscode.window.showInputBox({
    ...options,
    title: title && plainText(title),
    prompt: prompt && plainText(prompt),
    placeHolder: placeHolder && plainText(placeHolder),
    validateInput: validateInput && ((text) => plainText(validateInput(text) ?? '') || undefined),
  });
}

/** Shows a text in the status bar for a while. */
export const setStatusBarMessage = (text: string, milliseconds: number): vscode.Disposable =>
  vscode.window.setStatusBarMessage(plainText(text), milliseconds);

/**
 * Shows progress in a notification while work goes on.
 * @param work gets a signal of the user's cancellation, and what reports a message
 */
export const withProgress = <T>(
  title: string,
  cancellable: boolean,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Thenable<T> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable, title: plainText(title) },
    (progress, token) =>
      withSignal(token, (signal) => work(signal, (message) => progress.report({ message: plainText(message) }))),
  );

export interface StatusItem extends vscode.Disposable {
  /** @param icon name of a codicon */
  show(icon: string, text: string, tooltip: string, accessibleName?: string): void;
  hide(): void;
}

/** @returns an item on the left of the status bar, hidden at first */
export function createStatusItem(id: string, priority: number, name: string, command: string): StatusItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
  item.name = name;
  item.command = command;
  return {
    show: (icon, text, tooltip, accessibleName) => {
      item.text = `$(${icon}) ${plainText(text)}`;
      item.tooltip = plainText(tooltip);
      if (accessibleName !== undefined) item.accessibilityInformation = { label: accessibleName };
      item.show();
    },
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  };
}
