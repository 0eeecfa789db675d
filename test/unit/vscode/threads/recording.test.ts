import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MOST_BYTES } from '../../../../src/chat/recording/read.ts';
import { MOST_CHARACTERS } from '../../../../src/chat/recording/write.ts';
import { inWindow, type Window } from './window.ts';
import { context } from '../service.ts';
import { emptyThread, until, Uri, type ThreadEvent } from '../support.ts';

const sent = (text: string): ThreadEvent[] => [
  { type: 'sent', id: `1700000000000-${text.slice(0, 9)}`, text, images: [], context, time: 0 },
];
const inSide = (test: (window: Window) => Promise<void>): Promise<void> =>
  inWindow(['own', 'sample-2', 'sample-1'], async (window) => {
    await window.sideBar();
    await test(window);
  });

describe('a recording', () => {
  it('has the chat with what was asked before and since, nothing of others, and no secrets', () =>
    inSide(async ({ services: { sessions, recorder }, commands, editor, done, lines }) => {
      const session = sessions.active;
      const other = sessions.add(emptyThread('other'));
      session.dispatch(sent('before, '));
      await assert.rejects(commands['analyticsChat.recordChat']() as Promise<void>, /Wait for the answer to finish/);
      session.dispatch([{ type: 'finished' }]);
      // Another chat may be running.
      other.dispatch(sent('elsewhere'));
      await commands['analyticsChat.recordChat']();
      assert.equal(recorder.session, session);
      assert.deepEqual(editor.executed.at(-1), ['analyticsChat.chat.focus']);
      const { name, text: words, command } = editor.statusItems.get('analyticsChat.recording')!;
      const item = ['Analytics Chat: Recording', '$(record) Recording chat', 'analyticsChat.saveRecording'];
      assert.deepEqual([name, words, command], item);
      assert.match(editor.messages.splice(0).join(), /^Recording this chat/);
      session.dispatch(sent('since, with the-key'));
      // As the service sent it.
      const line = { kind: 'unknown', reason: 'no id' } as const;
      lines.fire({ line, text: '{"weather":"sunny"}' });
      session.dispatch([{ type: 'line', line, time: 1 }]);
      other.dispatch(sent('elsewhere'));
      sessions.activate(other);
      // Also stops a recording; one that can't be written can be saved elsewhere.
      [editor.targets, editor.answers] = [['/read-only/a.ndjson', '/shop/b.ndjson'], ['Save…']];
      assert.equal(String(await commands['analyticsChat.recordChat']()), 'file:///shop/b.ndjson');
      assert.deepEqual(editor.messages.splice(0), ['The recording was not saved. No permission. [Save…]']);
      assert.equal(done.pop(), 'The recording could not be saved. Error: No permission.');
      const text = editor.files.get('/shop/b.ndjson') ?? '';
      for (const part of ['before, ', 'since, with [redacted]', '{"weather":"sunny"}'])
        assert.ok(text.includes(part), part);
      const { at } = JSON.parse(text.split('\n').find((each) => each.includes('since, '))!) as { at: number };
      assert.ok(Math.abs(Date.now() - at) < 60_000, 'since the first question, whose time is 0');
      assert.ok(!text.includes('elsewhere') && !text.includes('the-key'));
      assert.deepEqual([editor.names[0], editor.statuses], ['/shop/before,.ndjson', ['Recording saved']]);
      assert.deepEqual(editor.dialogs, Array(2).fill('Save recording'));
      assert.equal(await commands['analyticsChat.saveRecording'](), undefined);
      assert.deepEqual(editor.messages, ['No chat is being recorded.']);
      const contexts = editor.executed.filter(([command]) => command === 'setContext').map(([, , value]) => value);
      assert.deepEqual(contexts, [true, false, false]);
      recorder.start(other);
      editor.messages.length = 0;
      assert.equal(await commands['analyticsChat.saveRecording'](), undefined);
      assert.deepEqual(editor.messages, ['The recording was not saved. [Save…]']);
      recorder.start(sessions.create());
      await commands['analyticsChat.saveRecording']();
      assert.equal(editor.names.at(-1), '/shop/Recording.ndjson');
    }));

  it('that is full is saved once, however much more is written to its chat', () =>
    inSide(async ({ services: { sessions, recorder }, editor, lines }) => {
      recorder.start(sessions.active);
      // Lines that nobody knows are recorded, but not kept in the chat.
      const line = { kind: 'unknown', reason: 'no id' } as const;
      lines.fire({ line, text: 'x'.repeat(MOST_CHARACTERS) });
      sessions.active.dispatch([{ type: 'line', line, time: 1 }]);
      for (let more = 0; more < 3; more += 1) sessions.active.dispatch([{ type: 'finished' }]);
      assert.deepEqual(editor.executed.filter(([command]) => command === 'analyticsChat.saveRecording').length, 1);
      assert.ok(recorder.stop()?.includes('xxx'));
      assert.equal(recorder.stop(), undefined);
    }));

  it('is opened read-only in a new chat, is no recording to record, and plays no more once that is deleted', () =>
    inSide(async ({ services: { sessions, repository, recorder, replays }, commands, editor }) => {
      recorder.start(sessions.active);
      const images = ['a', 'b', 'c', 'd'].map((name) => ({
        mimeType: 'image/png',
        data: btoa(name),
        name: `${name}.png`,
      }));
      sessions.active.dispatch(sent('asked').map((event) => ({ ...event, images })));
      editor.files.set('/shop/a.ndjson', recorder.stop()!);
      assert.equal(editor.statusItems.size, 0);
      for (const argument of [Uri.file('/shop/a.ndjson'), undefined]) {
        editor.sources = argument ? [] : ['/shop/a.ndjson'];
        await commands['analyticsChat.openRecording'](argument);
        const { thread } = sessions.active;
        assert.equal(thread.turns[0]?.question?.content ?? thread.response?.turns[0]?.question?.content, 'asked');
        assert.ok(repository.isReadOnly(thread.id));
        const warning = editor.messages.pop() ?? '';
        assert.ok(warning.startsWith('Images not attached: “a.png” ') && !warning.includes('“d.png”'), warning);
      }
      await assert.rejects(commands['analyticsChat.recordChat']() as Promise<void>, /already a recording/);
      editor.sizes.set('/shop/a.ndjson', MOST_BYTES + 1);
      const opening = commands['analyticsChat.openRecording'](Uri.file('/shop/a.ndjson'));
      await assert.rejects(opening as Promise<void>, /too large/);
      const before = sessions.all.length;
      await commands['analyticsChat.openRecording'](undefined);
      assert.deepEqual([sessions.all.length, editor.messages], [before, []], 'no file was chosen');
      assert.deepEqual(editor.filters, Array(2).fill({ Recordings: ['ndjson', 'jsonl'] }));
      assert.deepEqual(editor.dialogs, Array(2).fill('Open recording'));
      const { active } = sessions;
      const later = [0, 500].map((at) => ({ at, event: { type: 'loading' } as const }));
      const playing = replays.play(active, later);
      let shown = 0;
      sessions.onDidChange(() => (shown += 1));
      assert.equal(replays.showRest(active), true);
      await new Promise(setImmediate);
      assert.equal(shown, 1);
      await playing;
      active.dispatch = () => assert.fail('broken');
      await assert.rejects(replays.play(active, later), /broken/);
      assert.equal(replays.showRest(active), false);
      await sessions.remove(active.thread.id);
      await replays.play(active, [{ at: 0, event: { type: 'loading' } }]);
    }));

  it('that is the sample replaces earlier samples in the history, but not one that is open', () =>
    inSide(async ({ services: { repository, sessions, recorder }, commands, editor, history, tab, act }) => {
      await tab('sample-2');
      recorder.start(sessions.active);
      sessions.active.dispatch(sent('asked'));
      editor.files.set('/extension/media/sample.ndjson', recorder.stop()!);
      await commands['analyticsChat.openRecording'](Uri.file('/extension/media/sample.ndjson'));
      const { id: recorded } = sessions.active.thread;
      await sessions.remove(recorded);
      const remove = history.remove.bind(history);
      history.remove = () => Promise.reject(new Error('Read-only.'));
      await assert.rejects(async () => commands['analyticsChat.openSample'](), /Read-only/);
      history.remove = remove;
      for (const run of [
        () => commands['analyticsChat.openSample'](),
        async () => act((await tab('own'))[0], { type: 'openSample' }),
      ]) {
        await run();
        assert.ok(sessions.active.thread.id.startsWith('sample-') && repository.isReadOnly(sessions.active.thread.id));
      }
      await until(async () => !(await history.list()).some(({ id }) => id === 'sample-1'));
      const kept = (await history.list()).map(({ id }) => id);
      for (const id of ['own', 'sample-2', recorded]) assert.ok(kept.includes(id), id);
    }));
});
