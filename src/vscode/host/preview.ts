/** Previews changes of files in a diff editor, until the user applies them or closes it. */
import * as vscode from 'vscode';

/** Also in the manifest, which shows *Apply* in the title of such editors. */
const SCHEME = 'analytics-chat-preview';

/** Functions that apply the open previews, by the query of their URIs. */
const previews = new Map<string, () => void>();

export interface PreviewedFile {
  /** The file before the change; undefined for a new file. */
  original: vscode.Uri | undefined;
  /** Path of the file, which its icon and language depend on. */
  path: string;
  /** The text after the change. */
  text: string;
  /** If it can't be told from the path, as that of a cell. */
  languageId?: string;
}

/** @param argument URI of the preview whose button was pressed; the active one if omitted */
export function applyPreview(argument: unknown): void {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const uri = argument instanceof vscode.Uri ? argument : activeTab && modifiedIn(activeTab)[0];
  previews.get(uri?.query ?? '')?.();
}

/**
 * Shows a diff of one or more files. A notification would hide its buttons after some seconds, while the user still reads.
 * @returns whether the user applied it; the caller then writes the files
 */
export async function isApplied(title: string, files: readonly PreviewedFile[]): Promise<boolean> {
  const query = crypto.randomUUID();
  const shown = files.map((file) => ({ ...file, uri: vscode.Uri.from({ scheme: SCHEME, path: file.path, query }) }));
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (asked) =>
      asked.query === query ? (shown.find(({ uri }) => uri.toString() === asked.toString())?.text ?? '') : undefined,
  });
  const answer = Promise.withResolvers<boolean>();
  const tabs = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => modifiedIn(tab).some((uri) => uri.query === query));
  previews.set(query, () => answer.resolve(true));
  // A tab that moves to another group is closed as well.
  const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (closed.length > 0 && tabs().length === 0) answer.resolve(false);
  });
  try {
    for (const { uri, languageId } of shown) {
      const document = await vscode.workspace.openTextDocument(uri);
      if (languageId !== undefined && document.languageId !== languageId)
        await vscode.languages.setTextDocumentLanguage(document, languageId);
    }
    await openDiff(title, shown, vscode.Uri.from({ scheme: SCHEME, path: '/', query }));
    const applied = await answer.promise;
    if (applied) await vscode.window.tabGroups.close(tabs());
    return applied;
  } finally {
    closing.dispose();
    previews.delete(query);
    provider.dispose();
  }
}

async function openDiff(
  title: string,
  files: readonly { original: vscode.Uri | undefined; uri: vscode.Uri }[],
  multiDiffSourceUri: vscode.Uri,
): Promise<void> {
  // An empty original for a new file: a tab lists only the files that have one, and is recognized by them.
  const resources = files.map(({ original, uri }) => ({
    originalUri: original ?? uri.with({ fragment: 'empty' }),
    modifiedUri: uri,
  }));
  const [first, ...others] = resources;
  if (first && others.length === 0) {
    await vscode.commands.executeCommand('vscode.diff', first.originalUri, first.modifiedUri, title, {
      preview: false,
    });
    return;
  }
  // `vscode.changes` takes no URI, by which the button *Apply* recognizes the editor.
  await vscode.commands.executeCommand('_workbench.openMultiDiffEditor', { multiDiffSourceUri, title, resources });
  await vscode.commands.executeCommand('workbench.action.keepEditor');
}

/** @returns the URIs on the right of a diff editor, also of one with several files, whose type is not in the API */
function modifiedIn({ input }: vscode.Tab): vscode.Uri[] {
  const { modified, textDiffs = [] } = (input ?? {}) as {
    modified?: vscode.Uri;
    textDiffs?: readonly { modified?: vscode.Uri }[];
  };
  return [modified, ...textDiffs.map((each) => each.modified)].filter((uri) => uri !== undefined);
}
