/** Properties of the extension host: whether it runs on Node.js, and the translated strings. */
import * as vscode from 'vscode';

/** @returns whether the extension host runs on Node.js, which gives access to the local disk; false on the web */
export const hasNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

/** @returns translations by English text; empty if the display language is English */
export const strings = (): Record<string, string> =>
  Object.fromEntries(Object.entries(vscode.l10n.bundle ?? {}).filter((entry) => typeof entry[1] === 'string'));
