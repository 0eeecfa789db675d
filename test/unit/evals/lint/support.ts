/** Runs the check for unknown names on files that a test writes. */
import { findUnknownNames, type Linted, type Project } from '../../../../src/evals/lint/lint.ts';
import { kindOfFile } from '../../../../src/evals/files/layout.ts';

/** @param files texts by paths */
export function projectOf(files: Readonly<Record<string, string>>): Project {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  return {
    model: all.filter(({ path }) => kindOfFile(path) === undefined),
    agent: all.filter(({ path }) => kindOfFile(path) !== undefined),
  };
}

export function linted(project: Project): Linted {
  const pauses = findUnknownNames(project);
  for (let step = pauses.next(); ; step = pauses.next()) if (step.done) return step.value;
}

/** @returns the unknown names as `path:line name`, with lines counted from 1 */
export const unknownNames = (files: Readonly<Record<string, string>>): string[] =>
  [...linted(projectOf(files)).problems.values()]
    .flat()
    .map(({ path, range, name }) => `${path}:${range.start.line + 1} ${name}`);
