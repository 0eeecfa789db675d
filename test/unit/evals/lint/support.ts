/** Runs the check for unknown names on files that a test writes. */
import { findUnknownNames, type Project, type UnknownName } from '../../../../src/evals/lint/lint.ts';
import { kindOfFile } from '../../../../src/evals/files/layout.ts';

/** @param files texts by paths */
export function projectOf(files: Readonly<Record<string, string>>): Project {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  return {
    model: all.filter(({ path }) => kindOfFile(path) === undefined),
    agent: all.filter(({ path }) => kindOfFile(path) !== undefined),
  };
}

/** @returns the unknown names of all files, in the order of the files */
export const linted = (project: Project): UnknownName[] =>
  [...findUnknownNames(project)].flatMap((file) => file?.problems ?? []);

/** @returns the unknown names as `path:line name`, with lines counted from 1 */
export const unknownNames = (files: Readonly<Record<string, string>>): string[] =>
  linted(projectOf(files)).map(({ path, range, name }) => `${path}:${range.start.line + 1} ${name}`);
