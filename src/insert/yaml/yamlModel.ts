/** Distinguishes YAML files of the data model from others. */
import { isBlank } from '../../shared/text/lines.ts';
import { warn } from '../writing.ts';
import type { InsertWarning, SourceDocument, Span } from '../types.ts';
import type { YamlReading } from './yamlReader.ts';
import type { YamlEntry } from './yamlTree.ts';

const MODEL = /^(["']?)(?:cubes|views)\1[ \t]*:/m;
const MODEL_FOLDER = /(^|[\\/])(model|schema|cubes|views)[\\/]/i;

/** @returns whether the file has cubes or views at its root, or is an empty one in a folder of the data model */
export const isYamlModel = ({ text, fileName }: SourceDocument): boolean =>
  MODEL.test(text) || (isBlank(text) && MODEL_FOLDER.test(fileName));

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
