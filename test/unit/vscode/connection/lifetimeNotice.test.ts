/** The notice that a service may delete threads. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { ConnectionEntry } from '../../../../src/chat/connection/connectionList.ts';
import type { LifetimeNotices } from '../../../../src/vscode/connection/lifetimeNotices.ts';
import type { ChatView } from '../../../../src/vscode/host/chatView.ts';
import { loadWithEditor, mementoOn } from '../../../support/withEditor.ts';
import { registered } from '../areas.ts';
import { pairs } from '../pairs.ts';

type Make = new (...of: object[]) => LifetimeNotices;
interface Loaded {
  LifetimeNotices: Make;
}
interface Area {
  assignLifetimeNotices(services: object): void;
}

const WEEK = 7 * 24 * 60 * 60;
const connection: ConnectionEntry = {
  ...{ name: '', chatApiUrl: 'https://acme.example/chat', authentication: 'apiKey', dataQueryUrl: '' },
};
const other = { ...connection, name: 'Staging', chatApiUrl: 'https://staging.example/chat' };

describe('the lifetime notice', () => {
  let LifetimeNotices: Make;
  let assign: Area['assignLifetimeNotices'];
  let notices: LifetimeNotices;
  let ask: (session: object) => void;

  before(async () => {
    ({ LifetimeNotices } = await loadWithEditor<Loaded>('vscode/connection/lifetimeNotices.ts', {}));
    ({ assignLifetimeNotices: assign } = await loadWithEditor<Area>('vscode/connection/connectionArea.ts', {}));
  });

  const sessionOf = (id: string, home = connection, viewed = true) => ({ thread: { id, items: [{}] }, home, viewed });
  const shown = ({ home, thread }: ReturnType<typeof sessionOf>): number => notices.of(home, thread.id);

  beforeEach(() => {
    const memento = mementoOn();
    notices = new LifetimeNotices(memento, { on: () => 'ana', settingsOf: () => ({ externalId: 'ana' }) });
    assign({
      lifetimeNotices: notices,
      sessions: {
        connectionOf: ({ home }: { home: object }) => home,
        onDidChange: (listener: (change: object) => void) => {
          ask = (session) => listener({ session, events: [{ type: 'sent' }] });
        },
      },
      views: {
        of: ({ viewed }: { viewed: boolean }) => (viewed ? [{}] : []),
        viewContextChanged: () => undefined,
      },
    });
  });

  it('is shown in the first thread of a connection only', () => {
    const [first, second] = [sessionOf('first'), sessionOf('second')];
    assert.equal(shown(first), 0, 'before anything is asked');
    ask(first);
    ask(second);
    assert.equal(shown(first), WEEK);
    assert.equal(shown(second), 0);
    const elsewhere = sessionOf('third', other);
    ask(elsewhere);
    assert.equal(shown(elsewhere), WEEK);
  });

  it('is not consumed by a thread that no view shows', () => {
    ask(sessionOf('of a tool', connection, false));
    const viewed = sessionOf('in a view');
    ask(viewed);
    assert.equal(shown(viewed), WEEK);
  });

  it('does not return after it was dismissed', async () => {
    const session = sessionOf('first');
    ask(session);
    await notices.dismiss(session.home);
    ask(session);
    assert.equal(shown(session), 0);
  });
});

describe('the notices of a chat', () => {
  it('are dismissed for its connection, and accept or decline the branch of Git', async () => {
    const { services, second, done } = pairs({
      lifetimeNotices: { dismiss: ({ name }: { name: string }) => Promise.resolve(done.push(`dismiss ${name}`)) },
      connections: { described: () => '' },
      branches: {
        offeredByGit: 'feature',
        switchTo: (name: string) => done.push(`switch to ${name}`),
        declineOffer: () => done.push('decline'),
      },
      views: { viewContextChanged: () => done.push('changed') },
    });
    const { intents } = await registered('connection', services);
    const view = { session: second } as ChatView;
    await intents.dismissLifetime(view, { type: 'dismissLifetime' });
    for (const accept of [true, false]) await intents.offeredBranch(view, { type: 'offeredBranch', accept });
    assert.deepEqual(done, ['dismiss finance', 'changed', 'switch to feature', 'decline']);
  });
});
