/** `eval --accept`: writes the results of answers as expected results. */
import { realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { acceptResult } from '../evals/files/baseline.ts';
import { noQueryReason } from '../evals/matrix/expectation.ts';
import type { Verdict } from '../evals/matrix/matrix.ts';
import { hasRule, type TestQuestion } from '../evals/question.ts';
import { messageOf } from '../shared/text/checks.ts';
import type { Output } from './output.ts';
import { isWithin } from './projectFiles.ts';
import type { ServiceContext } from './service.ts';
import { UsageError } from './usage.ts';

/**
 * Accepts the results of questions without SQL.
 * @param roots the folder of each question, that its paths are relative to
 * @returns the updated verdict
 */
export async function acceptVerdict(
  verdict: Verdict<ServiceContext>,
  roots: ReadonlyMap<TestQuestion, string>,
  output: Output,
): Promise<Verdict<ServiceContext>> {
  const { question, status, expectation, attempt, cells } = verdict;
  if (hasRule(question)) return verdict;
  const isOpen = status === 'skipped' || (status === 'failed' && expectation?.from === 'baseline');
  if (!isOpen || attempt?.answer === undefined) return verdict;
  const { actual, answer } = attempt;
  if (actual === undefined) return { ...verdict, message: noQueryReason(answer) };
  try {
    if (actual.loadError !== undefined) throw new Error(actual.loadError);
    const { service, identity } = cells.at(-1)!.context;
    const { path, text } = acceptResult({
      question,
      sql: actual.sql,
      table: actual.table,
      branch: service.branchLabel,
      identity: service.identityLabel(identity),
      time: Date.now(),
    });
    const root = roots.get(question) ?? '.';
    const file = join(root, path);
    await requireInside(dirname(file), root);
    // Replace a symbolic link in the project instead of the file that it refers to.
    await rm(file, { force: true });
    await output.file(file, text);
    return { ...verdict, status: 'passed', message: `Accepted: ${path}` };
  } catch (failure) {
    return { ...verdict, status: 'errored', message: messageOf(failure) };
  }
}

/** @throws UsageError if a symbolic link leads from the project to the folder, which may not exist yet */
async function requireInside(folder: string, root: string): Promise<void> {
  const real: string = await realpath(folder).catch(() => '');
  if (real === '') return requireInside(dirname(folder), root);
  if (!isWithin(real, await realpath(root)))
    throw new UsageError(`${folder} is a symbolic link out of the project, to ${real}`);
}
