/** Question files as text, and what is read from them. */
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';
import type { SourceFile } from '../../../../src/shared/text/sourceFile.ts';

export const EVALS = 'agents/eval_questions.yml';
export const file = (text: string, path = EVALS): SourceFile => ({ path, text });
export const read = (...files: SourceFile[]) => {
  const { questions, problems } = readQuestionSet(files);
  return {
    questions,
    names: questions.map(({ name }) => name),
    problems: problems.map(({ path, range, message }) => `${path}:${range.start.line + 1}: ${message}`),
  };
};
export const question = (name: string, rest = 'sql: SELECT 1'): string =>
  `  - name: ${name}\n    question: What is ${name}?\n    ${rest}\n`;
export const list = (...questions: string[]): string => `eval_questions:\n${questions.join('')}`;
