/**
 * Reads and writes accepted results, `.analytics-chat/baselines/<name>.yml`: with every digit, and one sorted line per
 * row, so that a git diff shows exactly the changed rows.
 */
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { cellText, isNull, numberText, typeColumns, type Row, type TypedColumn } from '../../shared/results/cells.ts';
import { compareNumeric } from '../../shared/results/decimal.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Column, ResultTable } from '../../shared/wire/toolPayloads.ts';
import { quotedScalar, sourceOf, scalarText, YamlFile } from './yaml.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { Problem, Baseline } from '../question.ts';

export const tableOf = ({ columns, rows }: Baseline): ResultTable => ({ columns, rows, totalRows: rows.length });

/** @returns the baseline, or `undefined` with its errors in `problems` */
export function readBaseline(file: SourceFile, problems: Problem[]): Baseline | undefined {
  const yaml = new YamlFile(file, problems);
  const { root } = yaml;
  if (!isMap(root)) {
    yaml.report(root, t('“{0}” is missing.', 'name'));
    return undefined;
  }
  const field = (key: string): string => scalarText(yaml.member(root, key)) ?? '';
  const name = field('name');
  const list = yaml.member(root, 'columns');
  const columnNodes = yaml.entries(list);
  const rowNodes = yaml.entries(yaml.member(root, 'rows'));
  if (name === '') yaml.report(root, t('“{0}” is missing.', 'name'));
  // An empty result may have come without columns.
  if (!isSeq(list)) yaml.report(root, t('“{0}” is missing.', 'columns'));
  const columns = columnNodes.map((node): Column => {
    const [column = '', type = ''] = isMap(node)
      ? ['name', 'type'].map((key) => rawText(yaml.member(node, key)))
      : [rawText(node)];
    return { name: column, type };
  });
  const rows = rowNodes.map((node) => yaml.entries(node).map((cell) => readCell(cell)));
  const short = rows.findIndex((row) => row.length !== columns.length);
  if (short >= 0) yaml.report(rowNodes[short], t('The number of cells in this row doesn’t match the columns.'));
  if (name === '' || !isSeq(list) || short >= 0) return undefined;
  const space = field('space') || undefined;
  return { name, space, path: file.path, sql: field('sql'), columns, rows };
}

const rawText = (node: Node | undefined): string => (isScalar(node) ? String(node.value ?? '') : '');

/** Returns numbers as text, so that they keep all digits. */
function readCell(node: Node): unknown {
  if (!isScalar(node)) return JSON.stringify(node.toJSON());
  return typeof node.value === 'number' ? sourceOf(node) : node.value;
}

const FOLDER = '.analytics-chat/baselines';
/** Names that Windows reserves, whatever the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** @returns the path of a question's baseline */
export const baselinePath = ({ name, space }: Pick<Baseline, 'name' | 'space'>): string =>
  `${FOLDER}/${fileNameOf(space === undefined ? name : `${space}/${name}`)}.yml`;

/** Bytes of a file name without its extension; most file systems allow 255 with it. */
const LONGEST_NAME = 240;

/**
 * @returns a file name without extension; characters that are not allowed in file names are percent-encoded, and a hash
 * replaces the end of a long one
 */
export function fileNameOf(name: string): string {
  const parts = Array.from(name, (character) =>
    /[\p{L}\p{N}_ -]/u.test(character)
      ? character
      : [...bytesOf(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  const safe = parts.join('');
  if (bytesOf(safe).length > LONGEST_NAME) {
    const hash = hashOf(name);
    let room = LONGEST_NAME - hash.length - 1;
    const end = parts.findIndex((part) => (room -= bytesOf(part).length) < 0);
    return `${parts.slice(0, end).join('')}-${hash}`;
  }
  return RESERVED.test(safe) || /[ ]$/.test(safe) ? `${safe}_` : safe;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** @returns 16 hexadecimal digits (FNV-1a), the same in every version */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytesOf(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

/** @returns the text of the file; columns with the same names as in the replaced baseline keep their order */
function writeBaseline({ question, sql, table, branch, identity, time }: AcceptedResult): string {
  const order = columnOrder(table, question.baseline);
  const all = typeColumns(table.columns, table.rows);
  const columns = order.flatMap((index) => all[index] ?? []);
  const rows = table.rows.map((row) => order.map((index) => row[index])).sort(byCells(columns));
  const lines = [
    '# An accepted result. Analytics Chat compares the answers to this question with it.',
    `name: ${quotedScalar(question.name)}`,
    ...(question.space === undefined ? [] : [`space: ${quotedScalar(question.space)}`]),
    `question: ${quotedScalar(question.text)}`,
    `branch: ${quotedScalar(branch)}`,
    `identity: ${quotedScalar(identity)}`,
    `accepted: ${quotedScalar(new Date(time).toISOString())}`,
    ...sqlLines(sql),
    columns.length === 0 ? 'columns: []' : 'columns:',
    ...columns.map(({ name, type, kind }) => `  - {name: ${quotedScalar(name)}, type: ${quotedScalar(type || kind)}}`),
    rows.length === 0 ? 'rows: []' : 'rows:',
    ...rows.map((row) => `  - [${row.map((cell, index) => cellSource(cell, columns[index]!)).join(', ')}]`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes a literal block if YAML reads it back unchanged, otherwise a quoted string. */
function sqlLines(sql: string): string[] {
  const isPlain =
    sql.trim() === sql && !/^[ \t]+$/m.test(sql) && /^[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff]*$/.test(sql);
  if (!isPlain) return [`sql: ${quotedScalar(sql)}`];
  return ['sql: |-', ...sql.split('\n').map((line) => (line === '' ? '' : `  ${line}`))];
}

function cellSource(cell: unknown, { kind }: TypedColumn): string {
  if (isNull(cell)) return 'null';
  if (typeof cell === 'boolean') return String(cell);
  const digits = typeof cell === 'string' && kind !== 'number' ? undefined : numberText(cell);
  // Quote numbers with a plus sign or with a point at either end, which YAML reads differently.
  if (digits !== undefined && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits)) return digits;
  return quotedScalar(cellText(cell));
}

/** @returns the columns in the order of the replaced baseline, if it has the same names and each once */
function columnOrder({ columns }: ResultTable, previous: Baseline | undefined): number[] {
  const names = columns.map(({ name }) => name);
  const before = previous?.columns.map(({ name }) => names.indexOf(name)) ?? [];
  const isSame = before.length === names.length && names.every((_, index) => before.includes(index));
  return isSame ? before : [...names.keys()];
}

const byCells =
  (columns: readonly TypedColumn[]) =>
  (left: Row, right: Row): number => {
    for (const [index, { kind }] of columns.entries()) {
      const [a, b] = [left[index], right[index]];
      if (isNull(a) !== isNull(b)) return isNull(a) ? -1 : 1;
      const [x, y] = kind === 'number' ? [numberText(a), numberText(b)] : [];
      const [textA, textB] = [cellText(a), cellText(b)];
      const byText = Number(textA > textB) - Number(textA < textB);
      const byNumber = x !== undefined && y !== undefined ? compareNumeric(x, y) : 0;
      // Equal numbers can differ in their text, such as 1.5 and 1.50.
      const order = byNumber || byText;
      if (order !== 0) return order;
    }
    return 0;
  };

/** A result that becomes the baseline of a question with *Accept as Expected*. */
interface AcceptedResult {
  question: { name: string; space?: string; text: string; baseline?: Baseline };
  sql: string;
  table: ResultTable;
  branch: string;
  identity: string;
  /** Unix milliseconds. */
  time: number;
}

/**
 * @returns the file to write
 * @throws Error for a result with only a part of its rows
 */
export function acceptResult(result: AcceptedResult): SourceFile {
  const { rows, totalRows } = result.table;
  if (rows.length < totalRows)
    throw new Error(
      t(
        'Can’t accept {0} of {1} rows. Set a data query URL that returns all of them.',
        rows.length,
        totalRows.toLocaleString(),
      ),
    );
  // Files written by hand may have another name.
  const path = result.question.baseline?.path ?? baselinePath(result.question);
  return { path, text: writeBaseline(result) };
}
