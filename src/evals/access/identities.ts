/** What the access tests of the project find in the answers of several identities to one question. */
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { forbiddenIn } from './gradeAccess.ts';
import { textKey, type AccessRule, type TestQuestion } from '../question.ts';
import type { Answer } from '../matrix/answer.ts';
import { expected } from '../matrix/expected.ts';
import { contextsToGrade } from '../matrix/matrix.ts';
import type { Row } from '../../shared/results/cells.ts';

export interface AccessFinding {
  identity: string;
  /** `forbidden` if the identity saw rows that it must not see, `unproven` if the answer proves nothing. */
  status: 'forbidden' | 'unproven';
  message: string;
  /** Name of the access test. */
  rule: string;
}

/** A rule on the values of a column applies to every question, any other rule only to its own. */
const appliesTo = ({ text, access }: TestQuestion, question: string): boolean =>
  access?.kind === 'only' || textKey(text) === textKey(question);

/**
 * @param answers answers to the question, by identity
 * @param tests questions of the project; only access tests are used
 * @param precision number of significant digits to which numbers are compared
 */
export function accessFindings(
  question: string,
  answers: ReadonlyMap<string, Answer>,
  tests: readonly TestQuestion[],
  precision: number,
): AccessFinding[] {
  const judge = expected({ precision });
  const found = tests.flatMap((test): AccessFinding[] => {
    const { access, identity = '', name: rule, text } = test;
    if (access === undefined || !appliesTo(test, question)) return [];
    const cells = contextsToGrade(test, (name) => ({ label: name ?? '', branch: '', identity: name })).flatMap(
      (context) => {
        const answer = answers.get(context.identity ?? '');
        return answer ? [{ context, answers: [answer] }] : [];
      },
    );
    // The other identity may not have been asked.
    if (cells.length < (access.kind === 'sameAs' ? 2 : 1)) return [];
    const judgment = judge({ question: test, cells, attempts: 1 });
    if ('again' in judgment) return [];
    const { status, message } = judgment;
    if (status === 'failed') return [{ identity, status: 'forbidden', rule, message }];
    const isOwn = textKey(text) === textKey(question);
    return isOwn && status === 'review' ? [{ identity, status: 'unproven', rule, message }] : [];
  });
  return found.filter(
    (one, at) =>
      found.findIndex(({ identity, message }) => identity === one.identity && message === one.message) === at,
  );
}

/** @returns the rows of an identity's results that it must not see */
export function forbiddenRows(
  question: string,
  identity: string,
  answer: Answer,
  tests: readonly TestQuestion[],
): ReadonlySet<Row> {
  const rules = tests.filter((test) => test.identity === identity && appliesTo(test, question));
  const tables = answer.queries.flatMap(({ table }) => table ?? []);
  return new Set(rules.flatMap(({ access }) => tables.flatMap((table) => [...forbidden(access, table)])));
}

function forbidden(access: AccessRule | undefined, table: ResultTable): Iterable<Row> {
  switch (access?.kind) {
    case 'only':
      return [...access.values].flatMap(([name, allowed]) => [...forbiddenIn(table, name, allowed).keys()]);
    case 'empty':
    case 'denied':
      return table.rows;
    case 'sameAs':
    case undefined:
      return [];
  }
}

/** @returns the identities that access tests name and the user's settings do not have */
export function unknownIdentities(tests: readonly TestQuestion[], known: readonly string[]): string[] {
  const named = tests.flatMap(({ identity, access }) =>
    access === undefined ? [] : [identity, access.kind === 'sameAs' ? access.identity : undefined],
  );
  return [...new Set(named)].flatMap((name) => (name === undefined || known.includes(name) ? [] : [name]));
}
