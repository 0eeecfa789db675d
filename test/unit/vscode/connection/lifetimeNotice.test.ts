/** The notices of a chat: that a service may delete threads, and the branch of Git. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { LifetimeNotices } from '../../../../src/vscode/connection/lifetimeNotices.ts';
import { Editor, EventEmitter, finance, mementoOn, pairs, registered, sales, until, Uri, viewOf } from '../support.ts';
import type { ChatSession, ConnectionEntry, Pairs } from '../support.ts';

const WEEK = 7 * 24 * 60 * 60;

describe('the notices of a chat', () => {
  let two: Pairs;
  let notices: LifetimeNotices;
  let changed: EventEmitter<object>;
  let area: Awaited<ReturnType<typeof registered>>;
  /** The session settings of all identities. */
  let settings: () => object;

  beforeEach(async () => {
    [changed, settings] = [new EventEmitter(), () => ({ externalId: 'ana' })];
    const identities = { on: () => 'ana', settingsOf: (name: string) => (name === 'ana' ? settings() : {}) };
    notices = new LifetimeNotices(mementoOn() as never, identities as never);
    two = pairs({
      lifetimeNotices: notices as never,
      branches: { offeredByGit: 'feature', declineOffer: () => two.done.push('decline') },
      sessions: {
        onDidChange: changed.event,
        // Otherwise the delayed update of the context keys, in a test that takes 100 ms, reads a chat that does nothing.
        current: undefined,
        connectionOf: ({ entry }: { entry: ConnectionEntry }) => entry,
      },
      views: {
        of: ({ isShown }: { isShown: boolean }) => (isShown ? [{}] : []),
        viewContextChanged: (session?: { thread: { id: string } }) =>
          two.done.push(`changed ${session?.thread.id ?? 'all'}`),
      },
    });
    area = await registered('connection', two.services, new Editor().with());
  });
  afterEach(() => area.dispose());
  const chat = (id: string, entry: ConnectionEntry = sales, isShown = true) => ({ thread: { id }, entry, isShown });
  const ask = (session: object, type = 'sent'): void => changed.fire({ session, events: [{ type }] });
  const shown = ({ entry, thread }: ReturnType<typeof chat>): number => notices.of(entry, thread.id);
  const dismiss = (session: object) =>
    area.intents.dismissLifetime(viewOf(session as ChatSession), { type: 'dismissLifetime' });

  it('are shown in the first chat of each connection that asks in a view, until they are dismissed there', async () => {
    const [first, second, other] = [chat('first'), chat('second'), chat('third', { ...sales, name: 'finance' })];
    ask(first, 'finished');
    ask(chat('of a tool', sales, false));
    assert.equal(shown(first), 0, 'before anything is asked');
    for (const each of [first, second, other]) ask(each);
    assert.deepEqual([first, second, other].map(shown), [WEEK, 0, WEEK]);
    assert.deepEqual(two.done.splice(0), ['changed first', 'changed third']);
    const moved = chat('moved', { ...sales, chatApiUrl: finance.chatApiUrl });
    ask(moved);
    assert.deepEqual([shown(moved), two.done.splice(0)], [WEEK, ['changed moved']]);
    await dismiss(other);
    for (const each of [first, second, other]) ask(each);
    assert.deepEqual([first, second, other].map(shown), [WEEK, 0, 0]);
    assert.deepEqual(two.done, ['changed all']);
    await dismiss(first);
    assert.deepEqual([shown(first), shown(other)], [0, 0]);
  });

  it('say what invalid session settings leave: nothing with a key, and the usual with a token', () => {
    settings = () => assert.fail();
    const token = chat('token', { ...finance, authentication: 'serviceToken' });
    for (const each of [chat('key'), token]) ask(each);
    assert.deepEqual([shown(chat('key')), shown(token) > 0], [0, true]);
  });

  it('accept or decline the branch of Git, which is followed', async () => {
    const { event } = new EventEmitter();
    const repository = { rootUri: Uri.file('/bank'), state: { HEAD: { name: 'feature' }, onDidChange: event } };
    const api = {
      repositories: [repository],
      getRepository: ({ path }: Uri) => (path === '/bank' ? repository : null),
    };
    const editor = new Editor();
    editor.git = { ...api, onDidOpenRepository: event, onDidCloseRepository: event };
    const checkOut = ({ name }: { name: string }, branch: string) => two.done.push(`${branch} in ${name}`);
    Object.assign(two.services.branches, { checkOut });
    const following = await registered('connection', two.services, editor.with());
    await until(() => two.done.splice(0).join() === 'feature in bank');
    following.dispose();
    for (const accept of [true, false])
      await area.intents.offeredBranch(viewOf(two.second), { type: 'offeredBranch', accept });
    assert.deepEqual(two.done, ['switch to feature', 'decline']);
  });
});
