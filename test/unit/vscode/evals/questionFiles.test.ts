/** The question tests of the workspace folders, with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as questionFiles from '../../../../src/vscode/evals/questionFiles.ts';
import { Editor, until, Uri, uriAt } from '../support.ts';

const folderAt = (path: string) => ({ uri: uriAt(path), name: path.slice(1), index: 0 });
const [a, b, c] = ['/a', '/bank', '/c'].map(folderAt) as [questionFiles.FolderQuestions['folder'], never, never];
const CERTIFIED = 'certified_queries: {n: {user_request: q, sql_query: s}}\n';

describe('the question tests of a workspace', () => {
  let editor: Editor;
  let module: typeof questionFiles;
  let files: questionFiles.QuestionFiles;

  const questions = (name: string): string => `eval_questions:\n  - {name: ${name}, question: Which ones?}\n`;
  const write = (path: string, text: string): unknown => editor.files.set(path, text);
  const open = (...folders: (typeof a)[]): questionFiles.QuestionFiles => {
    editor.folders = folders as never;
    return (files = new module.QuestionFiles((failure) => assert.fail(String(failure))));
  };
  const names = (): string =>
    files.folders.flatMap((folder) => folder.questions.map(({ name }) => `${folder.folder.name}:${name}`)).join();

  beforeEach(async () => {
    editor = new Editor();
    module = await editor.load('evals/questionFiles');
    for (const name of ['a', 'bank', 'c']) write(`/${name}/.analytics-chat/questions.yml`, questions(name));
  });

  it('are those of its current folders', async () => {
    open(a, b);
    assert.equal((await files.filesIn(b)).map(({ path }) => path).join(), '.analytics-chat/questions.yml');
    await files.load();
    assert.equal(names(), 'a:a,bank:bank');
    let shown = '';
    files.onDidChange(() => (shown = names()));
    editor.folders = [b];
    editor.fire('onDidChangeWorkspaceFolders');
    assert.equal(shown, 'bank:bank');
    editor.folders = [b, c];
    editor.fire('onDidChangeWorkspaceFolders');
    assert.equal((await files.questionsOf(c)).map(({ name }) => name).join(), 'c');
    assert.equal(names(), 'bank:bank,c:c');
    files.dispose();
  });

  it('are read again when a file is created, changed or deleted', async () => {
    await open(a).load();
    let changes = 0;
    files.onDidChange(() => (changes += 1));
    for (const [at, event] of ['created', 'written', 'deleted'].entries()) {
      write('/a/.analytics-chat/questions.yml', questions(event));
      for (const _ of [1, 2]) editor.fire(event, Uri.file('/a/.analytics-chat/questions.yml'));
      await until(() => changes === at + 1);
      assert.equal(names(), `a:${event}`);
    }
    editor.files.delete('/a/.analytics-chat/questions.yml');
    editor.fire('deleted', Uri.file('/a/.analytics-chat/questions.yml'));
    await until(() => changes === 4);
    assert.equal(names(), '');
    // A folder may be deleted as a whole.
    for (const [at, path] of ['agents/config.yml', 'agents'].entries()) {
      if (at === 0) write(`/a/${path}`, CERTIFIED);
      else editor.files.clear();
      editor.fire('deleted', Uri.file(`/a/${path}`));
      await until(() => changes === 5 + at);
      assert.equal((await files.certifiedIn(a)).length, 1 - at);
    }
    files.dispose();
  });

  it('come with the certified queries, also of a folder without questions, in the folder of the setting', async () => {
    editor.files.delete('/bank/.analytics-chat/questions.yml');
    for (const path of ['/bank/agents/config.yml', '/c/bi/agents/config.yml']) write(path, CERTIFIED);
    // In the folder of a space.
    write('/bank/agents/certified_queries/sales/q.md', '---\nuser_request: q\n---\nSELECT 1\n');
    write('/a/agents/config.yml', CERTIFIED.replace('{n: ', '{m: ').replace('s}', 'r}'));
    open(a, b, c);
    const certified = () => Promise.all([a, b, c].map(async (each) => (await files.certifiedIn(each)).join()));
    assert.deepEqual(await certified(), ['m', 'n,q', '']);
    const { query, folder } = files.certifiedAs('S -- the same') ?? {};
    assert.deepEqual([query?.path, folder], ['agents/config.yml', b]);
    assert.equal(files.certifiedAs('t'), undefined);
    editor.settings = { 'c agentsPath': './bi/agents/' };
    const change = (key: string): void =>
      editor.fire('onDidChangeConfiguration', { affectsConfiguration: (each: string) => each === key });
    let changes = 0;
    files.onDidChange(() => (changes += 1));
    change('analyticsChat.mainBranch');
    assert.deepEqual([await certified(), changes], [['m', 'n,q', ''], 0]);
    change('analyticsChat.agentsPath');
    assert.deepEqual(await certified(), ['m', 'n,q', 'n']);
    files.dispose();
  });

  it('have their errors in the Problems view, such as that a file is not UTF-8', async () => {
    write('/bank/.analytics-chat/questions.yml', 'eval_questions:\n  - {question: q}\n  - {question: r}\n');
    const latin = Buffer.from('eval_questions: [{name: a, question: für}]', 'latin1');
    editor.reading = (path) => (path.startsWith('/a/') ? Promise.resolve(latin) : undefined);
    open(a, b);
    const shown = module.showProblems(files);
    await files.load();
    const found = editor.problems['analyticsChat.questions']!;
    const error = [0, 'Analytics Chat'];
    const listed = [...found].map(([path, all]) => [
      path,
      ...all.map(({ range, message, severity, source }) => [range.start.line, message, severity, source]),
    ]);
    assert.deepEqual(listed, [
      ['/a/.analytics-chat/questions.yml', [0, 'This file is not UTF-8. Save it with the encoding UTF-8.', ...error]],
      ['/bank/.analytics-chat/questions.yml', ...[1, 2].map((line) => [line, '“name” is missing.', ...error])],
    ]);
    write('/bank/.analytics-chat/questions.yml', questions('bank'));
    await files.reload(b);
    assert.equal(found.size, 1);
    shown.dispose();
    assert.equal(found.size, 0);
    files.dispose();
  });

  it('are those that were read last, although an earlier read takes longer', async () => {
    const slow = Promise.withResolvers<Uint8Array>();
    let count = 0;
    editor.reading = () => ((count += 1) === 1 ? slow.promise : Promise.resolve(Buffer.from(questions('new'))));
    open(a);
    await until(() => count === 1);
    const later = files.reload(a);
    await new Promise(setImmediate);
    assert.equal(count, 1, 'one after the other');
    slow.resolve(Buffer.from(questions('old')));
    await later;
    await files.load();
    assert.equal(names(), 'a:new');
    files.dispose();
  });
});
