/** The commands of question tests, with two chats whose queries have equal ids; the first chat is the active one. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { AGENT_SKILL } from '../../../../src/evals/report/agentSkill.ts';
import type * as evals from '../../../../src/vscode/evals/evalsArea.ts';
import { Editor, finance, folders, pairs, questionNamed, sales, settled, Uri, viewOf as viewIn } from '../support.ts';
import { withQuery, type Home, type Pairs } from '../support.ts';

const QUESTIONS = '/shop/.analytics-chat/questions.yml';
const QUERY = '/shop/agents/certified_queries/costs_of_first.md';
const TEST = 'Add a question test';
const LINK = 'Link the question test “all”';
const CERTIFIED = "---\nname: costs_of_first\nuser_request: Costs of first?\n---\n\nSELECT 'first t1'\n";

let editor: Editor;
let services: Pairs;
let area: ReturnType<(typeof evals)['registerEvals']>;
/** The rows that the data query API returns. */
let loaded: number[][];
let onLoad: () => void;
/** The question tests, and the names of the certified queries, of all folders. */
let questions: object[];
let certified: string[];
/** The name of their folder. */
let owner: string;
const viewOf = (session: Pairs['first']) => viewIn(session, () => services.done.push('focus'));
const run = (name: string, argument?: unknown) =>
  (area.commands as Record<string, (argument: unknown) => Promise<void>>)[`analyticsChat.${name}`]!(argument);

beforeEach(async () => {
  [editor, loaded, questions, certified, onLoad] = [new Editor(), [[1], [2], [3]], [], [], () => undefined];
  [editor.folders, owner] = [folders.slice(0, 1), 'shop'];
  services = pairs({
    connections: {
      of: ({ connection }: Home) => (connection === 'finance' ? { ...finance, dataQueryUrl: '' } : sales),
    },
    connector: {
      context: ({ connection }: Home) => ({ branch: '', isDefaultBranch: true, identity: `of ${connection}` }),
      dataQuery: ({ connection }: Home, { branch }: { branch: string }) => {
        services.done.push(`load from ${connection} on ${branch}`);
        const answer = JSON.stringify({ schema: [{ name: 'n', type: 'number' }], data: loaded });
        const credential = { kind: 'apiKey', value: 'the-key' };
        const fetch = (): unknown => (onLoad(), Promise.resolve(new Response(answer)));
        return Promise.resolve({ dataQueryUrl: 'https://data.example/', credential, fetch });
      },
    },
    context: { extension: { packageJSON: { version: '9.8.7' } } },
    questionFiles: {
      ...{
        folders: [],
        onDidChange: () => undefined,
        certifiedIn: ({ name }: { name: string }) => Promise.resolve(name === owner ? certified : []),
      },
      questionsOf: ({ name }: { name: string }) => Promise.resolve(name === owner ? questions : []),
      reload: async ({ name }: { name: string }) => {
        await settled();
        const written = [...editor.files.keys()].filter((path) => path.startsWith(`/${name}/`));
        services.done.push(`reload ${written.length} in ${name}`);
      },
    },
    repository: { isReadOnly: (id: string) => id === 'second' },
  });
  withQuery(services.first, 't9', { sqlQuery: "SELECT 'the-key'", totalRows: 3 });
  area = (await editor.load<typeof evals>('evals/evalsArea')).registerEvals(services.services);
});

describe('the commands of question tests', () => {
  for (const [argument, sql, branch, identity, content] of [
    [undefined, 'the', 'net', 'ben', 'Revenue of first'],
    [{ toolCallId: 't1' }, 'first t1', 'dev', 'ana', 'Costs of first'],
    [{ threadId: 'second', toolCallId: 't1' }, 'second t1', 'dev', 'ana', 'Costs of second'],
    [{ threadId: 'second', toolCallId: 't2' }, 'second t2', 'net', 'ben', 'Revenue of second'],
  ] as const)
    it(`make a test of ${content} for ${JSON.stringify(argument)}, without secrets`, async () => {
      editor.settings = { identities: { ben: {} } };
      editor.entered = ['count'];
      const session = argument && 'threadId' in argument && services.second;
      if (session)
        await area.intents.addAsTest(viewOf(session), { type: 'addAsTest', toolCallId: argument.toolCallId });
      else await run('addAsTest', argument);
      const [[, baseline] = ['', ''], [path, question] = ['', '']] = editor.files;
      for (const part of [argument ? sql : '[redacted]', branch, identity, `${content}?`])
        assert.ok(baseline.includes(part), `${part} in ${baseline}`);
      // The answer left out two rows.
      assert.equal(baseline.includes('  - [3]\n'), argument === undefined);
      assert.equal(path, QUESTIONS);
      assert.match(question, new RegExp(`name: count\n.*question: ${content}\\?`));
      assert.equal(question.includes('as: ben'), identity === 'ben');
      const loading = argument ? [] : ['load from sales on net'];
      assert.deepEqual(
        [services.done, editor.titles.length],
        [[...loading, 'reload 2 in shop', ...(session ? ['focus'] : [])], loading.length],
      );
      assert.deepEqual([editor.shown, editor.last?.selection.start.line], [[QUESTIONS], 1]);
    });

  it('write to the folder that the user picks, and nothing if the user cancels any step', async () => {
    editor.folders = folders;
    // A question from before contexts were stored.
    const { second } = services;
    const [turn, ...turns] = second.thread.turns;
    const question = { ...turn!.question!, content: 'Costs of the-key?', context: undefined };
    Object.assign(second, { thread: { ...second.thread, turns: [{ ...turn!, question }, ...turns] } });
    editor.picks = [undefined, 'bank', 'bank', 'bank'];
    editor.entered = [undefined, ' count ', 'other'];
    for (const size of [0, 0, 2, 3]) {
      await run('addAsTest', { threadId: 'second', toolCallId: 't1' });
      assert.deepEqual([editor.files.size, editor.messages], [size, []]);
    }
    const title = 'Analytics Chat: Add as Test';
    assert.deepEqual(new Set(editor.prompts), new Set([title]));
    assert.deepEqual([editor.placeholders[0], editor.explained[0]], ['The folder of the test', 'Name of the test']);
    const [[path, baseline] = ['', ''], [other, added] = ['', '']] = editor.files;
    for (const each of [path, other]) assert.match(each, /^\/bank\//);
    assert.match(added, /name: count\n[^]*name: other\n/);
    assert.doesNotMatch([...editor.files.values()].join(), /the-key/);
    for (const part of ['"trunk"', '"of finance"']) assert.ok(baseline.includes(part), `${part} in ${baseline}`);
    [editor.picks, editor.entered] = [['shop'], ['all']];
    onLoad = () => editor.cancel();
    await run('addAsTest');
    assert.equal(editor.files.size, 3);
  });

  it('make no second test of a question, unless the user adds another one', async () => {
    const path = '.analytics-chat/questions.yaml';
    questions = [questionNamed('Costs_of_first', { text: 'Costs of first?', path })];
    [editor.folders, owner] = [folders, 'bank'];
    const picks = [undefined, 'Open the question test “Costs_of_first”', 'Add another question test'];
    editor.picks = picks.flatMap((pick) => ['bank', pick]);
    editor.files.set(`/bank/${path}`, '# costs_of_first_2\neval_questions: []\n');
    for (const shown of [[], [`/bank/${path}`]]) {
      await run('addAsTest', { toolCallId: 't1' });
      assert.deepEqual([editor.files.size, editor.shown], [1, shown]);
    }
    assert.equal(editor.placeholders[1], 'This question is already a test');
    assert.deepEqual([editor.described[1], editor.last?.selection.start.line], [[path, ''], 1]);
    editor.entered = ['costs_of_first', 'costs_of_first_2'];
    await run('addAsTest', { toolCallId: 't1' });
    assert.deepEqual([editor.proposed, editor.invalid.length], [['costs_of_first_2'], 1]);
    const written = '# costs_of_first_2\neval_questions:\n  - name: costs_of_first_2\n    question: Costs of first?\n';
    assert.deepEqual([editor.files.get(`/bank/${path}`), editor.last?.selection.start.line], [written, 2]);
  });

  it('write nothing with rows that differ, a question file with errors, or in Restricted Mode', async () => {
    editor.files.set(QUESTIONS, 'eval_questions: [');
    const refused = async (message: RegExp): Promise<void> => {
      editor.entered = ['count'];
      await assert.rejects(run('addAsTest'), message);
      assert.deepEqual([...editor.files], [[QUESTIONS, 'eval_questions: [']]);
    };
    await refused(/The file with your questions has errors/);
    loaded = [[4], [5], [6]];
    await refused(/^Error: These rows differ from those in the answer\./);
    loaded = [[1], [2], [3]];
    editor.folders = [{ ...folders[0]!, uri: Uri.file('/read-only') }];
    await refused(/No permission/);
    editor.isTrusted = false;
    await refused(/Restricted Mode/);
  });

  it('make no test of a recorded chat if that would run its SQL, which may come from someone else', async () => {
    withQuery(services.second, 't8', { sqlQuery: 'SELECT 9', totalRows: 2 });
    editor.entered = ['count'];
    // The query is found by its id, although another chat is active.
    await assert.rejects(run('addAsTest', { toolCallId: 't8' }), /SQL of a recorded chat can’t be run/);
    // Nor of one whose own connection can't load the rows that are left out.
    services.services.repository.isReadOnly = () => false;
    await assert.rejects(run('addAsTest', { toolCallId: 't8' }), /^Error: Can’t accept 1 of 2 rows/);
    assert.deepEqual([editor.files.size, services.done], [0, []]);
  });

  it('preview a certified query with its test, and an accepted result only where the query can’t be run', async () => {
    editor.onPreview = () => undefined;
    const [toolCallId, { first, second }] = ['t1', services];
    for (const [session, certify] of [
      [first, () => area.intents.certify(viewOf(first), { type: 'certify', toolCallId })],
      [second, () => area.intents.certify(viewOf(second), { type: 'certify', toolCallId })],
      [second, () => run('certify', { threadId: 'second', toolCallId })],
    ] as const) {
      const threadId = session.thread.id;
      editor.picks = [[TEST]];
      await certify();
      const [query, , baseline] = editor.previewed.at(-1)!;
      assert.match(query!.text, new RegExp(`user_request: Costs of ${threadId}\\?[^]*'${threadId} t1'`));
      assert.equal(baseline !== undefined, threadId === 'second', threadId);
    }
    assert.equal(editor.previewed.length, 3);
  });

  it('say why they do nothing: no SQL, no result, or a test that was not run', async () => {
    const { thread } = services.first;
    const [turn] = thread.turns;
    const items = [{ ...turn!.items[0]!, toolCall: { ...turn!.items[0]!.toolCall!, result: '{}' } }];
    Object.assign(services.first, { thread: { ...thread, turns: [{ ...turn!, items }] } });
    for (const name of ['addAsTest', 'certify']) await run(name);
    Object.assign(services.first, { thread: { ...thread, turns: [] } });
    for (const name of ['addAsTest', 'certify']) await run(name);
    for (const name of ['openTestChat', 'acceptAsExpected', 'compareWithMain']) await run(name, { id: 'x' });
    assert.deepEqual(editor.messages, [
      ...['This query has no result to expect.', 'This query has no result to certify.'],
      ...Array<string>(2).fill('There is no generated SQL in this chat yet.'),
      ...Array<string>(3).fill('Run the test first: its answer is no longer available.'),
    ]);
    assert.deepEqual([editor.files.size, services.done], [0, []]);
  });

  it('copy a CI workflow that runs this version on the main branch, and the skill', async () => {
    await assert.rejects(run('copyCiWorkflow'), /No file \/extension\/dist\/cli\.sha512/);
    editor.files.set('/extension/dist/cli.sha512', 'abc123\n');
    editor.settings = { agentsPath: 'bi' };
    await run('copyCiWorkflow');
    await run('copySkill');
    const [workflow, skill] = editor.copied;
    for (const part of ['9.8.7', 'abc123', ' main', '"bi/**"']) assert.ok(workflow?.includes(part), part);
    assert.equal(skill, AGENT_SKILL);
    assert.deepEqual(editor.statuses, ['CI workflow copied', 'Skill copied. Paste it into a file named SKILL.md.']);
  });
});

describe('certifying an answer', () => {
  const costs = { toolCallId: 't1' };

  it('previews the query and a test of it in one edit', async () => {
    editor.picks = [[TEST]];
    editor.onPreview = () => {
      editor.fire('onDidChangeTabs', { closed: [{ input: {} }] });
      editor.applyPreview();
    };
    await run('certify', costs);
    const lines = ['name: costs_of_first', 'question: Costs of first?', 'certifiedQuery: costs_of_first'];
    const files = [
      [QUERY, CERTIFIED],
      [QUESTIONS, `eval_questions:\n  - ${lines.join('\n    ')}\n`],
    ] as const;
    assert.deepEqual(editor.previewed, [files.map(([path, text]) => ({ path, text }))]);
    assert.deepEqual([[...editor.files], editor.writes, services.done], [files, 1, ['reload 2 in shop']]);
    assert.deepEqual([editor.tabs, editor.ticked], [[], [[TEST]]], 'the preview is closed');
    const detailed = [['Expects the rows of the certified query']];
    assert.deepEqual([editor.prompts, editor.detailed], [['Analytics Chat: Certify'], detailed]);
    assert.deepEqual(editor.placeholders, ['Written in addition to the query']);
    assert.deepEqual(editor.executed, [['workbench.action.keepEditor']]);
    const status = 'Certified: agents/certified_queries/costs_of_first.md';
    assert.deepEqual([editor.statuses, editor.shown], [[status], [QUERY]]);
  });

  it('links the test that *Add as Test…* has written of the question, and leaves a linked one as it is', async () => {
    const test = { name: 'all', text: 'costs of First?', path: '.analytics-chat/questions.yml' };
    const written = 'eval_questions:\n  - name: all\n    question: costs of First?\n';
    editor.files.set(QUESTIONS, written);
    const others = [{ identity: 'another' }, { space: 'x' }, { access: {} }, { text: 'Others?' }];
    questions = [...others.map((each) => ({ ...test, name: 'other', ...each })), test];
    editor.picks = [[LINK]];
    await run('certify', costs);
    assert.deepEqual(editor.offered.at(-1), [LINK]);
    const linked = written.replace('    question', '    certifiedQuery: costs_of_first\n    question');
    assert.equal(editor.files.get(QUESTIONS), linked);

    questions = [{ ...test, expectedSql: { certifiedQuery: { name: 'Costs_of_First' } } }];
    editor.picks = ['Replace agents/certified_queries/costs_of_first.md'];
    await run('certify', costs);
    assert.equal(editor.files.get(QUESTIONS), linked);
    questions = [{ ...test, expectedSql: { sql: 'SELECT 1' } }];
    editor.picks = ['Replace agents/certified_queries/costs_of_first.md', undefined];
    await run('certify', costs);
    assert.deepEqual(editor.offered.at(-1), [TEST]);
    assert.deepEqual(editor.titles, Array(2).fill('Certify “Costs of first?”'));
  });

  it('writes only the query if the test is not ticked, and no keys', async () => {
    editor.picks = [[]];
    await run('certify');
    const [[path, text] = ['', ''], ...others] = editor.files;
    assert.deepEqual([path, others], [QUERY.replace('costs', 'revenue'), []]);
    assert.match(text, /\[redacted\]/);
  });

  it('writes nothing if the user closes the preview or cancels', async () => {
    const { onPreview } = editor;
    editor.onPreview = () => undefined;
    editor.picks = [[TEST], undefined];
    for (const _ of [1, 2]) await run('certify', costs);
    assert.deepEqual([editor.files.size, editor.previewed.length, editor.statuses], [0, 1, []]);
    assert.equal(editor.messages.splice(0).length, 1, 'of the closed preview');
    editor.onPreview = onPreview;
    [editor.refusesEdits, editor.picks] = [true, [[], undefined]];
    await run('certify', costs);
    assert.deepEqual([editor.files.size, editor.writes, services.done, editor.statuses], [0, 1, [], []]);
    await area.intents.certify(viewOf(services.first), { type: 'certify', ...costs });
    assert.deepEqual([editor.previewed.length, editor.messages, services.done], [2, [], ['focus']]);
  });

  it('lets the user choose whether an existing certified query is replaced', async () => {
    editor.files.set(QUERY, 'old');
    for (const suffix of [2, 3, 4]) {
      editor.picks = [`Write agents/certified_queries/costs_of_first_${suffix}.md`, []];
      await run('certify', costs);
    }
    assert.deepEqual([editor.files.get(QUERY), editor.files.size], ['old', 4]);
    assert.equal(editor.placeholders[0], 'This question is already certified');
    editor.picks = ['Replace agents/certified_queries/costs_of_first.md', []];
    await run('certify', costs);
    assert.equal(editor.documents.find(({ uri }) => uri.path === QUERY)?.text, CERTIFIED);
  });

  it('gives the query a name that no query of another file has, such as of agents/config.yml', async () => {
    certified = ['Costs_of_first', 'costs_of_first_2'];
    editor.files.set('/shop/agents/certified_queries/costs_of_first_3.md', '');
    editor.picks = [[]];
    await run('certify', costs);
    assert.match(editor.files.get(QUERY.replace('.md', '_4.md'))!, /^---\nname: costs_of_first_4\n/);
    questions = [{ name: 'Costs_of_First_5', text: 'Others?' }];
    editor.picks = [[TEST]];
    await run('certify', costs);
    assert.match(editor.files.get(QUESTIONS)!, /name: costs_of_first_5_2\n/);
    assert.deepEqual(editor.messages, []);
  });

  it('asks for the folder if there are several, and says that it needs one and a trusted workspace', async () => {
    editor.folders = folders;
    [editor.settings, owner] = [{ 'bank agentsPath': 'bi' }, 'bank'];
    [certified, questions] = [['costs_of_first'], [{ name: 'Costs_of_First_2', text: 'Others?' }]];
    editor.picks = ['bank', [TEST]];
    await run('certify', costs);
    questions = [{ name: 'all', text: 'Costs of first?' }];
    editor.picks = ['bank', []];
    await run('certify', costs);
    assert.deepEqual([editor.offered.at(-1), editor.placeholders[0]], [[LINK], 'The folder of the certified query']);
    const [own, other] = [2, 3].map((at) => QUERY.replace('shop/agents', 'bank/bi').replace('.md', `_${at}.md`));
    assert.deepEqual([...editor.files.keys()], [own, QUESTIONS.replace('shop', 'bank'), other]);
    assert.match(editor.files.get(QUESTIONS.replace('shop', 'bank'))!, /name: costs_of_first_2_2\n/);
    assert.deepEqual(editor.shown, [own, other]);
    editor.folders = [];
    await run('certify', costs);
    assert.deepEqual(editor.messages, ['Open the folder of your data model to certify queries in it.']);
    editor.isTrusted = false;
    await assert.rejects(run('certify', costs), /Restricted Mode/);
    assert.equal(editor.previewed.length, 2);
  });
});
