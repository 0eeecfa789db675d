/** An accepted result, `.analytics-chat/baselines/<name>.yml`: readable in a git diff, with every digit. */
import type { Node } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import type { Column, ResultTable } from '../../shared/wire/toolPayloads.ts';
import { isMap, isScalar, sourceOf, textOf, YamlFile } from '../files/yaml.ts';
import type { Problem, SourceFile } from '../files/sourceFile.ts';

export interface Baseline {
  /** Name of the question. */
  name: string;
  question: string;
  branch: string;
  identity: string;
  /** When it was accepted, ISO 8601. */
  time: string;
  sql: string;
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[];
}

export const tableOf = ({ columns, rows }: Baseline): ResultTable => ({ columns, rows, totalRows: rows.length });

/** @returns the baseline, or `undefined` with its errors in `problems` */
export function readBaseline(file: SourceFile, problems: Problem[]): Baseline | undefined {
  const yaml = new YamlFile(file, problems);
  const { root } = yaml;
  if (!isMap(root)) {
    yaml.report(root, t('“{0}” is missing.', 'name'));
    return undefined;
  }
  const field = (key: string): string => textOf(yaml.member(root, key)) ?? '';
  const name = field('name');
  const columnNodes = yaml.entries(yaml.member(root, 'columns'));
  const rowNodes = yaml.entries(yaml.member(root, 'rows'));
  if (name === '') yaml.report(root, t('“{0}” is missing.', 'name'));
  if (columnNodes.length === 0) yaml.report(root, t('“{0}” is missing.', 'columns'));
  const columns = columnNodes.map((node): Column => {
    const [column = '', type = ''] = isMap(node)
      ? ['name', 'type'].map((key) => rawText(yaml.member(node, key)))
      : [rawText(node)];
    return { name: column, type };
  });
  const rows = rowNodes.map((node) => yaml.entries(node).map((cell) => readCell(cell)));
  const short = rows.findIndex((row) => row.length !== columns.length);
  if (short >= 0) yaml.report(rowNodes[short], t('The number of cells in this row doesn’t match the columns.'));
  if (name === '' || columns.length === 0 || short >= 0) return undefined;
  return {
    name,
    question: field('question'),
    branch: field('branch'),
    identity: field('identity'),
    time: field('accepted'),
    sql: field('sql'),
    columns,
    rows,
  };
}

const rawText = (node: Node | undefined): string => (isScalar(node) ? String(node.value ?? '') : '');

/** Numbers keep their digits as text. */
function readCell(node: Node): unknown {
  if (!isScalar(node)) return JSON.stringify(node.toJSON());
  return typeof node.value === 'number' || typeof node.value === 'bigint' ? sourceOf(node) : node.value;
}
