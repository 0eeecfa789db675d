/** Offers the fixes and *Rename*, whose code is loaded when first used. */
import * as vscode from 'vscode';
import { MODEL_FILES } from '../model/modelFiles.ts';
import type { NameProblems } from './nameProblems.ts';
import type { MemberRename } from './memberRename.ts';

const AGENT_FILES = '**/*.{yml,yaml,md}';

export const provideFixes = (problems: () => Promise<NameProblems>): vscode.Disposable =>
  vscode.languages.registerCodeActionsProvider(
    [MODEL_FILES, AGENT_FILES].map((pattern) => ({ pattern })),
    {
      provideCodeActions: async (document, _range, { diagnostics }) => {
        // Without problems, there is nothing to load.
        if (diagnostics.length === 0) return [];
        const { fixesAt } = await import('./fixes.ts');
        return fixesAt(document, diagnostics, await problems());
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );

export function provideRename(problems: () => Promise<NameProblems>): vscode.Disposable {
  let created: Promise<MemberRename> | undefined;
  const rename = (): Promise<MemberRename> =>
    (created ??= import('./memberRename.ts').then(({ MemberRename }) => new MemberRename(problems)));
  return vscode.languages.registerRenameProvider(
    { pattern: MODEL_FILES },
    {
      prepareRename: async (document, position) => (await rename()).prepareRename(document, position),
      provideRenameEdits: async (document, position, newName) =>
        (await rename()).provideRenameEdits(document, position, newName),
    },
  );
}
