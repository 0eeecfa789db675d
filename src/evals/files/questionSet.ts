/** Reads all question tests of a project: the platform's, ours, and the access tests. */
import { quotedNames, t } from '../../shared/text/l10n.ts';
import type { Range, SourceFile } from '../../shared/text/sourceFile.ts';
import {
  questionKey,
  type Baseline,
  type CertifiedQuery,
  type Problem,
  type TestQuestion,
  type QuestionSet,
} from '../question.ts';
import { readAccess } from './accessTests.ts';
import { readBaseline } from './baseline.ts';
import { readAgentConfig, readCertifiedQuery } from './certifiedQueries.ts';
import { AGENTS_PATH } from '../../shared/text/agentsPath.ts';
import { kindOfFile } from './layout.ts';
import { readQuestions, type ReadQuestion } from './questions.ts';

/** Characters of a file; a larger one would block the extension host for seconds. */
const MOST_CHARACTERS = 500_000;
/** Characters of all files. */
const MOST_IN_ALL = 4_000_000;

/**
 * @param files any files of the project; those without question tests are ignored
 * @param agentsPath the folder of the platform's files
 * @returns the valid questions in the order of the files, and every error in every file
 */
export function readQuestionSet(files: readonly SourceFile[], agentsPath = AGENTS_PATH): QuestionSet {
  const problems: Problem[] = [];
  const read: ReadQuestion[][] = [];
  const queries: CertifiedQuery[][] = [];
  const baselines: Named<Baseline>[] = [];
  let characters = 0;
  for (const file of files) {
    const kind = kindOfFile(file.path, agentsPath);
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
  const certified = new CertifiedQueries(unique(queries.flat(), problems));
  const questions = resolve(read.flat(), certified, unique(baselines, problems));
  return { questions, certifiedQueries: certified.all, problems };
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

type Named<T> = T & { name: string; space?: string; path: string; range: Range };

const FILE_START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const keyOf = ({ name, space }: { name: string; space?: string }): string => JSON.stringify([space, name]);

/** Keeps the first expected result with a name in a space, and reports others with that name. */
function unique<T>(all: readonly Named<T>[], problems: Problem[]): Map<string, Named<T>> {
  const found = new Map<string, Named<T>>();
  for (const each of all) {
    const first = found.get(keyOf(each));
    if (first) problems.push({ path: each.path, range: each.range, message: alreadyUsed(first) });
    else found.set(keyOf(each), each);
  }
  return found;
}

const alreadyUsed = ({ name, path, range }: Pick<Named<unknown>, 'name' | 'path' | 'range'>): string =>
  t('The name “{0}” is already used at {1}:{2}', name, path, range.start.line + 1);

class CertifiedQueries {
  readonly #queries: ReadonlyMap<string, CertifiedQuery>;

  constructor(queries: ReadonlyMap<string, CertifiedQuery>) {
    this.#queries = queries;
  }

  get all(): CertifiedQuery[] {
    return [...this.#queries.values()];
  }

  /**
   * Looks in a space, then among the queries without a space, then in all other spaces.
   * @returns more than one query if several other spaces have the name
   */
  find(name: string, space: string | undefined): CertifiedQuery[] {
    const own = this.#queries.get(keyOf({ name, space })) ?? this.#queries.get(keyOf({ name }));
    return own ? [own] : [...this.#queries.values()].filter((query) => query.name === name);
  }
}

/** Drops duplicates and questions with an unknown certified query, each with an error. */
function resolve(
  read: readonly ReadQuestion[],
  queries: CertifiedQueries,
  baselines: ReadonlyMap<string, Baseline>,
): TestQuestion[] {
  const questions = new Map<string, TestQuestion>();
  for (const each of read) {
    const first = questions.get(questionKey(each.question));
    if (first) each.report('name', duplicateMessage(each.question.name, first));
    const question = first ? undefined : withExpectedSql(each, queries);
    if (question === undefined) continue;
    const baseline = question.turns ? undefined : baselines.get(keyOf(question));
    questions.set(questionKey(question), { ...question, ...(baseline ? { baseline } : {}) });
  }
  return [...questions.values()];
}

function duplicateMessage(name: string, first: TestQuestion): string {
  if (name === first.name) return alreadyUsed(first);
  const { path, range } = first;
  return t('The name “{0}” differs only in case from “{1}” at {2}:{3}', name, first.name, path, range.start.line + 1);
}

/** @returns undefined with an error if there is not one certified query with the name */
function withExpectedSql(
  { question, certifiedQuery, turns, report }: ReadQuestion,
  queries: CertifiedQueries,
): TestQuestion | undefined {
  if (turns) {
    const resolved = turns.map((turn) => withExpectedSql(turn, queries));
    return resolved.every((turn) => turn !== undefined) ? { ...question, turns: resolved } : undefined;
  }
  if (certifiedQuery === undefined) return question;
  const [query, ...others] = queries.find(certifiedQuery, question.space);
  if (query === undefined) {
    report('certifiedQuery', t('There is no certified query “{0}”.', certifiedQuery));
    return undefined;
  }
  if (others.length > 0) {
    const spaces = quotedNames([query, ...others].map(({ space = '' }) => space));
    const message = t('Several spaces have a certified query “{0}”: {1}. Set “space”.', certifiedQuery, spaces);
    report('certifiedQuery', message);
    return undefined;
  }
  const { name, space, sql } = query;
  return { ...question, expectedSql: { sql, certifiedQuery: { name, space } } };
}
