/** A text file, and positions in it. */

/** A file of the workspace; `path` is relative to the folder that is read, with `/` as separator. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Zero-based, as in VS Code. */
interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** @param offset UTF-16 code units from the start of the text */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: before.length - start };
}
