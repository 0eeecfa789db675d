/** A text file, and positions in it. */
import { number, shape } from './checks.ts';
import { t } from './l10n.ts';

/** A file of the workspace; `path` is relative to the folder that is read, with `/` as separator. */
export interface SourceFile {
  path: string;
  text: string;
  /** Why the file can't be read; its text is then empty. */
  error?: string;
}

/** @returns the file; with an error if it is not UTF-8, with or without a byte order mark */
export function sourceFile(path: string, bytes: Uint8Array): SourceFile {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8 with a NUL in each letter.
    if (!text.includes('\0')) return { path, text };
  } catch {
    // Another encoding.
  }
  return { path, text: '', error: t('This file is not UTF-8. Save it with the encoding UTF-8.') };
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

const isPosition = shape({ line: number, character: number });
const isBoth = shape({ start: isPosition, end: isPosition });
export const isRange = (value: unknown): value is Range => isBoth(value);

/** @param offset UTF-16 code units from the start of the text */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: before.length - start };
}
