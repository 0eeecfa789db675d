/** Reads the question tests of a project from disk. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readQuestionSet } from '../evals/files/questionSet.ts';
import { sourceFile, type SourceFile } from '../shared/text/sourceFile.ts';
import { kindOfFile, questionTestPaths } from '../evals/files/layout.ts';
import type { Problem, TestQuestion } from '../evals/question.ts';
import { messageOf } from '../shared/text/checks.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage.ts';

/** A question and the folder that its paths are relative to. */
export interface ProjectQuestion {
  question: TestQuestion;
  root: string;
}

/** An error in a file of a project. */
export interface ProjectProblem extends Problem {
  root: string;
}

interface ProjectQuestions {
  questions: ProjectQuestion[];
  problems: ProjectProblem[];
}

/**
 * @param paths projects, or files and folders in them, which select some of the questions; by default, the project that
 * contains the working directory
 * @param agentsPath the folder of the platform's files, relative to a project
 * @throws UsageError for a path that does not exist or is in no project, and for a file that can't be read
 */
export async function readProjects(paths: readonly string[], agentsPath: string): Promise<ProjectQuestions> {
  const projects = new Map<string, string[]>();
  for (const path of paths.length > 0 ? paths : [await rootOf(process.cwd(), agentsPath)]) {
    const root = await rootOf(resolve(path), agentsPath);
    projects.set(root, [...(projects.get(root) ?? []), resolve(path)]);
  }
  const found: ProjectQuestions = { questions: [], problems: [] };
  for (const [root, chosen] of projects) {
    const { questions, problems } = readQuestionSet(await readQuestionFiles(root, agentsPath), agentsPath);
    const isChosen = ({ path }: TestQuestion | Problem): boolean =>
      chosen.some((choice) => isWithin(join(root, ...path.split('/')), choice));
    found.questions.push(...questions.filter(isChosen).map((question) => ({ question, root })));
    const relevant = problems.filter((problem) => isChosen(problem) || isForAll(problem, agentsPath));
    found.problems.push(...relevant.map((problem) => ({ ...problem, root })));
  }
  return found;
}

/** Whether a file may belong to any question: a certified query or an accepted result. */
const isForAll = ({ path }: Problem, agentsPath: string): boolean =>
  ['certifiedQuery', 'agentConfig', 'baseline'].includes(kindOfFile(path, agentsPath) ?? '');

/** Writes each error of a file with its position to stderr. */
export function reportProblems(output: Output, problems: readonly ProjectProblem[]): void {
  for (const { root, path, range, message } of problems)
    output.note(`${shownPath(root, path)}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
}

/** @param path a path without symbolic links, as the folder */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);

/** @returns the nearest folder with question tests, from the path upwards */
async function rootOf(path: string, agentsPath: string): Promise<string> {
  const exists = async (file: string): Promise<boolean> =>
    stat(file).then(
      () => true,
      () => false,
    );
  if (!(await exists(path))) throw new UsageError(`No such file or folder: ${path}`);
  for (let folder = path; ; folder = dirname(folder)) {
    for (const name of [agentsPath, '.analytics-chat']) if (await exists(join(folder, name))) return folder;
    if (dirname(folder) === folder) break;
  }
  throw new UsageError(
    `No question tests in ${path}: expected ${agentsPath}/eval_questions.yml or .analytics-chat/questions.yml`,
  );
}

/**
 * @returns the files with question tests, and those that they use
 * @throws UsageError for a file that can't be read
 */
export async function readQuestionFiles(root: string, agentsPath: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const path of await questionTestPaths((folder) => readdir(join(root, folder)).catch(() => []), agentsPath)) {
    const bytes = await readFile(join(root, path)).catch((failure: unknown) => {
      throw new UsageError(`Can’t read ${shownPath(root, path)}: ${messageOf(failure)}`);
    });
    files.push(sourceFile(path, bytes));
  }
  return files;
}

/** @returns the path relative to the working directory */
export const shownPath = (root: string, path: string): string => relative(process.cwd(), join(root, path)) || path;
