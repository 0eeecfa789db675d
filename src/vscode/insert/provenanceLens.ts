/** Above a provenance comment, the way back to the chat that its SQL is from. */
import * as vscode from 'vscode';
import { plainText } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { parseProvenance } from '../../insert/provenance.ts';

const LANGUAGES = ['sql', 'jinja-sql', 'yaml', 'javascript', 'typescript', 'python'];
/** A file of this many lines holds no generated SQL that somebody looks for. */
const LINES = 20_000;

class ProvenanceLens implements vscode.CodeLensProvider {
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const lenses: vscode.CodeLens[] = [];
    for (let line = 0; line < Math.min(document.lineCount, LINES); line += 1) {
      const { text, range } = document.lineAt(line);
      const provenance = parseProvenance(text);
      if (!provenance) continue;
      lenses.push(
        new vscode.CodeLens(range, {
          title: plainText(t('Open chat: {0}', provenance.question || t('SQL'))),
          tooltip: t('Asked on the branch {0} as {1}', provenance.branch, provenance.identity),
          command: 'analyticsChat.openThread',
          arguments: [{ threadId: provenance.threadId }],
        }),
      );
    }
    return lenses;
  }
}

export const showProvenance = (): vscode.Disposable =>
  vscode.languages.registerCodeLensProvider(LANGUAGES, new ProvenanceLens());
