/** A question test and where it comes from. */
import type { Baseline } from './baselines/baseline.ts';

/** A file of the workspace; `path` is relative to the folder that holds `agents/`, with `/`. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Zero-based, as in VS Code. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** An error in a file; the rest of the file is still used. */
export interface Problem {
  path: string;
  range: Range;
  message: string;
}

/** SQL whose rows are the truth. */
export interface ExpectedSql {
  sql: string;
  /** The certified query it comes from. */
  certifiedQuery?: string;
}

export interface Question {
  /** Unique in its set. */
  name: string;
  text: string;
  /** Session settings to ask with, by name (`as:` in `.analytics-chat/questions.yml`). */
  identity?: string;
  expectedSql?: ExpectedSql;
  /** The accepted result. */
  baseline?: Baseline;
  path: string;
  range: Range;
}

export interface QuestionSet {
  questions: readonly Question[];
  problems: readonly Problem[];
}
