/** What comes from outside the extension's own views: links, VS Code's chat, and the consent to a question. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { consentText, readLink, whereText } from '../../../../src/vscode/native/consent.ts';
import type * as area from '../../../../src/vscode/native/nativeArea.ts';
import type * as offers from '../../../../src/vscode/native/offerNatively.ts';
import { Disposable, Editor, loadWithEditor, pairs, type Pairs } from '../support.ts';

describe('a confirmation', () => {
  it('starts with the target of the question: the connection only if there are several', () => {
    const { services } = pairs();
    const one = pairs({ connections: { several: false } }).services;
    const none = pairs({ connections: { current: undefined } }).services;
    for (const [given, branch, where] of [
      [services, undefined, 'to sales, on branch “now” as “me”'],
      [services, 'dev', 'to sales, on branch “dev” as “me”'],
      [one, 'dev', 'on branch “dev” as “me”'],
      [none, '', 'on branch “now” as “me”'],
    ] as const)
      assert.equal(whereText(given, branch), where);
  });

  it('omits blank lines that would hide its end, and says how much of a long question is not shown', () => {
    const line = 'line\n';
    for (const [question, shown] of [
      [`harmless${'\n'.repeat(1700)}${' '.repeat(100)}drop everything`, /^here\n\nharmless\n drop everything$/],
      ['one\u2028two\u2029\u2029three\r\nfour', /^here\n\none\ntwo\nthree\nfour$/],
      [line.repeat(50), /^here\n\n(line\n){20}… 30 more lines$/],
      [line.repeat(21), /… 1 more line$/],
      [line.repeat(20), /^here\n\n(line\n?){20}$/],
      ['x'.repeat(5000), /^here\n\nx{2000}\n… 3000 more characters$/],
    ] as const)
      assert.match(consentText('here', question), shown);
  });
});

const ID = '0b1e8c7a-3c1d-4c53-9f50-5a7d1c1f2e3b';

describe('a link to the extension', () => {
  it('opens a thread by its id, or asks the whole text, without characters that would disguise it', () => {
    const ask = (text: string) => ({ kind: 'ask', text });
    for (const [path, query, request] of [
      ['/thread', `id=${ID}_z`, { kind: 'thread', threadId: `${ID}_z` }],
      ['/thread', 'id=../../secrets', undefined],
      ['/thread', '', undefined],
      ['/thread', `id=${ID}&windowId=_blank`, { kind: 'thread', threadId: ID }],
      ['/ask', 'text=one\n\ttwo', ask('one\n\ttwo')],
      ['/ask', 'text=a & b = c+d?', ask('a & b = c+d?')],
      ['/ask', 'text=revenue+by+month', ask('revenue by month')],
      ['/ask', 'text=one\u202etwo\u200b\u0007', ask('onetwo')],
      ['/ask', 'text=one\ufe0f\u{e0141}\u3164two', ask('onetwo')],
      ['/ask', 'text= \u200b ', undefined],
      ['/ask', `text=${'a'.repeat(2000)}`, ask('a'.repeat(2000))],
      ['/ask', `text=${'a'.repeat(2001)}`, undefined],
      ['/asks', 'text=x', undefined],
      ['/ask', 'chatApiUrl=https://evil.example&text=x', undefined],
    ] as const)
      assert.deepEqual(readLink(path, query), request, query.slice(0, 40));
  });
});

const token = {} as vscode.CancellationToken;

describe('what comes from outside', () => {
  let editor: Editor;
  let two: Pairs;
  let native: typeof area & typeof offers;
  /** Listeners and tools that were registered. */
  let registered: Record<string, (...of: unknown[]) => Promise<unknown>>;
  let prepare: typeof registered;
  let participant: Disposable & Partial<Pick<vscode.ChatParticipant, 'iconPath' | 'followupProvider'>>;
  let handle: (path: string, query: string) => Promise<unknown>;

  beforeEach(async () => {
    [editor, registered, prepare] = [new Editor(), {}, {}];
    let handled: Promise<unknown> = Promise.resolve();
    two = pairs({
      guarded: (work: () => unknown) => (handled = Promise.resolve(work())),
      sessions: { create: () => two.second },
    });
    type Handler = { handleUri(uri: { path: string; query: string }): void };
    type Registered = (typeof registered)[string];
    const add = (name: string, handler: Registered): Disposable => {
      registered[name] = handler;
      return new Disposable(() => delete registered[name]);
    };
    const stub = editor.with({
      chat: {
        createChatParticipant: (_id: string, answer: Registered) => (participant = add('answer', answer)),
      },
      lm: {
        registerTool: (name: string, { invoke, prepareInvocation }: Record<string, Registered>) => {
          prepare[name] = prepareInvocation!;
          return add(name, invoke!);
        },
      },
      window: {
        registerUriHandler: ({ handleUri }: Handler) => {
          handle = (path, query) => (handleUri({ path, query }), handled);
        },
      },
    });
    native = await loadWithEditor('vscode/native/nativeArea.ts', stub, 'vscode/native/offerNatively.ts');
    native.handleLinks(two.services);
  });

  it('shows the chat of a link after the history was read, or why it can’t be opened', async () => {
    await handle('/thread', 'id=second');
    assert.deepEqual(two.done, ['restore', 'reveal second']);
    await assert.rejects(handle('/thread', 'id=third'), /No chat third/);
  });

  it('asks the question of a link in a new chat, only if the user confirms it as a whole', async () => {
    const text = `${'a '.repeat(900)}end`;
    await handle('/ask', `text=${text}`);
    const confirmation = 'A link wants to ask your analytics agent: [Ask]';
    assert.deepEqual([two.done, editor.messages], [['restore'], [confirmation]]);
    assert.deepEqual(editor.details, [`to sales, on branch “now” as “me”\n\n${text}`]);
    editor.answers = ['Ask'];
    await handle('/ask', 'text=orders');
    assert.deepEqual(two.done.slice(2), ['focus second', 'send orders in second']);
  });

  it('is ignored and named in the log if it is of no known form', async () => {
    await handle(`/settings${'s'.repeat(200)}`, 'chatApiUrl=https://elsewhere.example');
    assert.deepEqual(two.done, ['restore', `A link was ignored: "/settings${'s'.repeat(91)}"`]);
  });

  it('answers in VS Code’s chat, and has the same tools for each of their calls, until it ends', async () => {
    let loads = 0;
    const followUps = ({ metadata }: vscode.ChatResult) => [{ prompt: String(metadata?.['threadId']) }];
    const handlers = { ...native.nativeHandlers(two.services), followUps };
    const load = () => ((loads += 1), Promise.resolve(handlers));
    const offered = native.offerNatively(two.services.context.extensionUri, load);
    assert.equal(loads, 0);
    let text = '';
    const stream = { markdown: (part: string) => (text += part) };
    await registered['answer']?.({ prompt: ' ' }, { history: [] }, stream, {});
    assert.match(text, /^Ask about your data/);
    const tools = ['ask_analytics_agent', 'check_model_change', 'run_question_tests', 'search_data_model'] as const;
    assert.deepEqual(Object.keys(registered).toSorted(), ['answer', ...tools]);
    assert.equal(String(participant.iconPath), 'file:///extension/media/icon.png');
    const { provideFollowups } = participant.followupProvider!;
    const suggested = provideFollowups({ metadata: { threadId: 'second' } }, {} as never, token);
    assert.deepEqual(await suggested, [{ prompt: 'second' }]);
    // A call that was confirmed is known to the tool that confirmed it.
    const call = { input: { question: 'why?' } };
    const prepared = await prepare['ask_analytics_agent']?.(call, token);
    const { confirmationMessages } = prepared as vscode.PreparedToolInvocation;
    assert.equal(confirmationMessages?.title, 'Ask the analytics agent?');
    const made = await Promise.all(tools.map((name) => handlers.tool(name)));
    assert.equal(new Set(made).size, 4);
    for (const [at, name] of tools.entries()) assert.equal(await handlers.tool(name), made[at]);
    offered.dispose();
    assert.deepEqual(registered, {});
  });

  it('is offered as far as the editor has its parts, and the log names the failure', async () => {
    const tools: string[] = [];
    const lm = { registerTool: (name: string) => new Disposable(() => tools.push(name)) };
    const { offerNatively } = await loadWithEditor<typeof offers>('vscode/native/offerNatively.ts', { lm });
    const load = () => Promise.resolve(native.nativeHandlers(two.services));
    const offered = offerNatively(two.services.context.extensionUri, load);
    await Promise.resolve();
    offered.dispose();
    assert.equal(tools.length, 4);
    assert.match(two.done.join(), /^This editor lacks the API of a part of the extension\. TypeError/);
  });
});
