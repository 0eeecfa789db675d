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

/** The rows that an identity may see (`.analytics-chat/access.yml`). */
export type AccessRule =
  /** Only rows with these values, by column. */
  | { kind: 'only'; values: ReadonlyMap<string, readonly string[]> }
  | { kind: 'empty' }
  /** The same rows as another identity. */
  | { kind: 'sameAs'; identity: string };

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
  path: string;
  range: Range;
}

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
