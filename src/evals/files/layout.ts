/** Where the files with question tests are in a project. */
import { AGENTS_PATH } from '../../shared/text/agentsPath.ts';

type FileKind = 'questions' | 'ownQuestions' | 'certifiedQuery' | 'agentConfig' | 'baseline' | 'access';

/** The folder of the files of this extension. */
export const OWN_PATH = '.analytics-chat';

const CERTIFIED_FOLDERS = ['certified_queries', 'certified-queries', 'queries'];

/** The kinds of files in `agents/`, by path in that folder. */
const agentKinds: readonly [FileKind, RegExp][] = [
  ['questions', /^eval_questions(?:\/[^/]+)?\.ya?ml$/],
  // In the folder of a space, or in none. A README is about the queries of the folder.
  [
    'certifiedQuery',
    /^(?:certified_queries|certified-queries|queries)\/(?:[^/]+\/)?(?!(?:README|Readme|readme)\.md$)[^/]+\.md$/,
  ],
  ['agentConfig', /^config\.ya?ml$/],
];

const ownKinds: readonly [FileKind, RegExp][] = [
  ['ownQuestions', /^questions\.ya?ml$/],
  ['access', /^access\.ya?ml$/],
  ['baseline', /^baselines\/[^/]+\.ya?ml$/],
];

/**
 * @param path relative to the project
 * @param agentsPath the folder of the platform's files, relative to the project
 */
export function kindOfFile(path: string, agentsPath = AGENTS_PATH): FileKind | undefined {
  for (const [folder, kinds] of [
    [agentsPath, agentKinds],
    [OWN_PATH, ownKinds],
  ] as const)
    if (path.startsWith(`${folder}/`))
      return kinds.find(([, pattern]) => pattern.test(path.slice(folder.length + 1)))?.[0];
  return undefined;
}

/** @returns the space that a certified query is in because of its folder; undefined if it is in none */
export const spaceOfFolder = (path: string): string | undefined =>
  /\/(?:certified_queries|certified-queries|queries)\/([^/]+)\/[^/]+\.md$/.exec(`/${path}`)?.[1];

/**
 * Lists the known folders instead of searching, which is slower.
 * @param list returns the names of the files and folders in a folder of the project; empty if it is not a folder
 * @returns the paths of the files with question tests, in reading order
 */
export async function questionTestPaths(
  list: (folder: string) => Promise<readonly string[]>,
  agentsPath: string,
): Promise<string[]> {
  const entriesOf = async (folder: string): Promise<string[]> =>
    (await list(folder)).toSorted().map((name) => `${folder}/${name}`);
  const folders = ['', '/eval_questions', ...CERTIFIED_FOLDERS.map((name) => `/${name}`)].map(
    (name) => `${agentsPath}${name}`,
  );
  const lists = [...folders, OWN_PATH, `${OWN_PATH}/baselines`].map(async (folder) => {
    const entries = await entriesOf(folder);
    if (!CERTIFIED_FOLDERS.some((name) => folder === `${agentsPath}/${name}`)) return entries;
    const others = entries.filter((path) => kindOfFile(path, agentsPath) === undefined);
    return [...entries, ...(await Promise.all(others.map(entriesOf))).flat()];
  });
  return (await Promise.all(lists)).flat().filter((path) => kindOfFile(path, agentsPath) !== undefined);
}
