/** A file that is read, and the places in it. */

/** A file of the workspace; `path` is relative to the folder with `agents/`, with `/` as separator. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Zero-based, as in VS Code. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** An error in a file; its other questions are kept. */
export interface Problem {
  path: string;
  range: Range;
  message: string;
}

/** @param offset in UTF-16 code units */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: before.length - start };
}
