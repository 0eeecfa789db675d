/** A question test, and positions in the files with these tests. */
import { oneLine } from '../shared/text/lines.ts';
import type { Range } from '../shared/text/sourceFile.ts';
import type { Column } from '../shared/wire/toolPayloads.ts';

/** An accepted result. */
export interface Baseline {
  /** Name of the question, unique in its space. */
  name: string;
  space?: string;
  path: string;
  sql: string;
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[];
}

/** SQL that returns the expected rows. */
interface ExpectedSql {
  sql: string;
  /** The certified query that it is from. */
  certifiedQuery?: { name: string; space?: string };
}

/** What an identity may see (`.analytics-chat/access.yml`). */
export type AccessRule =
  /** Only these values, by column: permitted ones, or a mask or null. */
  | { kind: 'only'; values: ReadonlyMap<string, readonly (string | null)[]> }
  | { kind: 'empty' }
  /** No query may run without an error. */
  | { kind: 'denied' }
  /** The same rows as another identity. */
  | { kind: 'sameAs'; identity: string };

/** How the agent answers (`expect` in `.analytics-chat/questions.yml`); everything that is set must hold. */
export interface Behavior {
  /** No query runs, and the answer ends in a question. */
  asksBack?: true;
  noQuery?: true;
  /** Members that the SQL names, such as `orders.net_revenue`. */
  uses: readonly string[];
  /** Members that it does not name. */
  avoids: readonly string[];
}

/** @returns whether the agent must run no query, so that there is no result to compare */
export const hasNoResult = ({ behavior }: Pick<TestQuestion, 'behavior'>): boolean =>
  behavior?.asksBack === true || behavior?.noQuery === true;

export interface TestQuestion {
  /** Unique among the questions of a space, also without regard to case. */
  name: string;
  space?: string;
  text: string;
  /** Session settings to ask with, by name (`as:` in `.analytics-chat/questions.yml`). */
  identity?: string;
  expectedSql?: ExpectedSql;
  /** The accepted result of the question. */
  baseline?: Baseline;
  /** The rows that the identity may see; graded instead of an expected result. */
  access?: AccessRule;
  /** Graded in addition to an expected result, if there is one. */
  behavior?: Behavior;
  /** Asked in one thread, each with its own expectation; the text of the question is then all of theirs. */
  turns?: readonly TestQuestion[];
  path: string;
  range: Range;
}

const start = { line: 0, character: 0 };
/** @returns a question that is in no file */
export const looseQuestion = (text: string): TestQuestion => ({
  ...{ name: text, text, path: '', range: { start, end: start } },
});

/** @returns what is asked in the thread of a question, in order */
export const askedTurns = (question: TestQuestion): readonly TestQuestion[] => question.turns ?? [question];

/** Whether a rule decides about the answer, which no accepted result can change. */
export const hasRule = ({ access, behavior, turns }: TestQuestion): boolean => Boolean(access ?? behavior ?? turns);

/** @returns `@access` for an access test, and the identity, such as `@europe` */
export const tagsOf = ({ access, identity }: TestQuestion): string[] => [
  ...(access ? ['@access'] : []),
  ...(identity === undefined ? [] : [`@${identity}`]),
];

/** @returns the same text for names that differ only in case: on some disks, they would share an accepted result */
export const nameKey = (name: string): string => name.toLowerCase();

/** @returns the same text for questions of one space whose names differ only in case */
export const questionKey = ({ name, space }: Pick<TestQuestion, 'name' | 'space'>): string =>
  space === undefined ? nameKey(name) : JSON.stringify([space, nameKey(name)]);

/** @returns the same text for questions that differ only in case and white space */
export const textKey = (text: string): string => oneLine(text).toLowerCase();

/** @returns the same text for equal rules */
export const ruleText = (rule: AccessRule): string => JSON.stringify(rule.kind === 'only' ? [...rule.values] : rule);

export interface CertifiedQuery {
  /** Unique in its space. */
  name: string;
  space?: string;
  sql: string;
  path: string;
  range: Range;
}

export interface QuestionSet {
  questions: readonly TestQuestion[];
  /** The certified queries of all files. */
  certifiedQueries: readonly CertifiedQuery[];
  problems: readonly Problem[];
}

/** An error in a file; its other questions are kept. */
export interface Problem {
  path: string;
  range: Range;
  message: string;
}
