/** All question tests of a project, merged from its files. */
import { t } from '../../shared/text/l10n.ts';
import type { Question, QuestionSet } from '../question.ts';
import { readBaseline, type Baseline } from './baseline.ts';
import { kindOfFile, type Problem, type SourceFile } from './sourceFile.ts';
import { readAgentConfig, readCertifiedQuery, type CertifiedQuery } from './certifiedQueries.ts';
import { readAccess, readQuestions, type ReadQuestion } from './questions.ts';

/**
 * @param files any files of the project; those without question tests are ignored (`QUESTION_TEST_GLOBS`)
 * @returns the valid questions in the order of the files, and every error in every file
 */
export function readQuestionSet(files: readonly SourceFile[]): QuestionSet {
  const problems: Problem[] = [];
  const read: ReadQuestion[] = [];
  const queries: CertifiedQuery[] = [];
  const baselines = new Map<string, Baseline>();
  for (const file of files)
    switch (kindOfFile(file.path)) {
      case 'questions':
        read.push(...readQuestions(file, false, problems));
        break;
      case 'ownQuestions':
        read.push(...readQuestions(file, true, problems));
        break;
      case 'access':
        read.push(...readAccess(file, problems));
        break;
      case 'certifiedQuery':
        queries.push(...readCertifiedQuery(file, problems));
        break;
      case 'agentConfig':
        queries.push(...readAgentConfig(file, problems));
        break;
      case 'baseline': {
        const baseline = readBaseline(file, problems);
        if (baseline) baselines.set(baseline.name, baseline);
        break;
      }
      case undefined:
        break;
    }
  return { questions: resolve(read, new Map(queries.map((query) => [query.name, query])), baselines), problems };
}

/** Drops duplicates and questions with an unknown certified query, each with an error. */
function resolve(
  read: readonly ReadQuestion[],
  queries: ReadonlyMap<string, CertifiedQuery>,
  baselines: ReadonlyMap<string, Baseline>,
): Question[] {
  const questions = new Map<string, Question>();
  for (const { question, certifiedQuery, report } of read) {
    const { name } = question;
    const first = questions.get(name);
    const query = certifiedQuery === undefined ? undefined : queries.get(certifiedQuery);
    if (first) {
      report('name', t('The name “{0}” is already used at {1}:{2}', name, first.path, first.range.start.line + 1));
      continue;
    }
    if (certifiedQuery !== undefined && query === undefined) {
      report('certifiedQuery', t('There is no certified query “{0}”.', certifiedQuery));
      continue;
    }
    const baseline = baselines.get(name);
    questions.set(name, {
      ...question,
      ...(query ? { expectedSql: { sql: query.sql, certifiedQuery: query.name } } : {}),
      ...(baseline ? { baseline } : {}),
    });
  }
  return [...questions.values()];
}
