/** The whole extension in a window: what its parts do together, from the first question until the window is left. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ThreadSummary } from '../../../src/vscode/native/publicApi.ts';
import type * as starting from '../../../src/vscode/start.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { inFolder } from '../chat/history/support/stores.ts';
import { answering, final, services as localServices } from './service.ts';
import { Editor, EventEmitter, mementoOn, Panel, until, Uri } from './support.ts';

const { start: startService, closeAll } = localServices();
const MANIFEST = readFileSync(join(repoRoot, 'package.json'), 'utf8');
const manifest = JSON.parse(MANIFEST) as {
  version: string;
  contributes: { commands: { command: string }[] };
};

describe('the extension in a window', () => {
  let editor: Editor;
  let logged: string[];
  let changes: ThreadSummary[];
  /** State of the workspace and that of all windows. */
  let states: Map<string, unknown>[];
  let subscriptions: { dispose(): unknown }[];
  beforeEach(() => {
    [logged, changes, states, subscriptions] = [[], [], [new Map(), new Map()], []];
  });
  const close = (): void => {
    for (const each of subscriptions.splice(0)) each.dispose();
  };
  afterEach(() => (close(), closeAll()));

  /** Opens a window with the connection of the environment, if there is one. */
  async function open(storage: string, chatApiUrl?: string) {
    editor = new Editor();
    const note = (text: string): unknown => logged.push(text);
    const channel = { info: note, warn: note, error: note, show: () => note('shown'), dispose: () => undefined };
    const nothing = (): object => ({ dispose: () => undefined });
    const bundle = { 'Analytics Chat: API key': 'Analytics Chat: API-Schlüssel' };
    editor.more = { window: { createOutputChannel: () => channel, registerUriHandler: nothing }, l10n: { bundle } };
    const { start } = await editor.load<typeof starting>('start');
    const keys = new Map<string, string>();
    const get = (key: string) => Promise.resolve(keys.get(key));
    const secrets = { get, store: async (...of: [string, string]) => void keys.set(...of), onDidChange: nothing };
    const [workspaceState, globalState] = states.map((map) => mementoOn(map));
    const uris = { globalStorageUri: Uri.file(storage), extensionUri: Uri.file('/extension') };
    const extension = { packageJSON: manifest };
    const context = { ...uris, secrets, workspaceState, globalState, subscriptions, extension };
    const changed = new EventEmitter<ThreadSummary>();
    changed.event((summary) => changes.push(summary));
    const development = chatApiUrl === undefined ? {} : { chatApiUrl, apiKey: 'the-key-of-dev' };
    return start(context as never, development, changed as never);
  }

  it('asks from its side bar, tells others, hides the key, and shows the chat again after a restart', () =>
    inFolder(async (storage) => {
      const lines = [
        { id: '__weather__' },
        final('Up, not the-key-of-dev nor the-printed-token.', 2),
        { traceId: 'abc' },
      ];
      const service = await startService(answering(...lines));
      const started = await open(storage, service.url);
      const panel = new Panel();
      await started.views.resolve(panel as never, () => [{ type: 'ready' }], undefined);
      panel.receive({ type: 'send', text: 'revenue?', images: [] });
      const [session] = await until(() => started.views.all.length > 0 && [started.views.all[0]!.session]);
      await until(() => session.thread.turns.length > 0 && session.status === 'ready');
      const [asked] = service.asked;
      assert.match(JSON.stringify(asked?.headers), /the-key-of-dev/);
      assert.deepEqual(asked?.body['sessionSettings'], { externalId: 'dev' });
      assert.ok(panel.types().includes('events'));
      assert.deepEqual([changes.at(-1)?.threadId, changes.at(-1)?.title], [session.thread.id, 'revenue?']);
      assert.match(logged.join(), /Lines of the service that were ignored in this chat: 2\./);
      panel.receive({ type: 'nonsense' });
      assert.equal(logged.at(-1), 'A page sent an invalid message.');
      assert.equal(started.api.lastSql(), undefined);
      await until(() => editor.executed.some((each) => each.join() === 'setContext,analyticsChat.chat,begun'));
      panel.change({ visible: false });
      await session.send({ text: 'costs?', images: [] });
      await session.idle();
      assert.deepEqual(panel.badge, { value: 1, tooltip: '1 chat with an unread answer' });
      panel.change({ visible: true });
      panel.receive({ type: 'ready' });
      assert.equal(panel.badge, undefined);
      const draft = { text: 'half', images: [] };
      panel.receive({ type: 'draft', threadId: session.thread.id, draft });
      await started.flush();
      assert.equal((await started.api.threads()).map(({ title }) => title).join(), 'revenue?');
      const [name = ''] = await readdir(join(storage, 'threads'));
      const saved = readFileSync(join(storage, 'threads', name), 'utf8');
      assert.match(saved, /"half"/);
      assert.doesNotMatch(saved, /the-key-of-dev/);
      await started.run('analyticsChat.showLog', undefined);
      assert.equal(logged.at(-1), 'shown');
      const steps = [...MANIFEST.matchAll(/onContext:(analyticsChat\.used\.(\w+))/g)];
      assert.equal(steps.length, 3);
      for (const [, key, type] of steps) {
        panel.receive({ type, toolCallId: 'x' });
        await until(() => editor.executed.some((command) => command.join() === `setContext,${key},true`));
      }
      const used = editor.executed.filter(([, key]) => String(key).startsWith('analyticsChat.used'));
      assert.equal(used.length, steps.length, 'steps of the walkthrough');
      const { id } = session.thread;
      assert.ok(editor.statusItems.size > 0 && editor.providing > 0);
      close();
      assert.deepEqual([editor.statusItems.size, editor.providing], [0, 0]);
      // Prompts listen until the focus has returned.
      await until(() => editor.listening === 0);
      const again = await open(storage, service.url);
      for (const restore of [again.restoreRun, again.restoreResults]) {
        const gone = new Panel();
        await restore(gone as never, {});
        assert.ok(gone.isClosed);
      }
      assert.equal(logged.join().split('A tab with results could not be restored').length, 2);
      const tab = new Panel();
      await again.restoreThread(tab as never, { threadId: id });
      assert.equal(tab.title, 'revenue?');
      await again.run('analyticsChat.openInEditor', undefined);
      assert.equal(editor.panels[0]?.title, 'revenue?', 'the chat was active');
      assert.equal(await again.run('analyticsChat.openThread', { threadId: id }), id);
      // The chat keeps its connection.
      const tokenCommand = [process.execPath, '-p', '"the-printed-token"'];
      const other = { name: 'Other', chatApiUrl: service.url, authentication: 'serviceToken', tokenCommand };
      [editor.settings, editor.picks] = [{ connections: [other] }, ['Other']];
      assert.equal(await again.run('analyticsChat.switchConnection', undefined), 'Other');
      assert.equal((await again.api.ask('why?')).text, 'Up, not [redacted] nor [redacted].');
      editor.entered = ['the-key'];
      assert.equal(await again.run('analyticsChat.setApiKey', undefined), true);
      assert.deepEqual([editor.prompts.at(-1), editor.hidden.at(-1)], ['Analytics Chat: API-Schlüssel', true]);
      assert.ok(editor.explained.at(-1)?.endsWith(`only to ${service.origin}.`));
      assert.ok([...editor.files.keys()].some((path) => path.startsWith(join(storage, 'credentials'))));
      editor.settings['identities'] = { ana: {} };
      await again.run('analyticsChat.switchBranch', 'dev');
      await again.run('analyticsChat.switchIdentity', 'ana');
      const choices = ['connection', 'branch:file:///shop', 'answeredGitBranches', 'recentBranches', 'identity'];
      assert.deepEqual(
        states.map((state) => [...state.keys()]),
        [
          ['activeThread', ...choices],
          ['lifetimeNotices', 'connection', 'credentialOrigins'],
        ],
      );
      await again.flush();
    }));

  it('opens no history only to be left', () =>
    inFolder(async (storage) => {
      await writeFile(join(storage, 'threads'), '');
      await (await open(storage)).flush();
      assert.deepEqual(logged, []);
    }));

  it('does something for each command of its manifest, also before anything was set up', () =>
    inFolder(async (storage) => {
      const started = await open(storage);
      const sideBar = new Panel();
      await started.views.resolve(sideBar as never, () => [], undefined);
      const silent: string[] = [];
      for (const { command } of manifest.contributes.commands) {
        const count = (): number =>
          [editor.messages, editor.prompts, editor.executed, editor.panels, editor.copied, editor.filters, logged]
            .map(({ length }) => length)
            .reduce((sum, each) => sum + each, sideBar.reveals);
        const before = count();
        await started.run(command, undefined);
        if (count() === before) silent.push(command);
      }
      await started.run('analyticsChat.ask', 'why?');
      assert.match(logged.join(), /Chat request failed \(badRequest\)\./);
      // These need an argument or a preview.
      const named = ['applyInsertion', 'askAboutMember', 'renameEverywhere'];
      assert.deepEqual(
        silent.toSorted(),
        named.map((name) => `analyticsChat.${name}`),
      );
      await started.flush();
    }));
});
