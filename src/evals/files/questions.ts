/** Reads all question tests of a project: the platform's, ours, and the access tests. */
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import type { Range, SourceFile } from '../../shared/text/sourceFile.ts';
import {
  type AccessRule,
  type Baseline,
  type Question,
  type Problem,
  type QuestionSet,
  kindOfFile,
  nameKey,
} from '../question.ts';
import { textOf, YamlFile } from './yaml.ts';
import { readBaseline } from './baseline.ts';
import { readAgentConfig, readCertifiedQuery, type CertifiedQuery } from './certifiedQueries.ts';

/** A question whose certified query has not been looked up yet. */
interface ReadQuestion {
  question: Question;
  certifiedQuery?: string;
  /** Adds an error at the question's name, or at the name of its certified query. */
  report: (at: 'name' | 'certifiedQuery', message: string) => void;
}

/**
 * @param isOwn for `.analytics-chat/questions.yml`, in which the expected result is optional and `as` names an identity
 */
function readQuestions(file: SourceFile, isOwn: boolean, problems: Problem[]): ReadQuestion[] {
  const yaml = new YamlFile(file, problems);
  return entriesAt(yaml, 'eval_questions').flatMap((entry) => readQuestion(yaml, entry, isOwn) ?? []);
}

/** @returns the entries of the list that is the file's content; an empty file has none */
function entriesAt(yaml: YamlFile, key: string): Node[] {
  const { root } = yaml;
  const list = isMap(root) ? yaml.member(root, key) : undefined;
  const isEmpty = root === undefined || (isScalar(root) && textOf(root) === undefined);
  if (!isEmpty && (!isMap(root) || (list === undefined && root.items.length > 0)))
    yaml.report(root, t('“{0}” is missing.', key));
  if (isMap(list) || textOf(list) !== undefined) yaml.report(list, t('“{0}” must be a list.', key));
  return yaml.entries(list);
}

function readQuestion(yaml: YamlFile, entry: Node, isOwn: boolean): ReadQuestion | undefined {
  if (!isMap(entry)) {
    yaml.report(entry, t('A question must have the keys {0}.', 'name, question, sql'));
    return undefined;
  }
  const nameNode = yaml.member(entry, 'name');
  const queryNode = yaml.member(entry, 'certifiedQuery');
  const name = textOf(nameNode);
  const text = textOf(yaml.member(entry, 'question'));
  const sql = textOf(yaml.member(entry, 'sql'));
  const certifiedQuery = textOf(queryNode);
  const identity = isOwn ? textOf(yaml.member(entry, 'as')) : undefined;
  const count = [sql, certifiedQuery].filter((expected) => expected !== undefined).length;
  if (name === undefined) yaml.report(entry, t('“{0}” is missing.', 'name'));
  if (text === undefined) yaml.report(entry, t('“{0}” is missing.', 'question'));
  if (count > 1) yaml.report(entry, t('Set either “sql” or “certifiedQuery”, not both.'));
  if (count === 0 && !isOwn) yaml.report(entry, t('Set “sql” or “certifiedQuery” to define the expected result.'));
  if (name === undefined || text === undefined || count > 1 || (count === 0 && !isOwn)) return undefined;
  return {
    question: {
      name,
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

/** @returns one question for each expectation, named `revenue as europe` */
function readAccess(file: SourceFile, problems: Problem[]): ReadQuestion[] {
  const yaml = new YamlFile(file, problems);
  return entriesAt(yaml, 'access').flatMap((entry) => readAccessTest(yaml, entry));
}

function readAccessTest(yaml: YamlFile, entry: Node): ReadQuestion[] {
  if (!isMap(entry)) {
    yaml.report(entry, t('An access test must have the keys {0}.', 'name, question, expect'));
    return [];
  }
  const nameNode = yaml.member(entry, 'name');
  const [name, text] = [textOf(nameNode), textOf(yaml.member(entry, 'question'))];
  const list = yaml.member(entry, 'expect');
  const expectations = yaml.entries(list);
  if (name === undefined) yaml.report(entry, t('“{0}” is missing.', 'name'));
  if (text === undefined) yaml.report(entry, t('“{0}” is missing.', 'question'));
  if (isMap(list)) yaml.report(list, t('“{0}” must be a list.', 'expect'));
  else if (expectations.length === 0) yaml.report(entry, t('“{0}” is missing.', 'expect'));
  if (name === undefined || text === undefined) return [];
  return expectations.flatMap((expectation) => {
    const read = readExpectation(yaml, expectation);
    if (read === undefined) return [];
    const range = yaml.rangeOf(expectation);
    return [
      {
        question: { name: `${name} as ${read.identity}`, text, ...read, path: yaml.path, range },
        report: (_at: string, message: string) => yaml.report(expectation, message),
      },
    ];
  });
}

function readExpectation(yaml: YamlFile, node: Node): { identity: string; access: AccessRule } | undefined {
  const identity = isMap(node) ? textOf(yaml.member(node, 'as')) : undefined;
  if (!isMap(node) || identity === undefined) {
    yaml.report(node, t('“{0}” is missing.', 'as'));
    return undefined;
  }
  const [rule, other] = (['only', 'empty', 'same_as'] as const).filter((key) => yaml.member(node, key));
  const access = rule && !other ? readRule(yaml, rule, yaml.member(node, rule)) : undefined;
  if (access) return { identity, access };
  yaml.report(node, t('Set one of “only” (columns and values), “empty: true” or “same_as” (an identity).'));
  return undefined;
}

function readRule(yaml: YamlFile, key: 'only' | 'empty' | 'same_as', value: Node | undefined): AccessRule | undefined {
  if (key === 'only') return readOnly(yaml, value);
  const text = textOf(value);
  if (key === 'empty') return text === 'true' ? { kind: 'empty' } : undefined;
  return text === undefined ? undefined : { kind: 'sameAs', identity: text };
}

/** Reads allowed values by column: `{region: Europe, status: [Shipped, Delivered]}`. */
function readOnly(yaml: YamlFile, node: Node | undefined): AccessRule | undefined {
  if (!isMap(node)) return undefined;
  const values = new Map<string, string[]>();
  for (const { key } of node.items) {
    const column = textOf(key as Node);
    if (column === undefined) return undefined;
    const value = yaml.member(node, column);
    const allowed = (isSeq(value) ? yaml.entries(value) : [value]).map(textOf);
    if (allowed.length === 0 || !allowed.every((one) => one !== undefined)) return undefined;
    values.set(column, allowed);
  }
  return values.size > 0 ? { kind: 'only', values } : undefined;
}

/** Characters of a file; a larger one would block the extension host for seconds. */
const MOST_CHARACTERS = 500_000;
/** Characters of all files. */
const MOST_IN_ALL = 4_000_000;

/**
 * @param files any files of the project; those without question tests are ignored
 * @returns the valid questions in the order of the files, and every error in every file
 */
export function readQuestionSet(files: readonly SourceFile[]): QuestionSet {
  const problems: Problem[] = [];
  const read: ReadQuestion[][] = [];
  const queries: CertifiedQuery[][] = [];
  const baselines: Named<Baseline>[] = [];
  let characters = 0;
  for (const file of files) {
    const kind = kindOfFile(file.path);
    if (kind === undefined) continue;
    const unreadable = unreadableReason(file, characters);
    if (unreadable !== undefined) {
      problems.push({ path: file.path, range: FILE_START, message: unreadable });
      continue;
    }
    characters += file.text.length;
    switch (kind) {
      case 'questions':
      case 'ownQuestions':
        read.push(readQuestions(file, kind === 'ownQuestions', problems));
        break;
      case 'access':
        read.push(readAccess(file, problems));
        break;
      case 'certifiedQuery':
        queries.push(readCertifiedQuery(file, problems));
        break;
      case 'agentConfig':
        queries.push(readAgentConfig(file, problems));
        break;
      case 'baseline': {
        const baseline = readBaseline(file, problems);
        if (baseline) baselines.push({ ...baseline, range: FILE_START });
        break;
      }
    }
  }
  const certified = byName(queries.flat(), problems);
  const questions = resolve(read.flat(), certified, byName(baselines, problems));
  return { questions, certifiedQueries: [...certified.keys()], problems };
}

/** @param before characters of the files that have been read */
function unreadableReason({ text, error }: SourceFile, before: number): string | undefined {
  if (error !== undefined) return error;
  if (text.length > MOST_CHARACTERS)
    return t('This file is not read: it has more than {0} characters.', MOST_CHARACTERS.toLocaleString());
  if (before + text.length > MOST_IN_ALL)
    return t('This file is not read: the question tests have more than {0} characters.', MOST_IN_ALL.toLocaleString());
  return undefined;
}

type Named<T> = T & { name: string; path: string; range: Range };

const FILE_START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Keeps the first expected result with a name, and reports others with that name. */
function byName<T>(all: readonly Named<T>[], problems: Problem[]): Map<string, Named<T>> {
  const found = new Map<string, Named<T>>();
  for (const each of all) {
    const first = found.get(each.name);
    if (first) problems.push({ path: each.path, range: each.range, message: alreadyUsed(first) });
    else found.set(each.name, each);
  }
  return found;
}

const alreadyUsed = ({ name, path, range }: Pick<Named<unknown>, 'name' | 'path' | 'range'>): string =>
  t('The name “{0}” is already used at {1}:{2}', name, path, range.start.line + 1);

/** Drops duplicates and questions with an unknown certified query, each with an error. */
function resolve(
  read: readonly ReadQuestion[],
  queries: ReadonlyMap<string, CertifiedQuery>,
  baselines: ReadonlyMap<string, Baseline>,
): Question[] {
  const questions = new Map<string, Question>();
  for (const { question, certifiedQuery, report } of read) {
    const { name } = question;
    const first = questions.get(nameKey(name));
    const query = certifiedQuery === undefined ? undefined : queries.get(certifiedQuery);
    if (first) {
      const { path, range } = first;
      const message =
        name === first.name
          ? alreadyUsed(first)
          : t(
              'The name “{0}” differs only in case from “{1}” at {2}:{3}',
              name,
              first.name,
              path,
              range.start.line + 1,
            );
      report('name', message);
      continue;
    }
    if (certifiedQuery !== undefined && query === undefined) {
      report('certifiedQuery', t('There is no certified query “{0}”.', certifiedQuery));
      continue;
    }
    const baseline = baselines.get(name);
    questions.set(nameKey(name), {
      ...question,
      ...(query ? { expectedSql: { sql: query.sql, certifiedQuery: query.name } } : {}),
      ...(baseline ? { baseline } : {}),
    });
  }
  return [...questions.values()];
}
