/** Reads the questions of a file. */
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { hasNoResult, type Behavior, type Problem, type TestQuestion } from '../question.ts';
import { isTrue, scalarText, YamlFile } from './yaml.ts';

/** A question whose certified query has not been looked up yet. */
export interface ReadQuestion {
  question: TestQuestion;
  certifiedQuery?: string;
  turns?: readonly ReadQuestion[];
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
  const name = scalarText(nameNode);
  const space = scalarText(yaml.member(entry, 'space')) ?? shared;
  const identity = isOwn ? scalarText(yaml.member(entry, 'as')) : undefined;
  if (name === undefined) yaml.report(entry, t('“{0}” is missing.', 'name'));
  const common = {
    name: name ?? '',
    ...(space === undefined ? {} : { space }),
    ...(identity === undefined ? {} : { identity }),
    path: yaml.path,
  };
  const turns = isOwn ? yaml.member(entry, 'turns') : undefined;
  const read = turns ? readTurns(yaml, entry, turns, common) : readTurn(yaml, entry, common, isOwn);
  if (name === undefined || read === undefined) return undefined;
  return {
    ...read,
    report: (at, message) => (at === 'name' ? yaml.report(nameNode, message) : read.report(at, message)),
  };
}

type Common = Pick<TestQuestion, 'name' | 'space' | 'identity' | 'path'>;

/** Reads a question with turns, which are questions in one thread. */
function readTurns(yaml: YamlFile, entry: YAMLMap, node: Node, common: Common): ReadQuestion | undefined {
  const key = TURN_KEYS.find((each) => yaml.member(entry, each));
  if (key !== undefined) yaml.report(entry, t('“{0}” can’t be combined with “{1}”.', 'turns', key));
  const entries = yaml.entries(node);
  if (entries.length === 0) yaml.report(node, t('“{0}” must be a list.', 'turns'));
  const turns = entries.map((turn) => {
    if (isMap(turn)) return readTurn(yaml, turn, common, true);
    yaml.report(turn, t('A turn must have the keys {0}.', TURN_KEYS.join(', ')));
    return undefined;
  });
  if (key !== undefined || turns.length === 0 || !turns.every((turn) => turn !== undefined)) return undefined;
  const text = turns.map(({ question }) => question.text).join(' → ');
  return { question: { ...common, text, range: yaml.rangeOf(entry) }, turns, report: () => undefined };
}

const TURN_KEYS = ['question', 'sql', 'certifiedQuery', 'expect'] as const;

/** Reads what is asked and expected. */
function readTurn(yaml: YamlFile, entry: YAMLMap, common: Common, isOwn: boolean): ReadQuestion | undefined {
  const [text, sql, certifiedQuery] = (['question', 'sql', 'certifiedQuery'] as const).map((key) =>
    scalarText(yaml.member(entry, key)),
  );
  const expect = isOwn ? yaml.member(entry, 'expect') : undefined;
  const behavior = expect && readBehavior(yaml, expect);
  const results = [...(sql === undefined ? [] : ['sql']), ...(certifiedQuery === undefined ? [] : ['certifiedQuery'])];
  const hasNone = results.length === 0 && !isOwn;
  const isContrary = results.length > 0 && behavior !== undefined && hasNoResult({ behavior });
  if (text === undefined) yaml.report(entry, t('“{0}” is missing.', 'question'));
  if (results.length > 1) yaml.report(entry, t('Set either “sql” or “certifiedQuery”, not both.'));
  if (hasNone) yaml.report(entry, t('Set “sql” or “certifiedQuery” to define the expected result.'));
  if (isContrary) yaml.report(expect, t('An answer without a query can’t have the result of “{0}”.', results[0]!));
  if (text === undefined || results.length > 1 || hasNone || isContrary || (expect && !behavior)) return undefined;
  return {
    question: {
      ...common,
      text,
      ...(sql === undefined ? {} : { expectedSql: { sql } }),
      ...(behavior ? { behavior } : {}),
      range: yaml.rangeOf(entry),
    },
    ...(certifiedQuery === undefined ? {} : { certifiedQuery }),
    report: (_, message) => yaml.report(yaml.member(entry, 'certifiedQuery'), message),
  };
}

/** @returns undefined for a rule that is not valid, with an error */
function readBehavior(yaml: YamlFile, node: Node): Behavior | undefined {
  const keys = isMap(node) ? yaml.keysOf(node) : [];
  const value = (key: string): Node | undefined => (isMap(node) ? yaml.member(node, key) : undefined);
  const membersOf = (key: string): (string | undefined)[] => {
    const list = value(key);
    if (list === undefined) return [];
    return (isSeq(list) ? yaml.entries(list) : [list]).map(scalarText);
  };
  const [uses, avoids] = [membersOf('uses'), membersOf('avoids')];
  const flags = ['asks_back', 'no_query'].filter((key) => value(key));
  const isValid =
    keys.length > 0 &&
    keys.every((key) => BEHAVIOR_KEYS.includes(key ?? '')) &&
    flags.every((key) => isTrue(value(key))) &&
    [...uses, ...avoids].every((member) => member !== undefined) &&
    // The SQL of an answer without a query has no members.
    (flags.length === 0 || flags.length === keys.length) &&
    flags.length + uses.length + avoids.length > 0;
  if (!isValid) {
    yaml.report(
      node,
      t('Set “asks_back: true” or “no_query: true” in “expect”, or else “uses” or “avoids” with names of members.'),
    );
    return undefined;
  }
  return {
    ...(flags.includes('asks_back') ? { asksBack: true } : {}),
    ...(flags.includes('no_query') ? { noQuery: true } : {}),
    ...{ uses: uses.flatMap((each) => each ?? []), avoids: avoids.flatMap((each) => each ?? []) },
  };
}

const BEHAVIOR_KEYS = ['asks_back', 'no_query', 'uses', 'avoids'];
