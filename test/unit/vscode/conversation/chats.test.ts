/** The commands and intents of the conversation with two chats on two connections; the first chat is the active one. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Draft, Intent, ToWebview } from '../../../../src/shared/protocol/chat.ts';
import type * as contexts from '../../../../src/vscode/conversation/viewContext.ts';
import { connectionTo } from '../service.ts';
import { Editor, emptyThread, EventEmitter, folders, makeItem, makeTurn, pairs, settled } from '../support.ts';
import { registered, sales, TextDocument, TextEditor, Uri, withItems } from '../support.ts';
import type { ChatSession, ChatView, ConnectionEntry, Home, Pairs, QuestionContext, Thread } from '../support.ts';

const draftOf = (text: string): Draft => ({ text, images: [] });
const members = [
  { name: 'sales.revenue', type: 'number', aggType: 'sum', title: 'Revenue' },
  { name: 'sales.region', type: 'string', title: 'Region' },
];
const view = { name: 'sales', type: 'view', title: 'Sales', members };
const failed = { kind: 'server', message: 'It failed.', actions: [] } as const;

describe('the conversation with two chats', () => {
  let editor: Editor;
  let world: Pairs;
  let done: string[];
  let drafts: Map<string, Draft>;
  /** Ids of recorded chats. */
  let recorded: string[];
  let created: ChatSession;
  /** Views that can show another chat; a side of a comparison can't. */
  let switchable: ChatView[];
  /** That of the desktop, or of the web. */
  let uiKind: number;
  /** The view in which the user is. */
  let current: ChatView | undefined;
  let area: Awaited<ReturnType<typeof registered>>;

  const take = (): string[] => done.splice(0);
  const sessionOf = (thread: Thread): ChatSession => {
    const note =
      (what: string) =>
      (...of: unknown[]) =>
        settled().then(
          () => void done.push([what, ...of.map((each) => JSON.stringify(each)), 'in', thread.id].join(' ')),
        );
    const named = Object.fromEntries(
      ['send', 'abort', 'retryNow', 'sendQueued', 'dispatch'].map((name) => [name, note(name)]),
    );
    return { ...named, thread } as unknown as ChatSession;
  };
  const viewOf = (session: ChatSession, name = session.thread.id): ChatView => ({
    ...{ session, visible: true, show: () => undefined, reveal: () => void done.push(`reveal ${name}`) },
    post: (message: ToWebview) => void done.push(`${name} gets ${JSON.stringify(message)}`),
  });
  const change = (session: ChatSession, fields: Partial<Thread>): void =>
    void Object.assign(session, { thread: { ...session.thread, ...fields } });

  beforeEach(async () => {
    [editor, recorded, switchable, current, uiKind] = [new Editor(), [], [], undefined, 1];
    created = sessionOf(emptyThread('new'));
    world = pairs({
      charts: { of: ({ thread }: ChatSession) => [['t1', `chart of ${thread.id}`]] },
      connector: {
        connect: (home: Home, context?: QuestionContext) => {
          done.push(`connect ${home.connection} as ${context?.identity}`);
          return Promise.resolve(connectionTo({ url: 'https://agent.example/chat' }));
        },
      },
      identities: { timeZones: ({ name }: ConnectionEntry) => ({ zone: name }) },
      branches: { offeredByGit: 'offered' },
      lifetimeNotices: { of: ({ name }: { name: string }, id: string) => `${name} ${id}`.length },
      members: { on: (name: string) => (name === 'finance' ? [view] : []) },
      context: { extension: { packageJSON: { version: '1.2.3' } } },
      connections: {
        current: { ...sales, sessionSettings: { team: 'of the team' } },
        unusable: [{ problem: 'No URL for the-key.' }],
        label: (home: Home) => `label ${home.connection}`,
      },
      questionFiles: {
        certifiedAs: (sql: string) =>
          sql === "SELECT 'second t2'" ? { query: { path: 'q.md', range: at(3) }, folder: folders[1] } : undefined,
      },
      replays: { showRest: ({ thread }: ChatSession) => thread.id === 'replayed' && done.push('show the rest') > 0 },
      repository: { isReadOnly: (id: string) => recorded.includes(id) },
      sessions: {
        create: () => (done.push('create'), created),
        pin: (id: string, context: unknown) => done.push(`pin ${id} ${String(context)}`),
      },
      views: {
        get current() {
          return current;
        },
        get all() {
          return switchable;
        },
        of: (session: ChatSession) => switchable.filter((view) => view.session === session),
        focus: (session: ChatSession) => (done.push(`focus ${session.thread.id}`), Promise.resolve(viewOf(session))),
        openInEditor: ({ thread }: ChatSession) => done.push(`tab of ${thread.id}`),
        showIn: (_view: ChatView, { thread }: ChatSession) => done.push(`show ${thread.id}`),
      },
    });
    for (const session of [world.first, world.second]) Object.assign(session, { ...sessionOf(session.thread) });
    ({ done, drafts } = world);
    const openExternal = (address: string): Promise<boolean> => Promise.resolve(done.push(`open ${address}`) > 0);
    const env = {
      ...{ openExternal, remoteName: 'wsl' },
      get uiKind() {
        return uiKind;
      },
    };
    const others = { export: (view: ChatView) => done.push(`export ${view.session.thread.id}`) };
    area = await registered(
      'conversation',
      world.services,
      editor.with({ env, Uri, version: '1.104.0' as never }),
      others,
    );
  });
  const at = (line: number) => ({ start: { line, character: 0 }, end: { line: line + 2, character: 9 } });

  const run = (name: string, argument?: unknown): unknown => area.commands[`analyticsChat.${name}`]!(argument);
  const intent = (view: ChatView, message: Intent): unknown =>
    (area.intents[message.type] as (view: ChatView, intent: Intent) => unknown)(view, message);

  describe('commands', () => {
    for (const [name, argument, expected] of [
      ['open', undefined, ['focus first']],
      ['openInEditor', undefined, ['tab of first']],
      ['newChat', undefined, ['create', 'focus new']],
      ['ask', ' why? ', ['focus first', 'send {"text":"why?","images":[]} in first']],
      ['ask', { text: 'why?', chatId: 'chat-second' }, ['focus second', 'send {"text":"why?","images":[]} in second']],
      ['ask', '  ', []],
      ['abort', undefined, []],
      ['find', undefined, ['focus first', 'reveal first', 'first gets {"type":"focus","what":"find"}']],
      ['showLog', undefined, ['show log']],
      ['askAboutMember', {}, []],
      ['askAboutMember', { name: 'orders.revenue', questions: ['Revenue?'] }, []],
    ] as const)
      it(`${name} ${JSON.stringify(argument) ?? ''} does ${expected.join(', ') || 'nothing'}`, async () => {
        await run(name, argument);
        assert.deepEqual(done, expected);
      });

    it('ask for a question without one, and nothing if the user cancels', async () => {
      editor.entered = [' why? ', undefined];
      for (const [chatId, last] of [['chat-first', 'send {"text":"why?","images":[]} in first'], []]) {
        assert.equal(await run('ask'), chatId);
        assert.equal(take().at(-1), last);
      }
      const asked = [editor.prompts[0], editor.explained[0], editor.placeholders[0]];
      assert.deepEqual(asked, ['Analytics Chat: Ask', 'Ask about your data', 'revenue by month in 2024']);
    });

    it('use a new chat if the active one is recorded', async () => {
      recorded = ['first'];
      editor.active = new TextEditor(new TextDocument('/bank/a.sql', 'SELECT 1'));
      editor.picks = ['Ask about orders.revenue'];
      for (const [name, argument, last] of [
        ['ask', 'why?', 'send'],
        ['askAboutFile', undefined, 'new gets'],
        ['askAboutSelection', undefined, 'new gets'],
        ['askAboutMember', { name: 'orders.revenue', questions: [] }, 'new gets'],
      ] as const) {
        await run(name, argument);
        assert.deepEqual(
          take().map((each) => each.split(' {')[0]),
          ['create', 'focus new', last],
        );
      }
    });

    it('say why they fail', async () => {
      editor.active = new TextEditor(new TextDocument('/bank/a.sql', 'SELECT 1'));
      const focus = (): Promise<never> => Promise.reject(new Error('No view.'));
      Object.assign(world.services.views, { focus });
      for (const name of ['open', 'newChat', 'find', 'ask', 'askAboutFile', 'askAboutSelection'])
        await assert.rejects(async () => run(name, name === 'ask' ? 'why?' : undefined), /No view/, name);
    });

    it('find in the current view, and show the README', async () => {
      current = viewOf(world.second);
      await run('find');
      assert.deepEqual(done, ['reveal second', 'second gets {"type":"focus","what":"find"}']);
      await run('help');
      await intent(current, { type: 'command', name: 'help' });
      const readme = ['markdown.showPreview', 'file:///extension/README.md'];
      assert.deepEqual(editor.executed.flat().map(String), [...readme, ...readme]);
    });

    it('stop the active chat, else another running one, else say that there is none', async () => {
      for (const [first, second, expected] of [
        ['streaming', 'streaming', ['abort in first']],
        ['ready', 'streaming', ['abort in second']],
        ['ready', 'ready', []],
      ] as const) {
        change(world.first, { status: first });
        change(world.second, { status: second });
        await run('abort');
        assert.deepEqual(take(), expected);
      }
      assert.deepEqual(editor.messages, ['No answer is in progress.']);
      change(world.second, { id: 'replayed', status: 'streaming' });
      await run('abort');
      await intent(viewOf(world.second), { type: 'stop' });
      assert.deepEqual(done, ['show the rest', 'show the rest']);
    });

    it('reuse an empty chat, and move its draft to a new one if it failed or is recorded', async () => {
      for (const [fields, ids, expected] of [
        [{}, [], ['focus first']],
        [{ error: failed }, [], ['create', 'focus new']],
        [{}, ['first'], ['create', 'focus new']],
      ] as const) {
        change(world.first, { turns: [], error: undefined, ...fields });
        recorded = [...ids];
        drafts.clear();
        drafts.set('first', draftOf('half'));
        assert.equal(await run('newChat'), expected.length > 1 ? 'new' : 'first');
        assert.deepEqual(take(), expected);
        assert.equal(drafts.get('new')?.text, expected.length > 1 ? 'half' : undefined);
        assert.equal(drafts.get('first')?.text, expected.length > 1 ? '' : 'half');
      }
    });

    it('attach the selection with its lines, or a whole file, or say that there is none', async () => {
      for (const name of ['askAboutFile', 'askAboutSelection']) await run(name);
      assert.deepEqual(editor.messages, [
        'Open a file to ask about it.',
        'Open a file and select some text to ask about it.',
      ]);
      editor.files.set('/shop/b.sql', 'SELECT 2');
      const document = new TextDocument('/bank/model/a.sql', 'a\nb\nc');
      editor.documents.push(document);
      for (const [name, selected, chip, title, text] of [
        ['askAboutSelection', [2, 5], 'a.sql:2–3', 'bank/model/a.sql', 'b\nc'],
        ['askAboutSelection', [2, 3], 'a.sql:2', 'bank/model/a.sql', 'b'],
        ['askAboutSelection', [2, 2], 'a.sql', 'bank/model/a.sql', 'a\nb\nc'],
        ['askAboutFile', [2, 5], 'a.sql', 'bank/model/a.sql', 'a\nb\nc'],
        ['askAboutFile', Uri.file('/shop/b.sql'), 'b.sql', 'shop/b.sql', 'SELECT 2'],
        ['askAboutFile', new Uri('vscode-remote', 'ssh+box', '/shop/b.sql'), 'b.sql', '/shop/b.sql', 'SELECT 2'],
      ] as const) {
        // The page has the focus.
        editor.visible[0] = new TextEditor(document, selected instanceof Uri ? [0] : [[...selected]]);
        await run(name, selected);
        const [focused, message = ''] = take();
        const { attachments } = (JSON.parse(message.replace('first gets ', '')) as { draft: Draft }).draft;
        assert.deepEqual(
          [focused, ...(attachments ?? []).map((each) => [each.name, each.text])],
          ['focus first', [chip, `About ${title}:\n\`\`\`sql\n${text}\n\`\`\`\n`]],
        );
      }
    });

    it('list the questions that use a member, and add the chosen one to the composer', async () => {
      const questions = [
        { text: 'Revenue by month?', name: 'monthly', path: 'agents/eval_questions.yml' },
        { text: 'Revenue today?', name: 'Revenue today?', path: '' },
      ];
      const about = 'What is orders.revenue, and how is it calculated?';
      editor.picks = ['Ask about orders.revenue', 'Revenue today?', undefined];
      for (const text of [about, 'Revenue today?', undefined]) {
        await run('askAboutMember', { name: 'orders.revenue', questions });
        const draft = text && `first gets ${JSON.stringify({ type: 'compose', draft: draftOf(text) })}`;
        assert.deepEqual([take(), editor.messages], [draft ? ['focus first', draft] : [], []]);
      }
      assert.deepEqual(editor.offered[0], [
        ...['Ask about orders.revenue', 'Questions that use it', 'Revenue by month?', 'Revenue today?'],
      ]);
      assert.deepEqual(editor.described[0], ['', '', 'monthly', '']);
      assert.deepEqual(editor.icons[0], ['comment', 'separator', 'beaker', 'history']);
      const prompt = [editor.prompts[0], editor.placeholders[0], editor.searched[0]];
      assert.deepEqual(prompt, ['orders.revenue', 'Select a question for the chat', true]);
    });

    it('copy the request of the last question, or of a draft that was not sent', async () => {
      const [earlier, last] = world.first.thread.turns;
      change(world.first, { turns: [earlier!, makeTurn({ ...last!.question!, id: '1700000000000-message' })] });
      const [asked, unsent] = [/Revenue of first\?/, /"Costs of \[redacted\]\?"/];
      for (const [draft, fields, expected] of [
        ['', {}, asked],
        ['Costs of the-key?', {}, asked],
        ['Costs of the-key?\n', { error: failed }, unsent],
        ['Costs of the-key?', { turns: [], error: undefined }, unsent],
      ] as const) {
        const attached = { mimeType: 'image/png', data: 'aW1hZ2U=', name: 'a.png' };
        drafts.set('first', { ...draftOf(draft), images: [attached] });
        change(world.first, fields);
        await run('copyAsCurl');
        assert.match(editor.copied.at(-1)!, expected);
        assert.equal(editor.copied.at(-1)!.includes('aW1hZ2U='), expected === unsent);
        assert.deepEqual(take(), [`connect sales as ${expected === asked ? 'ben' : 'undefined'}`]);
      }
      assert.match(editor.messages.at(-1)!, /^Command copied\. .*variable ANALYTICS_CHAT_API_KEY to your key\.$/);
      const images = [{ mimeType: 'image/png', data: 'x'.repeat(1_000_000), name: 'a.png' }];
      change(world.first, { turns: [makeTurn({ ...last!.question!, id: '1700000000000-message', images })] });
      await run('copyAsCurl');
      assert.match(editor.messages.at(-1)!, /only the names of the images\. Add their data before you run it\.$/);
      assert.ok(editor.copied.at(-1)!.length < 9999);
      const ofToken = { ...connectionTo({ url: 'https://agent.example/chat' }), sessionSettings: undefined };
      const { connect } = world.services.connector;
      Object.assign(world.services.connector, { connect: () => Promise.resolve(ofToken) });
      await run('copyAsCurl');
      assert.match(editor.messages.at(-1)!, /variable ANALYTICS_CHAT_SERVICE_TOKEN to your key\./);
      Object.assign(world.services.connector, { connect });
      drafts.clear();
      change(world.first, { turns: [] });
      take();
      await run('copyAsCurl');
      assert.deepEqual([editor.copied.length, done], [6, []]);
      assert.match(editor.messages.at(-1)!, /^Ask a question first/);
    });

    it('copy diagnostics of the current connection, without identities, keys or questions', async () => {
      editor.settings = { identities: { ana: {}, ben: {}, cleo: {} } };
      change(world.second, { error: failed, unknownLines: 3 });
      editor.isTrusted = false;
      await run('copyDiagnostics');
      const { connection, threads, ...rest } = JSON.parse(editor.copied[0]!) as Record<string, object[]>;
      assert.deepEqual(connection, {
        ...{ name: 'sales', origin: 'https://sales.example', authentication: 'apiKey' },
        ...{ sessionSettings: ['team'], dataQueryUrl: true },
      });
      assert.deepEqual(
        [rest.connections, rest.identities, rest.unusableConnections, rest.branch, rest.vscode],
        [2, 3, ['No URL for [redacted].'], { name: 'now', isDefault: false }, '1.104.0'],
      );
      assert.deepEqual([rest.host, rest.remote, rest.trusted, rest.extension], ['desktop', 'wsl', false, '1.2.3']);
      const thread = { turns: 2, items: 3, unknownLines: 0, error: null };
      assert.deepEqual(threads, [{ ...thread, error: 'server', unknownLines: 3 }, thread]);
      assert.doesNotMatch(editor.copied[0]!, /Costs|Revenue|"ana"|the-key|of the team/);
      assert.deepEqual(editor.messages, ['Diagnostics copied. They contain no keys and no chat content.']);
      Object.assign(world.services.connections, { current: undefined });
      uiKind = 2;
      await run('copyDiagnostics');
      const { connection: none, host } = JSON.parse(editor.copied[1]!) as Record<string, unknown>;
      assert.deepEqual([none, host], [undefined, 'web']);
    });
  });

  describe('intents are for the chat of their view, which may not be the active one', () => {
    const draft: Draft = { ...draftOf('sent'), aside: draftOf('aside') };
    for (const [message, expected] of [
      [
        { type: 'send', text: 'why?', images: [] },
        ['activate second', 'pin second undefined', 'send {"text":"why?","images":[]} in second'],
      ],
      [{ type: 'stop' }, ['abort in second']],
      [{ type: 'retryNow' }, ['retryNow in second']],
      [{ type: 'sendQueued', id: 'x' }, ['activate second', 'sendQueued "x" in second']],
      [{ type: 'unqueue', id: 'x' }, ['dispatch [{"type":"unqueued","id":"x"}] in second']],
      [{ type: 'focused' }, ['activate second']],
      [{ type: 'command', name: 'export' }, ['activate second', 'export second']],
      [{ type: 'newChat' }, ['create', 'show new', 'second gets {"type":"focus","what":"composer"}']],
      [
        { type: 'draft', threadId: 'second', draft: draftOf('half') },
        ['beside gets {"type":"draft","draft":{"text":"half","images":[]}}'],
      ],
      [{ type: 'openLink', href: 'https://a.example/%26' }, ['open https://a.example/%26']],
      [{ type: 'openLink', href: 'mailto:ana@example.com' }, ['open mailto:ana@example.com']],
      ...['command:x', 'file:///etc/passwd', 'vscode://publisher.other/run', 'x'].map(
        (href) => [{ type: 'openLink', href }, []] as const,
      ),
      [{ type: 'copyAnswer', messageId: 'of another chat' }, []],
      [{ type: 'listFiles' }, ['second gets {"type":"files","files":[]}']],
      [{ type: 'problem', text: 'It failed.' }, ['A page reported an error: It failed.']],
    ] as const)
      it(`${JSON.stringify(message)}`, async () => {
        const view = viewOf(world.second);
        switchable = [viewOf(world.first), view, viewOf(world.second, 'beside')];
        for (const id of ['first', 'second']) drafts.set(id, draft);
        await intent(view, message as Intent);
        assert.deepEqual(done, expected);
        const kept = { send: 'aside', draft: 'half' }[message.type as string] ?? 'sent';
        assert.deepEqual([drafts.get('first')?.text, drafts.get('second')?.text], ['sent', kept]);
        assert.deepEqual(editor.copied, []);
      });

    it('open a new chat elsewhere if the view can’t show another one', async () => {
      await intent(viewOf(world.second), { type: 'newChat' });
      assert.deepEqual(done, ['create', 'focus new']);
    });

    it('copy the text of an answer without secrets, and open the certified query of a result', async () => {
      const view = viewOf(world.second);
      for (const each of [world.first, world.second]) {
        const answer = makeItem('a', { content: `The-key of ${each.thread.id} is the-key.`, sort: 9 });
        Object.assign(each, { thread: withItems(each.thread, answer) });
      }
      await intent(view, { type: 'copyAnswer', messageId: 'a' });
      assert.deepEqual([editor.copied, editor.statuses], [['The-key of second is [redacted].'], ['Answer copied']]);
      await intent(view, { type: 'openCertified', toolCallId: 't1' });
      await intent(view, { type: 'openCertified', toolCallId: 't2' });
      assert.deepEqual(editor.shown, ['/bank/q.md']);
      const { start, isEmpty } = editor.last!.selection;
      assert.deepEqual([start.line, isEmpty], [3, true]);
      // What the user sees.
      await intent(view, { type: 'copy', text: 'the-key' });
      assert.equal(editor.copied.pop(), 'the-key');
    });

    it('say why they fail', async () => {
      const fail = (): never => assert.fail('It failed.');
      const reject = (): Promise<never> => Promise.reject(new Error('It failed.'));
      for (const name of ['send', 'abort', 'retryNow', 'sendQueued', 'retry'])
        Object.assign(world.second, { [name]: reject });
      const thread = withItems(world.second.thread, makeItem('a', { content: 'Up.' }));
      Object.assign(world.second, { thread });
      Object.assign(world.services.views, { focus: reject });
      Object.assign(world.services.log, { redactDocument: fail });
      Object.assign(world.services.questionFiles, { certifiedAs: fail });
      editor.answers = ['Attach'];
      for (const message of [
        { type: 'send', text: 'why?', images: [] },
        ...[{ type: 'stop' }, { type: 'retryNow' }, { type: 'sendQueued', id: 'x' }, { type: 'newChat' }],
        ...[{ type: 'errorAction', action: 'retry' }, { type: 'listFiles' }],
        ...[
          { type: 'attachUris', uris: ['file:///elsewhere/a.sql'] },
          { type: 'copyAnswer', messageId: 'a' },
        ],
        { type: 'openCertified', toolCallId: 't2' },
      ] as Intent[])
        await assert.rejects(async () => intent({ ...viewOf(world.second), post: fail }, message), message.type);
    });

    it('ask before they attach a dropped file of elsewhere, and keep the draft of the chat that the page showed', async () => {
      await intent(viewOf(world.second), { type: 'attachUris', uris: ['file:///elsewhere/a.sql'] });
      assert.deepEqual(editor.messages, ['/elsewhere/a.sql [Attach]']);
      for (const threadId of ['first', 'gone'])
        await intent(viewOf(world.second), { type: 'draft', threadId, draft: draftOf('half') });
      assert.deepEqual([...drafts.keys()], ['first']);
    });
  });

  it('shows in each view what belongs to the connection of its chat', async () => {
    const { viewContextOf } = await editor.load<typeof contexts>('conversation/viewContext');
    recorded = ['first'];
    editor.settings = { sendKey: 'modEnter', showThinking: 'hidden', 'export.guardFormulas': false };
    const ofAll = {
      ...{ connected: true, branch: 'now', mainBranch: 'main', offeredBranch: 'offered' },
      ...{ sendKey: 'modEnter', showThinking: 'hidden', guardFormulas: false },
    };
    const usual = ['revenue by month in 2024', 'top 10 products by revenue', 'returns by region last quarter'];
    const { examples, ...second } = viewContextOf(world.services, world.second);
    assert.equal(examples[0], 'revenue by region');
    assert.deepEqual(viewContextOf(world.services, world.first), {
      ...{ ...ofAll, connection: 'label sales', identity: 'me', timeZones: { zone: 'sales' }, lifetime: 11 },
      ...{ examples: usual, readOnly: true, chartSpecs: [['t1', 'chart of first']], certified: [] },
    });
    assert.deepEqual(second, {
      ...{ ...ofAll, connection: 'label finance', identity: 'ben', timeZones: { zone: 'finance' }, lifetime: 14 },
      ...{ readOnly: false, chartSpecs: [['t1', 'chart of second']], certified: [['t2', 'q.md']] },
    });
    Object.assign(world.services.connections, { current: undefined });
    assert.equal(viewContextOf(world.services, world.second).connected, false);
  });

  it('shows it again in the views that a change affects', async () => {
    const { refreshViewContexts } = await editor.load<typeof contexts>('conversation/viewContext');
    const names = ['branches', 'charts', 'connections', 'identities', 'questionFiles', 'sessions'] as const;
    const changes = names.map(() => new EventEmitter<unknown>());
    const stubs = Object.fromEntries(names.map((name, at) => [name, { onDidChange: changes[at]!.event }]));
    const { services } = pairs({
      ...stubs,
      views: { viewContextChanged: (of?: ChatSession) => done.push(of?.thread.id ?? 'all') },
    });
    const refreshing = refreshViewContexts(services);
    const fire = (): string[] => {
      changes.forEach((change, at) =>
        change.fire(names[at] === 'sessions' ? { session: world.first, events: [{ type: 'finished' }] } : world.second),
      );
      changes.at(-1)!.fire({ session: world.first, events: [{ type: 'sent' }] });
      for (const section of ['analyticsChat', 'editor', 'files'])
        editor.fire('onDidChangeConfiguration', { affectsConfiguration: (each: string) => each === section });
      return take();
    };
    assert.deepEqual(fire(), ['all', 'second', 'all', 'all', 'all', 'first', 'all']);
    refreshing.dispose();
    assert.deepEqual(fire(), []);
  });
});
