/** Distinguishes YAML files of the data model from others. */
import { warn } from '../writing.ts';
import type { InsertWarning, SourceDocument, Span } from '../types.ts';
import type { YamlReading } from './yamlReader.ts';
import type { YamlEntry } from './yamlTree.ts';

/** Top-level keys of data model files; a file with other keys is not one. */
const MODEL_KEYS =
  /^(cubes|views|name|title|description|public|sql|sql_?table|sql_?alias|extends|data_?source|measures|dimensions|segments|joins|hierarchies|pre_?aggregations|type|filters|meta|drill_members|case|format|primary_key)$/i;
const MODEL_FOLDER = /(^|[\\/])(model|schema|cubes|views)[\\/]/i;
/** A key at the start of a line, or with a dash or two spaces before it, as in a list. */
const TOP_LEVEL_KEY = /^(- +| {2})?(["']?)([^\s#"'%&*[\]{}|>-].*?)\2:(?=\s|$)/gm;

/** Matches what precedes the first item of a file that is an indented list, with its indentation. */
const INDENTED_LIST = /^(?:---.*\n|[ \t]*(?:#.*)?\n)*( +)(?=- )/;

export function isYamlModel({ text: file, fileName }: SourceDocument): boolean {
  const text = `\n${file}`.replaceAll(`\n${INDENTED_LIST.exec(file)?.[1] ?? ''}`, '\n');
  const found = [...text.matchAll(TOP_LEVEL_KEY)].map(([, indent, , key = '']) => ({
    key: key.trimEnd(),
    isItem: indent !== undefined,
  }));
  const entries = /^- /m.test(text) ? found : found.filter(({ isItem }) => !isItem);
  const keys = entries.map(({ key }) => key);
  if (keys.some((key) => key === 'cubes' || key === 'views')) return true;
  // Everything with a type in a data model has a name; without a name, the file has another purpose.
  const describesFile = !keys.includes('name') && entries.some(({ key, isItem }) => key === 'type' && !isItem);
  if (!describesFile && keys.every((key) => MODEL_KEYS.test(key))) return true;
  return MODEL_FOLDER.test(fileName) && !keys.includes('version');
}

/** @returns warnings about SQL that the platform's compiler rejects: next to a table name, or in a view */
export function modelConflicts(
  key: string | undefined,
  siblings: readonly YamlEntry[],
  { entries }: YamlReading,
  at: Span,
): InsertWarning[] {
  if (key !== 'sql') return [];
  const top = entries.findLast((entry) => entry.column === 0 && entry.key !== undefined && entry.start <= at.start);
  return [
    ...(siblings.some((entry) => /^sql_?table$/i.test(entry.key ?? '')) ? [warn('duplicateKey', 'sql_table')] : []),
    ...(top?.key === 'views' ? [warn('rootKey', 'views')] : []),
  ];
}
