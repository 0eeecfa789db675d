/** Reads the questions of a file. */
import { isMap, isScalar, type Node } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { Problem, TestQuestion } from '../question.ts';
import { scalarText, YamlFile } from './yaml.ts';

/** A question whose certified query has not been looked up yet. */
export interface ReadQuestion {
  question: TestQuestion;
  certifiedQuery?: string;
  /** Adds an error at the question's name, or at the name of its certified query. */
  report: (at: 'name' | 'certifiedQuery', message: string) => void;
}

/**
 * @param isOwn for `.analytics-chat/questions.yml`, in which the expected result is optional and `as` names an identity
 */
export function readQuestions(file: SourceFile, isOwn: boolean, problems: Problem[]): ReadQuestion[] {
  const yaml = new YamlFile(file, problems);
  const space = isMap(yaml.root) ? scalarText(yaml.member(yaml.root, 'space')) : undefined;
  return entriesAt(yaml, 'eval_questions').flatMap((entry) => readQuestion(yaml, entry, { isOwn, space }) ?? []);
}

/** @returns the entries of the list that is the file's content; an empty file has none */
export function entriesAt(yaml: YamlFile, key: string): Node[] {
  const { root } = yaml;
  const list = isMap(root) ? yaml.member(root, key) : undefined;
  const isEmpty = root === undefined || (isScalar(root) && scalarText(root) === undefined);
  if (!isEmpty && (!isMap(root) || (list === undefined && root.items.length > 0)))
    yaml.report(root, t('“{0}” is missing.', key));
  if (isMap(list) || scalarText(list) !== undefined) yaml.report(list, t('“{0}” must be a list.', key));
  return yaml.entries(list);
}

interface FileOptions {
  isOwn: boolean;
  /** The space of the questions that name none. */
  space: string | undefined;
}

function readQuestion(yaml: YamlFile, entry: Node, { isOwn, space: shared }: FileOptions): ReadQuestion | undefined {
  if (!isMap(entry)) {
    yaml.report(entry, t('A question must have the keys {0}.', 'name, question, sql'));
    return undefined;
  }
  const nameNode = yaml.member(entry, 'name');
  const queryNode = yaml.member(entry, 'certifiedQuery');
  const name = scalarText(nameNode);
  const text = scalarText(yaml.member(entry, 'question'));
  const sql = scalarText(yaml.member(entry, 'sql'));
  const certifiedQuery = scalarText(queryNode);
  const space = scalarText(yaml.member(entry, 'space')) ?? shared;
  const identity = isOwn ? scalarText(yaml.member(entry, 'as')) : undefined;
  const count = [sql, certifiedQuery].filter((expected) => expected !== undefined).length;
  if (name === undefined) yaml.report(entry, t('“{0}” is missing.', 'name'));
  if (text === undefined) yaml.report(entry, t('“{0}” is missing.', 'question'));
  if (count > 1) yaml.report(entry, t('Set either “sql” or “certifiedQuery”, not both.'));
  if (count === 0 && !isOwn) yaml.report(entry, t('Set “sql” or “certifiedQuery” to define the expected result.'));
  if (name === undefined || text === undefined || count > 1 || (count === 0 && !isOwn)) return undefined;
  return {
    question: {
      name,
      ...(space === undefined ? {} : { space }),
      text,
      ...(identity === undefined ? {} : { identity }),
      ...(sql === undefined ? {} : { expectedSql: { sql } }),
      path: yaml.path,
      range: yaml.rangeOf(entry),
    },
    ...(certifiedQuery === undefined ? {} : { certifiedQuery }),
    report: (at, message) => yaml.report(at === 'name' ? nameNode : queryNode, message),
  };
}
