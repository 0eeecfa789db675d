/** The files that contain question tests, and positions in them. */

/** A file of the workspace; `path` is relative to the folder with `agents/`, with `/` as separator. */
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

/** An error in a file; its other questions are kept. */
export interface Problem {
  path: string;
  range: Range;
  message: string;
}

/** @param offset in UTF-16 code units */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: before.length - start };
}

export type FileKind = 'questions' | 'ownQuestions' | 'certifiedQuery' | 'agentConfig' | 'baseline' | 'access';

/** Globs for these files, to search the workspace. */
export const QUESTION_TEST_GLOBS: readonly string[] = [
  'agents/eval_questions.{yml,yaml}',
  'agents/eval_questions/*.{yml,yaml}',
  'agents/{certified_queries,certified-queries,queries}/*.md',
  'agents/config.{yml,yaml}',
  '.analytics-chat/questions.{yml,yaml}',
  '.analytics-chat/access.{yml,yaml}',
  '.analytics-chat/baselines/*.{yml,yaml}',
];

/** The folders with these files, in reading order. */
export const QUESTION_TEST_FOLDERS: readonly string[] = [
  'agents',
  'agents/eval_questions',
  'agents/certified_queries',
  'agents/certified-queries',
  'agents/queries',
  '.analytics-chat',
  '.analytics-chat/baselines',
];

const kinds: readonly [FileKind, RegExp][] = [
  ['questions', /^agents\/eval_questions(?:\/[^/]+)?\.ya?ml$/],
  ['certifiedQuery', /^agents\/(?:certified_queries|certified-queries|queries)\/[^/]+\.md$/],
  ['agentConfig', /^agents\/config\.ya?ml$/],
  ['ownQuestions', /^\.analytics-chat\/questions\.ya?ml$/],
  ['access', /^\.analytics-chat\/access\.ya?ml$/],
  ['baseline', /^\.analytics-chat\/baselines\/[^/]+\.ya?ml$/],
];

/** @param path relative to the folder with `agents/` and `.analytics-chat/` */
export const kindOfFile = (path: string): FileKind | undefined => kinds.find(([, pattern]) => pattern.test(path))?.[0];
