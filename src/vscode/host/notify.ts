/**
 * Shows errors, notifications, dialogs, input boxes, progress, status bar items and Markdown. VS Code renders links
 * (including `command:` links) and icons in these strings, so all text is passed through `plainText` or `plainMarkdown`.
 * Markdown strings are never trusted, which also disables `command:` links.
 */
import { oneLine } from '../../shared/text/lines.ts';
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { plainMarkdown, plainText } from '../../shared/text/plainText.ts';

/** Runs `work` with a signal that aborts when the token is canceled. */
export async function withSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const canceled = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    canceled.dispose();
  }
}

type Choice = Thenable<string | undefined>;

export const showInformationMessage = (message: string, ...actions: string[]): Choice =>
  vscode.window.showInformationMessage(plainText(message), ...actions);

export const showWarningMessage = (message: string, ...actions: string[]): Choice =>
  vscode.window.showWarningMessage(plainText(message), ...actions);

export const showErrorMessage = (message: string, ...actions: string[]): Choice =>
  vscode.window.showErrorMessage(plainText(message), ...actions);

/** Says that a file was written, with a button that opens it. */
export async function showWritten(file: vscode.Uri, message: string, show = showInformationMessage): Promise<void> {
  const open = t('Open {0}', file.path.slice(file.path.lastIndexOf('/') + 1));
  if ((await show(message, open)) === open) await vscode.commands.executeCommand('vscode.open', file);
}

/** Shows a modal dialog. @param detail secondary text below the message; may be empty */
export const askWithWarning = (message: string, detail: string, ...actions: string[]): Choice =>
  vscode.window.showWarningMessage(plainText(message), { modal: true, detail: plainText(detail) }, ...actions);

export const askWithInformation = (message: string, detail: string, ...actions: string[]): Choice =>
  vscode.window.showInformationMessage(plainText(message), { modal: true, detail: plainText(detail) }, ...actions);

/** Milliseconds after the end of a prompt during which VS Code may still return the focus. */
const FOCUS_RETURNS = 1000;

let lastClosed = -Infinity;

/**
 * Opens a prompt. When a prompt closes, VS Code returns the focus to its previous place, possibly after the next prompt
 * has opened, which would then close as well.
 * @param open receives whether the prompt follows another one, so that it must stay open without the focus
 */
export async function prompted<T>(open: (ignoreFocusOut: boolean) => Thenable<T>): Promise<T> {
  const answer = await open(performance.now() - lastClosed < FOCUS_RETURNS);
  lastClosed = performance.now();
  return answer;
}

export interface InputOptions extends vscode.InputBoxOptions {
  validateInput?: (text: string) => string | undefined;
}

/** Shows an input box, which stays open with the typed text. `value` is the user's own text and is passed unchanged. */
export function showInputBox(options: InputOptions): Promise<string | undefined> {
  const { title, prompt, placeHolder, validateInput } = options;
  return prompted(() =>
    vscode.window.showInputBox({
      ...options,
      title: title && plainText(title),
      prompt: prompt && plainText(prompt),
      placeHolder: placeHolder && plainText(placeHolder),
      validateInput: validateInput && ((text) => plainText(validateInput(text) ?? '') || undefined),
      ignoreFocusOut: true,
    }),
  );
}

/** @param value the proposed question */
export const askForQuestion = (title: string, prompt: string, value = ''): Thenable<string | undefined> =>
  showInputBox({ title, prompt, placeHolder: t('revenue by month in 2024'), value });

export const setStatusBarMessage = (text: string, milliseconds: number): vscode.Disposable =>
  vscode.window.setStatusBarMessage(plainText(text), milliseconds);

/**
 * Shows a progress notification while `work` runs.
 * @param work receives a signal that aborts when the user cancels, and a function that updates the message
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
  /** @param icon id of a codicon */
  show(icon: string, text: string, tooltip: string, accessibleName?: string): void;
  hide(): void;
}

/** @returns a hidden item on the left of the status bar */
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

/** Shows a warning with a button that opens the Workspace Trust editor. */
export const offerTrust = (reason: string): Promise<void> =>
  offer(reason, t('Manage Workspace Trust'), 'workbench.trust.manage');

export const offerToConnect = (reason: string): Promise<void> => offer(reason, t('Connect'), 'analyticsChat.connect');

async function offer(reason: string, action: string, command: string): Promise<void> {
  if ((await showWarningMessage(reason, action)) === action) await vscode.commands.executeCommand(command);
}

/** @returns Markdown that renders the text literally, without links */
export const plainMarkdownString = (text: string): vscode.MarkdownString =>
  new vscode.MarkdownString(plainMarkdown(text));

/** @returns a bold title followed by paragraphs, all rendered literally with whitespace collapsed */
export function titledMarkdownString(title: string, ...paragraphs: string[]): vscode.MarkdownString {
  const [first, ...rest] = [title, ...paragraphs].map((text) => plainMarkdown(oneLine(text)));
  return new vscode.MarkdownString([`**${first}**`, ...rest.filter(Boolean)].join('\n\n'));
}
