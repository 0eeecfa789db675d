/** Results on stdout, progress and errors on stderr. */
import { Secret } from '../shared/text/secret.ts';
import { alignedLine, shownCell, widthsOf } from '../shared/text/alignedTable.ts';
import { typeColumns, type Row, type TypedColumn } from '../shared/results/cells.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';

export interface Streams {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

export class Output {
  readonly streams: Streams;
  #secret = new Secret('');

  constructor(streams: Streams) {
    this.streams = streams;
  }

  /** Redacts the credential in all output from now on. */
  setSecret(credential: string): void {
    this.#secret = new Secret(credential);
  }

  /** For files and protocols. */
  redact(text: string): string {
    return this.#secret.redactForms(text);
  }

  /** @param text text from the service or from files; control sequences of terminals are removed */
  result(text: string): void {
    this.streams.stdout.write(`${this.redact(withoutControls(text))}\n`);
  }

  note(text: string): void {
    this.streams.stderr.write(`${this.#secret.redact(withoutControls(text))}\n`);
  }
}

/** Escape sequences in an answer could rewrite what the terminal shows. */
const withoutControls = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

export const tableLines = ({ columns, rows }: ResultTable): string => typedLines(typeColumns(columns, rows), rows);

export function typedLines(columns: readonly TypedColumn[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ name }) => shownCell(name)),
    ...rows.map((row) => columns.map((_, index) => shownCell(row[index]))),
  ];
  const isRight = columns.map(({ kind }) => kind === 'number');
  const widths = widthsOf(lines);
  return lines.map((cells) => alignedLine(cells, widths, isRight)).join('\n');
}
