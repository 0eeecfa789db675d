/** The strings of the display language, for this host and for webviews. */
import * as vscode from 'vscode';

/** @returns them by their English texts; none where English is shown */
export const strings = (): Record<string, string> =>
  Object.fromEntries(Object.entries(vscode.l10n.bundle ?? {}).filter((entry) => typeof entry[1] === 'string'));
