/** The question tests of the workspace folders, with a stub of the editor. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { QuestionFiles } from '../../../../src/vscode/evals/questionFiles.ts';
import { until } from '../../../support/until.ts';
import { values, Uri } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const nothing = () => ({ dispose: () => undefined });
const folderAt = (path: string) => ({ uri: Uri.file(path), name: path.slice(1) });

describe('the question tests of a workspace', () => {
  let Files: new (onProblem: (failure: unknown) => void) => QuestionFiles;
  let foldersChanged = (): unknown => undefined;
  let settingsChanged = (_: object): unknown => undefined;
  let agentsPath: string | undefined;
  /** Are told that a file was created, changed or deleted. */
  const watching: (() => void)[] = [];
  /** Resolves with the text of the next file that is read. */
  let reading: (path: string) => Promise<string | Uint8Array>;
  const workspace = {
    workspaceFolders: [] as object[],
    getConfiguration: () => ({ get: (key: string) => (key === 'agentsPath' ? agentsPath : undefined) }),
    onDidChangeConfiguration: (listener: typeof settingsChanged) => ((settingsChanged = listener), nothing()),
    onDidChangeWorkspaceFolders: (listener: typeof foldersChanged) => ((foldersChanged = listener), nothing()),
    createFileSystemWatcher: () => {
      const on = (listener: () => void) => (watching.push(listener), nothing());
      return { ...nothing(), onDidCreate: on, onDidChange: on, onDidDelete: on };
    },
    fs: {
      readDirectory: ({ path }: Uri) =>
        path.endsWith('/.analytics-chat')
          ? Promise.resolve([['questions.yml', 1]])
          : path === '/certified/agents' || path === '/moved/bi/agents'
            ? Promise.resolve([['config.yml', 1]])
            : Promise.reject(new Error('none')),
      readFile: async ({ path }: Uri) => Buffer.from(await reading(path)),
    },
  };
  const questions = (name: string): string => `eval_questions:\n  - {name: ${name}, question: Which ones?}\n`;

  before(async () => {
    const editor = { ...values, workspace };
    ({ QuestionFiles: Files } = await loadWithEditor<{ QuestionFiles: typeof Files }>(
      'vscode/evals/questionFiles.ts',
      editor,
    ));
  });
  beforeEach(() => {
    reading = (path) => Promise.resolve(questions(path.split('/')[1] ?? ''));
  });

  const namesIn = (files: QuestionFiles): string[] =>
    files.folders.flatMap((folder) => folder.questions.map(({ name }) => name));

  it('are those of its current folders', async () => {
    workspace.workspaceFolders = [folderAt('/a'), folderAt('/b')];
    const files = new Files((failure) => assert.fail(String(failure)));
    await files.load();
    assert.deepEqual(namesIn(files), ['a', 'b']);
    workspace.workspaceFolders = [folderAt('/b'), folderAt('/c')];
    foldersChanged();
    await files.load();
    assert.deepEqual(namesIn(files), ['b', 'c']);
    files.dispose();
  });

  it('are read again when a file is created, changed or deleted', async () => {
    workspace.workspaceFolders = [folderAt('/a')];
    watching.length = 0;
    const files = new Files((failure) => assert.fail(String(failure)));
    await files.load();
    let changes = 0;
    files.onDidChange(() => (changes += 1));
    for (const [at, happens] of watching.entries()) {
      reading = () => Promise.resolve(questions(`new${at}`));
      happens();
      await until(() => changes === at + 1);
      assert.deepEqual(namesIn(files), [`new${at}`]);
    }
    assert.equal(changes, 3);
    files.dispose();
  });

  it('come with the names of the certified queries, also in a folder without questions', async () => {
    const certified = folderAt('/certified') as never;
    workspace.workspaceFolders = [certified, folderAt('/a')];
    reading = (path) =>
      Promise.resolve(path.endsWith('config.yml') ? 'certified_queries: {n: {user_request: q, sql_query: s}}\n' : '');
    const files = new Files((failure) => assert.fail(String(failure)));
    assert.deepEqual(await files.certifiedIn(certified), ['n']);
    assert.deepEqual(await files.certifiedIn(folderAt('/a') as never), []);
    const { query, folder } = files.certifiedAs('S -- the same') ?? {};
    assert.deepEqual([query?.path, folder], ['agents/config.yml', certified]);
    assert.equal(files.certifiedAs('t'), undefined);
    assert.deepEqual(namesIn(files), []);
    files.dispose();
  });

  it('are in the folder of the setting, also after it has changed', async () => {
    const moved = folderAt('/moved') as never;
    workspace.workspaceFolders = [moved];
    reading = () => Promise.resolve('certified_queries: {n: {user_request: q, sql_query: s}}\n');
    const files = new Files((failure) => assert.fail(String(failure)));
    assert.deepEqual(await files.certifiedIn(moved), []);
    agentsPath = './bi/agents/';
    settingsChanged({ affectsConfiguration: (key: string) => key === 'analyticsChat.agentsPath' });
    assert.deepEqual(await files.certifiedIn(moved), ['n']);
    agentsPath = undefined;
    files.dispose();
  });

  it('of a file that is not UTF-8 are an error of that file', async () => {
    workspace.workspaceFolders = [folderAt('/a')];
    reading = () => Promise.resolve(Buffer.from('eval_questions: [{name: a, question: für}]', 'latin1'));
    const files = new Files((failure) => assert.fail(String(failure)));
    const [folder] = await files.load();
    assert.deepEqual(
      folder?.problems.map(({ path, message }) => `${path}: ${message}`),
      ['.analytics-chat/questions.yml: This file is not UTF-8. Save it with the encoding UTF-8.'],
    );
    files.dispose();
  });

  it('are those that were read last, although an earlier read takes longer', async () => {
    workspace.workspaceFolders = [folderAt('/a')];
    const slow = Promise.withResolvers<string>();
    let count = 0;
    reading = () => ((count += 1) === 1 ? slow.promise : Promise.resolve(questions('new')));
    const files = new Files((failure) => assert.fail(String(failure)));
    await until(() => count === 1);
    const later = files.reload(folderAt('/a') as never);
    await new Promise(setImmediate);
    assert.equal(count, 1, 'one after the other');
    slow.resolve(questions('old'));
    await later;
    await files.load();
    assert.deepEqual(namesIn(files), ['new']);
    files.dispose();
  });
});
