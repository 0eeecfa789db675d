/** Converts positions and offsets in texts to ranges of VS Code. */
import * as vscode from 'vscode';

type PlainPosition = Pick<vscode.Position, 'line' | 'character'>;

export const rangeOf = ({ start, end }: { start: PlainPosition; end: PlainPosition }): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

/** @param start offset in the document, in UTF-16 code units */
export const rangeInDocument = (
  document: vscode.TextDocument,
  { start, end }: { start: number; end: number },
): vscode.Range => new vscode.Range(document.positionAt(start), document.positionAt(end));
