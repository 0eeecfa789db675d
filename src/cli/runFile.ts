/** The JSON file of a run: what `--json` writes, and `--known` and `--failed` read. */
import { readFile } from 'node:fs/promises';
import type { Verdict } from '../evals/matrix/matrix.ts';
import { questionKey, type TestQuestion } from '../evals/question.ts';
import type { RunSummary } from '../evals/report/summary.ts';
import { verdictReason } from '../evals/report/verdictText.ts';
import { VERDICT_STATUSES, type VerdictStatus } from '../shared/protocol/verdicts.ts';
import { isFields, listOf, maybe, messageOf, oneOf, shape, text } from '../shared/text/checks.ts';
import type { ServiceContext } from './service.ts';
import { UsageError } from './usage.ts';

const VERSION = 1;

interface RunQuestion {
  name: string;
  space?: string;
  text: string;
  /** Relative to the project; absent for a question that is in no file. */
  file?: string;
  /** One-based. */
  line?: number;
  verdict: VerdictStatus;
  /** Number of answers in each context of the run; 0 where the question was not asked. */
  attempts: readonly number[];
  message: string;
  tokens?: number;
  milliseconds: number;
}

interface RunFile {
  version: typeof VERSION;
  command: 'eval' | 'check' | 'compare';
  contexts: readonly { branch: string; identity: string }[];
  questions: readonly RunQuestion[];
  /** Only verdicts that occur. */
  counts: Partial<Record<VerdictStatus, number>>;
  requests: number;
  tokens?: number;
  milliseconds: number;
}

type RunContext = RunFile['contexts'][number];

/** The fields of a verdict that the file needs, without the threads. */
export interface RunEntry extends Omit<RunQuestion, 'attempts'> {
  asked: readonly { context: RunContext; attempts: number }[];
}

export function runEntry(verdict: Verdict<ServiceContext>): RunEntry {
  const { question, cells, status, tokens, milliseconds } = verdict;
  return {
    name: question.name,
    space: question.space,
    text: question.text,
    ...(question.path === '' ? {} : { file: question.path, line: question.range.start.line + 1 }),
    verdict: status,
    asked: cells.map(({ context: { branch, identity, service }, answers }) => ({
      context: { branch, identity: identity ?? service.identityLabel(undefined) },
      attempts: answers.length,
    })),
    message: verdictReason(verdict),
    tokens,
    milliseconds: Math.round(milliseconds),
  };
}

/** @param entries in the order of the file @returns the text of the file */
export function runFile(
  command: RunFile['command'],
  entries: readonly RunEntry[],
  { requests, tokens, milliseconds }: Omit<RunSummary, 'counts'>,
): string {
  const contexts = new Map(entries.flatMap(({ asked }) => asked.map(({ context }) => [keyOf(context), context])));
  const keys = [...contexts.keys()];
  const counts: RunFile['counts'] = {};
  for (const { verdict } of entries) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const questions = entries.map(({ asked, ...question }): RunQuestion => {
    const attempts = keys.map(() => 0);
    for (const each of asked) attempts[keys.indexOf(keyOf(each.context))]! += each.attempts;
    return { ...question, attempts };
  });
  const run: RunFile = {
    ...{ version: VERSION, command, contexts: [...contexts.values()], questions, counts, requests, tokens },
    milliseconds: Math.round(milliseconds),
  };
  return `${JSON.stringify(run, null, 2)}\n`;
}

const keyOf = ({ branch, identity }: RunContext): string => JSON.stringify([branch, identity]);

type ReadQuestion = Required<Pick<RunQuestion, 'name' | 'file' | 'verdict'>> & Pick<RunQuestion, 'space'>;

const isRun = shape({
  questions: listOf(shape({ name: text, space: maybe(text), file: text, verdict: oneOf(...VERDICT_STATUSES) })),
});

/**
 * Reads the run of an earlier `eval --json`.
 * @throws UsageError if it can't be read, or if it is of another version or command
 */
export async function readRun(path: string): Promise<EarlierRun> {
  const content = await readFile(path, 'utf8').catch((failure: unknown) => {
    throw new UsageError(`Can’t read ${path}: ${messageOf(failure)}`);
  });
  let run: unknown;
  try {
    run = JSON.parse(content);
  } catch {
    throw new UsageError(`${path} is not JSON. Pass a file that eval --json wrote.`);
  }
  if (!isFields(run) || typeof run['version'] !== 'number')
    throw new UsageError(`${path} is not a run. Pass a file that eval --json wrote.`);
  if (run['version'] !== VERSION)
    throw new UsageError(
      `${path} has version ${run['version']} of the format, but this command line reads version ${VERSION}. Write it again with eval --json.`,
    );
  if (run['command'] !== 'eval')
    throw new UsageError(`${path} is a run of another command. Pass a file that eval --json wrote.`);
  if (!isRun(run)) throw new UsageError(`${path} is damaged: its questions have no name, file or verdict.`);
  return new EarlierRun(run['questions'] as ReadQuestion[]);
}

/** The verdicts of a run by question. */
class EarlierRun {
  readonly #verdicts = new Map<string, VerdictStatus[]>();

  constructor(questions: readonly ReadQuestion[]) {
    for (const { file, verdict, ...question } of questions) {
      const key = keyIn(file, question);
      // Two projects can have the same question.
      this.#verdicts.set(key, [...(this.#verdicts.get(key) ?? []), verdict]);
    }
  }

  /** Whether the question failed. */
  failed(question: TestQuestion): boolean {
    const verdicts = this.#of(question);
    return verdicts.length > 0 && verdicts.every((verdict) => isFailure(verdict));
  }

  /** Whether the question was in the run, and most of its answers did not pass. */
  notPassed(question: TestQuestion): boolean {
    return this.#of(question).some((verdict) => verdict !== 'passed' && verdict !== 'flaky');
  }

  #of(question: TestQuestion): readonly VerdictStatus[] {
    return this.#verdicts.get(keyIn(question.path, question)) ?? [];
  }
}

const keyIn = (file: string, question: Pick<TestQuestion, 'name' | 'space'>): string =>
  JSON.stringify([questionKey(question), file]);

/** Whether the verdict fails a run; an answer to review was not passed. */
export const isFailure = (verdict: VerdictStatus): boolean => verdict === 'failed' || verdict === 'review';
