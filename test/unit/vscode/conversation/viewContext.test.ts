/** What a view shows besides its thread: that of the thread's own connection, whichever is current. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ViewContext } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import type { ServiceStubs } from '../areas.ts';

describe('the context of a view', () => {
  it('is that of the connection of its chat', async () => {
    const { viewContextOf } = await loadWithEditor<{
      viewContextOf(services: ServiceStubs, session: object): ViewContext;
    }>('vscode/conversation/viewContext.ts', {});
    const members = [
      { name: 'sales.revenue', type: 'number', aggType: 'sum', title: 'Revenue' },
      { name: 'sales.region', type: 'string', title: 'Region' },
    ];
    const definitions: Record<string, object[]> = { own: [{ name: 'sales', type: 'view', title: 'Sales', members }] };
    const services: ServiceStubs = {
      branches: { label: 'dev', main: 'main', offeredByGit: '' },
      charts: { of: () => [] },
      connections: { current: { name: 'current' }, label: (home: string) => `label of ${home}` },
      identities: {
        on: ({ name }: { name: string }) => `user of ${name}`,
        timeZones: ({ name }: { name: string }) => ({ zone: name }),
      },
      lifetimeNotices: { of: ({ name }: { name: string }) => name.length },
      members: { on: (name: string) => definitions[name] ?? [] },
      repository: { isReadOnly: (id: string) => id === 'recorded' },
      sessions: {
        connectionOf: ({ thread }: { thread: { id: string } }) => ({ name: thread.id }),
        homeOf: ({ thread }: { thread: { id: string } }) => thread.id,
      },
    };
    const [own, recorded] = ['own', 'recorded'].map((id) => viewContextOf(services, { thread: emptyThread(id) }));
    assert.deepEqual(
      [own!.connection, own!.identity, own!.timeZones, own!.lifetime, own!.readOnly],
      ['label of own', 'user of own', { zone: 'own' }, 3, false],
    );
    assert.deepEqual(own!.examples, ['revenue by region']);
    assert.deepEqual([recorded!.readOnly, recorded!.identity], [true, 'user of recorded']);
    assert.match(recorded!.examples.join(), /top 10 products by revenue/);
  });
});
