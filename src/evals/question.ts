/** A question test and its source. */
import type { Baseline } from './files/baseline.ts';
import type { Range, Problem } from './files/sourceFile.ts';

/** SQL that returns the expected rows. */
export interface ExpectedSql {
  sql: string;
  /** The certified query that it is from. */
  certifiedQuery?: string;
}

/** The rows that an identity may see (`.analytics-chat/access.yml`). */
export type AccessRule =
  /** Only rows with these values, by column. */
  | { kind: 'only'; values: ReadonlyMap<string, readonly string[]> }
  | { kind: 'empty' }
  /** The same rows as another identity. */
  | { kind: 'sameAs'; identity: string };

export interface Question {
  /** Unique in its set. */
  name: string;
  text: string;
  /** Session settings to ask with, by name (`as:` in `.analytics-chat/questions.yml`). */
  identity?: string;
  expectedSql?: ExpectedSql;
  /** The accepted result. */
  baseline?: Baseline;
  /** Replaces the expected result. */
  access?: AccessRule;
  path: string;
  range: Range;
}

/** @returns `@access` for an access test, and the identity, such as `@europe` */
export const tagsOf = ({ access, identity }: Question): string[] => [
  ...(access ? ['@access'] : []),
  ...(identity === undefined ? [] : [`@${identity}`]),
];

/** @returns the same text for equal rules */
export const ruleText = (rule: AccessRule): string => JSON.stringify(rule.kind === 'only' ? [...rule.values] : rule);

export interface QuestionSet {
  questions: readonly Question[];
  problems: readonly Problem[];
}
