/** Reads the tables in Markdown: some agents call no tools and put their results into the text. */
import type { ResultTable } from '../wire/toolPayloads.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DELIMITER = /^:?-+:?$/;

/** @returns the tables of a text in order, with the visible text of their cells */
export function markdownTables(markdown: string): ResultTable[] {
  const tables: ResultTable[] = [];
  const lines = markdown.split(/\r?\n/);
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const mark = FENCE.exec(lines[at]!)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    const head = fence === undefined && mark === undefined ? cellsOf(lines[at]!) : undefined;
    const delimiters = head && cellsOf(lines[at + 1] ?? '');
    if (!delimiters || delimiters.length !== head.length || !delimiters.every((cell) => DELIMITER.test(cell))) continue;
    const rows: string[][] = [];
    at += 2;
    for (let cells = cellsOf(lines[at] ?? ''); cells; cells = cellsOf(lines[(at += 1)] ?? ''))
      rows.push(head.map((_, index) => visible(cells?.[index] ?? '')));
    tables.push({ columns: head.map((name) => ({ name: visible(name), type: '' })), rows, totalRows: rows.length });
    at -= 1;
  }
  return tables;
}

/** @returns the cells of a row, still in Markdown; undefined for a line without any `|` */
function cellsOf(line: string): string[] | undefined {
  if (!line.includes('|') || /^(?: {4}|\t)/.test(line)) return undefined;
  const row = line.trim();
  const cells: string[] = [''];
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at += 1) {
    const sign = row[at]!;
    if (sign === '|') cells.push('');
    else if (sign === '\\' && at + 1 < row.length) cells.push(cells.pop()! + sign + row[(at += 1)]!);
    else cells.push(cells.pop()! + sign);
  }
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

/** Private characters stand for escaped signs, which are no markup. */
const PRIVATE = 0xe000;
const escaped = (sign: string): string => String.fromCharCode(PRIVATE + sign.charCodeAt(0));

const MARKUP: readonly [RegExp, string][] = [
  [/<br ?\/?>/gi, ' '],
  [/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1'],
  [/(\*\*|__|~~)([^*_~]+)\1/g, '$2'],
  [/\*([^*\s][^*]*)\*/g, '$1'],
  [/(?<!\w)_([^_\s][^_]*)_(?!\w)/g, '$1'],
];

function visible(cell: string): string {
  const plain = cell
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => escaped(sign))
    .replace(/`([^`]+)`/g, (_, code: string) => code.replace(/[!-/:-@[-`{-~]/g, escaped));
  return MARKUP.reduce((text, [pattern, kept]) => text.replace(pattern, kept), plain).replace(
    /[\ue021-\ue07e]/g,
    (sign) => String.fromCharCode(sign.charCodeAt(0) - PRIVATE),
  );
}
