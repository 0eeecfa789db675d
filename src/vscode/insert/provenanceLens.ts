/** The CodeLens on provenance comments. */
import * as vscode from 'vscode';
import { parseProvenance } from '../../insert/provenance.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';

const PROVENANCE_LANGUAGES = ['sql', 'jinja-sql', 'yaml', 'javascript', 'typescript', 'python'];
/** Maximum number of lines to search: longer files are unlikely to contain generated SQL. */
const LINES = 20_000;

/** A CodeLens on provenance comments that opens the thread of the SQL. */
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
          tooltip: t('Asked on branch {0} as {1}', provenance.branch, provenance.identity),
          command: 'analyticsChat.openThread',
          arguments: [{ threadId: provenance.threadId }],
        }),
      );
    }
    return lenses;
  }
}

export const showProvenance = (): vscode.Disposable =>
  vscode.languages.registerCodeLensProvider(PROVENANCE_LANGUAGES, new ProvenanceLens());
