/** Shows the errors in question test files in the Problems view. */
import * as vscode from 'vscode';
import type { Range } from '../../evals/files/sourceFile.ts';
import type { QuestionFiles } from './questionFiles.ts';

export const rangeOf = ({ start, end }: Range): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

export function showProblems(files: QuestionFiles): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('analyticsChat.questions');
  const update = (): void => {
    const entries = files.folders.flatMap(({ folder, problems }) =>
      problems.map(({ path, range, message }): [vscode.Uri, vscode.Diagnostic[]] => {
        const diagnostic = new vscode.Diagnostic(rangeOf(range), message, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'Analytics Chat';
        return [vscode.Uri.joinPath(folder.uri, path), [diagnostic]];
      }),
    );
    collection.clear();
    // Entries of the same file are merged.
    collection.set(entries);
  };
  update();
  return vscode.Disposable.from(collection, files.onDidChange(update));
}
