/** Reads the translated strings of the display language, for the extension host and for webviews. */
import * as vscode from 'vscode';

/** @returns translations by English text; empty if the display language is English */
export const strings = (): Record<string, string> =>
  Object.fromEntries(Object.entries(vscode.l10n.bundle ?? {}).filter((entry) => typeof entry[1] === 'string'));
