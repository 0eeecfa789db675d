/** `analytics-chat lint`: reports names that the data model does not have, without asking the service. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { OWN_PATH } from '../evals/files/layout.ts';
import { readQuestionSet } from '../evals/files/questionSet.ts';
import { findUnknownNames, type Project } from '../evals/lint/lint.ts';
import type { Problem } from '../evals/question.ts';
import { isConfigPath, isModelPath, NOT_SEARCHED } from '../model/lint/modelPaths.ts';
import { namesOfFile } from '../model/lint/names.ts';
import { mayDefineMembers } from '../model/members.ts';
import { messageOf } from '../shared/text/checks.ts';
import { sourceFile, type SourceFile } from '../shared/text/sourceFile.ts';
import type { OfflineCommand } from './command.ts';
import { readAgentsPath } from './environment.ts';
import type { Output } from './output.ts';
import { isWithin, readQuestionFiles, shownPath } from './projectFiles.ts';
import { UsageError } from './usage.ts';

export const lint: OfflineCommand = async ({ output }, { positionals, values }) => {
  const agentsPath = readAgentsPath(process.env);
  const projects = new Map<string, string[]>();
  for (const path of positionals.length > 0 ? positionals : ['.']) {
    const chosen = resolve(path);
    const root = await rootOf(chosen, agentsPath);
    projects.set(root, [...(projects.get(root) ?? []), chosen]);
  }
  const found: FoundProblem[] = [];
  let files = 0;
  let hasModels = true;
  for (const [root, chosen] of projects) {
    const project = await readProject(root, agentsPath);
    files += project.model.length + project.agent.length;
    if (project.model.some((file) => file.error !== undefined || mayDefineMembers(file)))
      noteOpenFiles(output, root, project);
    else {
      hasModels = false;
      output.note(
        `No data model in ${root}. Its files must be in a folder named model, models, schema, cubes or views.`,
      );
    }
    const isChosen = ({ path }: Problem): boolean => chosen.some((each) => isWithin(join(root, path), each));
    found.push(
      ...problemsIn(project)
        .filter(isChosen)
        .map((problem) => ({ ...problem, root })),
    );
  }
  const problems = found.map(entryOf);
  for (const { file, line, column, endColumn, message, path } of problems) {
    output.result(`${file}:${line}:${column}: ${message}`);
    output.annotation({ path, line, column, endColumn, message });
  }
  if (values.json !== undefined) {
    const listed = problems.map(({ path: _, ...problem }) => problem);
    await output.file(
      values.json,
      `${JSON.stringify({ version: 1, command: 'lint', files, problems: listed }, null, 2)}\n`,
    );
  }
  output.note(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${files} files`);
  return problems.length > 0 ? 1 : hasModels ? 0 : 2;
};

type FoundProblem = Problem & { root: string; nearest?: readonly string[] };

/** A problem as it is written; lines and columns are counted from 1. */
const entryOf = ({ root, path, range: { start, end }, message, nearest = [] }: FoundProblem) => ({
  file: shownPath(root, path).split(sep).join('/'),
  path: join(root, path),
  line: start.line + 1,
  column: start.character + 1,
  endColumn: (end.line === start.line ? end.character : start.character) + 1,
  message,
  nearest,
});

/** @returns the problems of all files, those of question tests first, then files of the model that can't be read */
function problemsIn(project: Project): (Problem & { nearest?: readonly string[] })[] {
  const { problems } = readQuestionSet(project.agent, project.agentsPath);
  const start = { line: 0, character: 0 };
  const unread = project.model.flatMap(({ path, error: message }): Problem[] =>
    message === undefined ? [] : [{ path, range: { start, end: start }, message }],
  );
  return [...problems, ...unread, ...[...findUnknownNames(project)].flatMap((file) => file?.problems ?? [])];
}

/** Maximum number of files to name. */
const MOST_NAMED = 5;

/** Says why cubes and views that don't exist are not reported. */
function noteOpenFiles(output: Output, root: string, { model }: Project): void {
  const open = model.filter((file) => namesOfFile(file).isOpen).map(({ path }) => shownPath(root, path));
  if (open.length === 0) return;
  const named = [...open.slice(0, MOST_NAMED), ...(open.length > MOST_NAMED ? ['…'] : [])].join(', ');
  output.note(`Unknown cubes and views are not reported, because these files may define more: ${named}`);
}

async function readProject(root: string, agentsPath: string): Promise<Project> {
  const model: SourceFile[] = [];
  for (const path of await modelPaths(root, root)) {
    const bytes = await readFile(join(root, path)).catch((failure: unknown) => {
      throw new UsageError(`Can’t read ${shownPath(root, path)}: ${messageOf(failure)}`);
    });
    model.push(sourceFile(path, bytes));
  }
  return { model, agent: await readQuestionFiles(root, agentsPath), agentsPath };
}

/**
 * @param linked targets of the links that were followed
 * @returns the paths of model files in a folder, relative to the root, with `/`
 */
async function modelPaths(root: string, folder: string, linked = new Set<string>()): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const lists = entries.map(async (entry): Promise<string[]> => {
    const path = join(folder, entry.name);
    const local = relative(root, path).split(sep).join('/');
    // Other links may lead to large trees outside of the project.
    const isLink = entry.isSymbolicLink() && isModelPath(`${local}/any.yml`);
    const info = isLink ? await stat(path).catch(() => entry) : entry;
    if (info.isFile()) return isModelPath(local) ? [local] : [];
    if (!info.isDirectory() || NOT_SEARCHED.has(entry.name)) return [];
    if (isLink) {
      const target = await realpath(path);
      if (linked.has(target)) return [];
      linked.add(target);
    }
    return modelPaths(root, path, linked);
  });
  return (await Promise.all(lists)).flat().sort();
}

/** @returns the nearest folder with a data model or question tests, from the path upwards; else the folder itself */
async function rootOf(path: string, agentsPath: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) throw new UsageError(`No such file or folder: ${path}`);
  const start = info.isDirectory() ? path : dirname(path);
  for (let folder = start; ; folder = dirname(folder)) {
    const names = await readdir(folder).catch(() => []);
    const isRoot = names.some(
      (name) => ['model', 'models', 'schema', agentsPath.split('/')[0], OWN_PATH].includes(name) || isConfigPath(name),
    );
    if (isRoot) return folder;
    if (dirname(folder) === folder) return start;
  }
}
