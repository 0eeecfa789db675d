import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UserRegistry } from '../../sandbox/access/users.ts';
import { ask, chatIdOf, post, postChat, queryOf, startFast, useSandbox } from './support.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

describe('sandbox: users and their permissions', () => {
  let now = Date.parse('2025-02-14');
  const sandbox = useSandbox({ now: () => now });

  const refused: readonly (readonly [string, unknown])[] = [
    ['no id at all', {}],
    ['an upper-case externalId', { externalId: 'Dev' }],
    ['an externalId with a space', { externalId: 'd ev' }],
    ['an externalId with a space at its end', { externalId: 'dev ' }],
    ['an empty externalId', { externalId: '' }],
    ['an externalId that is no text', { externalId: 1 }],
    ['both ids', { externalId: 'dev', internalId: 'dana@acme.example' }],
    ['an internalId that does not exist', { internalId: 'nobody@acme.example' }],
    ['an internalId with attributes', { internalId: 'dana@acme.example', userAttributes: [] }],
    ['an internalId with groups', { internalId: 'dana@acme.example', groups: [] }],
    ['an internalId with a security context', { internalId: 'dana@acme.example', securityContext: {} }],
    ['an internalId with roles', { internalId: 'dana@acme.example', roles: ['viewer'] }],
    ['an attribute that nobody configured', { externalId: 'dev', userAttributes: [{ name: 'shoe', value: '44' }] }],
    ['attributes as an object', { externalId: 'dev', userAttributes: { region: 'Europe' } }],
    ['an attribute without a value', { externalId: 'dev', userAttributes: [{ name: 'region' }] }],
    ['groups that are no texts', { externalId: 'dev', groups: [1] }],
    ['a security context that is no object', { externalId: 'dev', securityContext: 'all' }],
    ['isEphemeral that is no boolean', { externalId: 'dev', isEphemeral: 'no' }],
    ['a lifetime of nothing', { externalId: 'dev', ephemeralTtlSeconds: 0 }],
    ['a time zone without an IANA name', { externalId: 'dev', timezone: 'GMT+2' }],
    ['authoring that is no boolean', { externalId: 'dev', allowChatWorkspaceAuthoring: 'no' }],
    ['settings that are no object', 'dev'],
  ];
  for (const [what, sessionSettings] of refused)
    it(`answers 400 to ${what}`, async () => {
      assert.equal((await post(sandbox, sandbox.chatApiUrl, { input: 'x', sessionSettings })).status, 400);
    });

  it('accepts a time zone, authoring and unknown settings', async () => {
    const newer = { timezone: 'Europe/Berlin', allowChatWorkspaceAuthoring: false, locale: 'de' };
    const sessionSettings = { externalId: 'dev', ...newer };
    assert.equal((await post(sandbox, sandbox.chatApiUrl, { input: 'x', sessionSettings })).status, 200);
  });

  it('finds an internal user despite case and surrounding spaces', async () => {
    const lines = await ask(sandbox, {
      input: 'revenue by region in 2024',
      sessionSettings: { internalId: ' Marc@Acme.Example ' },
    });
    assert.deepEqual(
      queryOf(lines).data.map(([region]) => region),
      ['Europe'],
    );
  });

  const rows = async (input: string, settings: object): Promise<unknown[]> =>
    queryOf(await ask(sandbox, { input, sessionSettings: { externalId: 'rows', ...settings } })).data.map(
      ([first]) => first,
    );

  it('shows only the rows that attributes, groups and the security context allow', async () => {
    const byRegion = 'revenue by region in 2024';
    assert.equal((await rows(byRegion, {})).length, 4);
    const region = (value: string): object => ({ name: 'region', value });
    assert.deepEqual(await rows(byRegion, { userAttributes: [region('Europe')] }), ['Europe']);
    assert.deepEqual(await rows(byRegion, { userAttributes: [region('Europe'), region('Asia Pacific')] }), [
      'Europe',
      'Asia Pacific',
    ]);
    assert.deepEqual(await rows('orders by channel', { groups: ['stores', 'unknown'] }), ['Store']);
    assert.deepEqual(await rows('revenue by brand', { securityContext: { brand: ['Auralis', 'Fernway'] } }), [
      'Auralis',
      'Fernway',
    ]);
    assert.deepEqual(await rows('revenue by segment', { securityContext: { segment: 'Enterprise', other: 1 } }), [
      'Enterprise',
    ]);
    assert.deepEqual(await rows(byRegion, { securityContext: { segment: [] } }), []);
  });

  it('restricts every view, and combines rules of different kinds', async () => {
    const settings = { userAttributes: [{ name: 'country', value: 'Japan' }], groups: ['online'] };
    assert.deepEqual(await rows('customers by country', settings), ['Japan']);
    assert.deepEqual(await rows('returns by country', settings), ['Japan']);
    assert.deepEqual((await rows('orders by channel', settings)).sort(), ['Mobile app', 'Web']);
  });

  it('deletes an ephemeral user and its threads, never later than first announced', async () => {
    const short = { externalId: 'short', ephemeralTtlSeconds: 60 };
    const chatId = chatIdOf(await ask(sandbox, { input: 'revenue in 2024', sessionSettings: short }));
    now += 59_000;
    assert.equal(
      (await postChat(sandbox, { chatId, sessionSettings: { externalId: 'short', ephemeralTtlSeconds: 9999 } })).status,
      200,
    );
    now += 2_000;
    assert.equal((await postChat(sandbox, { chatId, sessionSettings: short })).status, 404);
  });

  it('keeps an ephemeral user for a week unless configured, and others permanently', async () => {
    const chatId = chatIdOf(await ask(sandbox, { input: 'revenue in 2024', sessionSettings: { externalId: 'week' } }));
    const kept = { externalId: 'kept', isEphemeral: false };
    const keptId = chatIdOf(await ask(sandbox, { input: 'revenue in 2024', sessionSettings: kept }));
    now += WEEK_MS - 1000;
    assert.equal((await postChat(sandbox, { chatId, sessionSettings: { externalId: 'week' } })).status, 200);
    now += 1000;
    assert.equal((await postChat(sandbox, { chatId, sessionSettings: { externalId: 'week' } })).status, 404);
    now += 52 * WEEK_MS;
    assert.equal((await postChat(sandbox, { chatId: keptId, sessionSettings: { externalId: 'kept' } })).status, 200);
  });

  it('supports 10,000 permanent users and any number of ephemeral ones', () => {
    const users = new UserRegistry({ now: () => 0, persistentLimit: 10_000, onRemoved: () => undefined });
    for (let count = 0; count < 10_000; count += 1) users.provision(`user-${count}`, { isEphemeral: false });
    assert.throws(() => users.provision('one-more', { isEphemeral: false }), /10000|10,000/);
    assert.equal(users.provision('user-7', { isEphemeral: false }), 'external:user-7');
    assert.equal(users.provision('one-more'), 'external:one-more');
    assert.throws(() => users.provision('one-more', { isEphemeral: false }), /limit/);
  });

  it('answers 400 if the account is full', async () => {
    const small = await startFast({ persistentUserLimit: 1 });
    const as = (externalId: string): Promise<Response> =>
      postChat(small, { input: 'revenue in 2024', sessionSettings: { externalId, isEphemeral: false } });
    try {
      assert.equal((await as('first')).status, 200);
      assert.equal((await as('second')).status, 400);
    } finally {
      await small.stop();
    }
  });
});
