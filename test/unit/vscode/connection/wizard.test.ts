/** The connection wizard, keys and tests of connections, with a stub of the editor and two connections. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as Connect from '../../../../src/vscode/connection/connect.ts';
import { services as httpServices } from '../service.ts';
import { Editor, pairs, registered, settled, type ConnectionEntry, type Pairs } from '../support.ts';

type Run = (services: object, ...of: unknown[]) => Promise<boolean>;
type Commands = Record<keyof typeof Connect, Run>;

const { start, closeAll } = httpServices();
const URL_STEP = 'Analytics Chat: Chat API URL';
const KEY_STEP = 'Analytics Chat: API key';
const IDENTITY_STEP = 'Analytics Chat: Choose an identity';
const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const unnamed: ConnectionEntry = {
  ...{ name: '', chatApiUrl: 'https://agent.example/agents/1', authentication: 'apiKey', dataQueryUrl: '' },
  sessionSettings: { internalId: 'ana@shop.example' },
};
const utc = { externalId: 'utc', timezone: 'UTC' };
const bank: ConnectionEntry = {
  ...{ name: 'Bank', chatApiUrl: 'https://bank.example/agent', authentication: 'apiKey' },
  dataQueryUrl: 'https://data.example/{branch}',
};

describe('a connection with a second one beside it', () => {
  let editor: Editor;
  let world: Pairs;
  let connect: Commands;
  /** Titles of input boxes, in order. */
  let steps: string[];
  /** Settings that were written, in order. */
  let written: Editor['written'];
  /** Origins and values of stored keys. */
  let kept: string[];
  let removed: string[];
  let outcome: string;
  /** Origins without a key, and those whose keys the keyring doesn't remove. */
  let without: string[];
  let stuck: string[];

  beforeEach(async () => {
    [editor, steps, kept, removed, without, stuck] = [new Editor(), [], [], [], [], []];
    outcome = 'stored';
    const keep = (how: string) => (origin: string, credential: { value: string }) =>
      kept.push(`${how} ${credential.value} for ${origin}`);
    world = pairs({
      connections: {
        ...{ current: unnamed, all: [bank, unnamed], unusable: [{ name: 'Broken', label: 'Broken', problem: '' }] },
      },
      connector: {
        credentialFor: (origin: string, _kind: string, entry?: object) =>
          without.includes(origin) || !entry ? Promise.reject(new Error('No key.')) : Promise.resolve({ value: 'k' }),
      },
      credentials: {
        store: (origin: string, credential: { value: string }) => {
          if (outcome === 'stored') keep('stored')(origin, credential);
          return Promise.resolve(outcome);
        },
        keepForSession: keep('kept'),
        remove: (origin: string, kind: string) =>
          Promise.resolve(!stuck.includes(origin) && removed.push(`${kind} ${origin}`) > 0),
      },
      log: { addSecret: (secret: string) => world.done.push(`hide ${secret}`) },
      sessions: { connectionOf: (session: object) => (session === world.second ? bank : unnamed) },
      tokenCommands: {
        at: (origin: string, command: readonly string[]) => {
          steps.push([...command, 'for', origin].join(' '));
          return { kind: 'serviceToken', value: '', renew: () => Promise.reject(new Error('failed')) };
        },
      },
    });
    editor.prompts = steps;
    ({ written } = editor);
    connect = await editor.load('connection/connect');
  });
  afterEach(closeAll);

  /** @returns the steps since the last call, without the choice of a method */
  const taken = (): string[] => steps.splice(0).filter((title) => !title.includes('authentication method'));
  const serviceWith = (status: number) =>
    start(({ response }) => response.writeHead(status).end('{"error":"Not the-key."}'));

  describe('the wizard', () => {
    for (const [kind, entered, tested, saved, offer] of [
      ['API key', 'ana@shop.example', { internalId: 'ana@shop.example' }, undefined],
      ['API key', 'ben', { externalId: 'ben' }, { externalId: 'ben' }],
      ['API key', 'cleo', { externalId: 'cleo' }, { externalId: 'cleo', timezone }, `Use time zone ${timezone}`],
      ['API key', 'utc', utc, undefined],
      // The service ignores session settings, but the user may need them again.
      ['Service token', undefined, undefined, undefined],
    ] as const)
      it(`tests and saves the identity that questions will have: ${entered ?? 'that of a token'}`, async () => {
        const service = await serviceWith(404);
        editor.entered = [service.url, ' the-key ', entered];
        [editor.picks, editor.answers] = [[kind], [offer]];
        const known = tested === utc ? { ...unnamed, sessionSettings: utc } : unnamed;
        assert.equal(await connect.connectTo(world.services, known), true);
        await settled();
        const [asked, ...others] = service.asked;
        assert.deepEqual([asked?.body.sessionSettings, others], [tested, []]);
        assert.deepEqual(new Map(written).get('sessionSettings'), saved);
        assert.deepEqual(new Map(written).get('chatApiUrl'), service.url);
        assert.deepEqual(kept, [`stored the-key for ${service.origin}`]);
        assert.equal(taken()[1], `Analytics Chat: ${kind}`);
        assert.ok(editor.explained[1]?.endsWith(`sent only to ${service.origin}.`));
        if (entered) assert.equal(editor.proposed[2], tested === utc ? 'utc' : 'ana@shop.example');
        assert.equal(editor.messages[0]?.includes('[Use time zone'), tested !== undefined && tested !== utc);
        assert.deepEqual(world.done, ['hide the-key', 'focus first']);
        assert.match(editor.messages[0]!, /^Connected to 127\.0\.0\.1.*\. Ask your first question\./);
      });

    for (const [choice, expected, urls] of [
      [undefined, [], 1],
      ['Connect again', [], 2],
      ['Save anyway', ['stored', 'chatApiUrl', 'authentication', 'sessionSettings'], 1],
    ] as const)
      it(`keeps a working connection if its new key fails, unless the user decides: ${choice ?? 'dismissed'}`, async () => {
        const service = await serviceWith(401);
        let guarded = 0;
        Object.assign(world.services, { guarded: (work: () => unknown) => ((guarded += 1), work()) });
        editor.entered = [service.url, 'another-key', 'ben'];
        [editor.picks, editor.answers] = [['API key'], [choice]];
        assert.equal(await connect.connectTo(world.services, unnamed), false);
        await settled();
        assert.match(editor.messages[0]!, /\[redacted\].* \[Connect again\] \[Save anyway\] \[Show log\]$/);
        assert.deepEqual([...kept.map(() => 'stored'), ...written.map(([key]) => key)], expected);
        const proposed = editor.proposed.filter((value) => value?.startsWith('http'));
        assert.deepEqual(proposed, [unnamed.chatApiUrl, service.url].slice(0, urls));
        assert.equal(guarded, choice ? 1 : 0);
      });

    for (const [choice, how, words] of [
      [undefined, 'refused', /rejected/],
      ['Use for this session', 'forgotten', /didn’t store/],
    ] as const)
      it(`saves a key that the keyring rejects only for this session: ${choice ?? 'dismissed'}`, async () => {
        const service = await serviceWith(404);
        outcome = how;
        editor.entered = [service.url, 'the-key', 'ben'];
        [editor.picks, editor.answers] = [['API key'], [choice]];
        assert.equal(await connect.connectTo(world.services, unnamed), choice !== undefined);
        assert.equal(written.length > 0, choice !== undefined);
        assert.match(editor.messages[0]!, words);
        assert.deepEqual(editor.titles, ['Testing the connection…']);
        assert.equal(editor.messages.length > 1, choice !== undefined);
        assert.deepEqual(kept, choice ? [`kept the-key for ${service.origin}`] : []);
      });

    it('asks for no token that a command prints, and opens the setting instead of another one', async () => {
      const own = { authentication: 'serviceToken', tokenCommand: ['vault', 'token'], sessionSettings: {} };
      editor.entered = ['https://a.invalid/x'];
      editor.picks = ['Service token'];
      await connect.connectTo(world.services, { ...unnamed, ...own });
      assert.deepEqual(taken(), [URL_STEP, 'vault token for https://a.invalid']);
      const { url } = await serviceWith(404);
      [editor.entered, editor.picks] = [[url], ['Service token']];
      const at = () => ({ kind: 'serviceToken', value: '', renew: () => Promise.resolve('the-token') });
      Object.assign(world.services.tokenCommands, { at });
      assert.equal(await connect.connectTo(world.services, { ...unnamed, ...own }), true);
      for (const name of ['', 'Sales']) await connect.setApiKey(world.services, { ...unnamed, ...own, name });
      editor.entered = ['the-token'];
      // That of the data query API is another one.
      await connect.setApiKey(world.services, { ...bank, ...own }, () => 'https://data.example');
      assert.deepEqual(kept, ['stored the-token for https://data.example']);
      const fail = (): Promise<never> => Promise.reject(new Error('No origin.'));
      await assert.rejects(connect.setApiKey(world.services, bank, fail), /No origin/, 'no cancellation');
      const opened = editor.executed.map(([, query]) => query);
      assert.deepEqual(opened, ['analyticsChat.tokenCommand', 'analyticsChat.connections']);
    });

    it('asks for another URL instead of a key for a deployment, which accepts only tokens', async () => {
      editor.entered = ['https://agent.example/deployments/2', 'https://agent.example/agents/1'];
      editor.picks = ['API key', 'API key'];
      const deployment = { ...unnamed, chatApiUrl: 'https://agent.example/deployments/1' };
      await connect.connectTo(world.services, deployment);
      assert.deepEqual(editor.offered.map(String), ['Service token,API key', 'API key,Service token']);
      const onlyTokens = 'URLs with /deployments/ accept only service tokens. Select this to enter another URL.';
      const [own, token] = ['Session settings define your identity.', 'A JWT. Its claims define your identity.'];
      assert.deepEqual(editor.detailed.map(String), [[token, onlyTokens].join(), [own, token].join()]);
      assert.deepEqual(taken(), [URL_STEP, URL_STEP, KEY_STEP]);
      assert.equal(editor.proposed[1], 'https://agent.example/deployments/2');
      for (const entry of [deployment, { ...unnamed, chatApiUrl: '' }]) await connect.setApiKey(world.services, entry);
      editor.entered = [unnamed.chatApiUrl];
      assert.equal(await connect.connectTo(world.services, unnamed), false, 'no method was chosen');
      assert.deepEqual(taken(), Array(3).fill(URL_STEP));
    });

    it('adds a connection instead of replacing that of one agent, for a chat without its own', async () => {
      assert.equal(await connect.connectTo(world.services, undefined), false);
      assert.deepEqual(steps.splice(0), ['Analytics Chat: Connection name']);
      // Settings can be set before the URL.
      editor.settings = { tokenCommand: ['vault', 'token'], sessionSettings: { externalId: 'eve' } };
      Object.assign(world.services.connections, { current: undefined, all: [], unusable: [] });
      [editor.entered, editor.picks] = [['https://a.invalid/x'], ['Service token']];
      await connect.connectTo(world.services, undefined);
      assert.deepEqual(taken(), [URL_STEP, 'vault token for https://a.invalid']);
      [editor.entered, editor.picks] = [['https://a.invalid/x', 'the-key'], ['API key']];
      await connect.connectTo(world.services, undefined);
      assert.deepEqual(taken(), [URL_STEP, KEY_STEP, IDENTITY_STEP]);
      assert.equal(editor.proposed.at(-1), 'eve');
    });

    it('saves an added connection under its name, and switches to it', async () => {
      const service = await serviceWith(404);
      const wrong = ['', 'the key', 'clé'];
      editor.entered = [' ', ' Bank ', 'Broken', ' Staging ', 'agent', service.url, ...wrong, 'the-key', '', 'ben'];
      [editor.picks, editor.answers] = [['API key'], [`Use time zone ${timezone}`]];
      // Those of the connection without a name are not those of others.
      const others = { tokenCommand: ['vault', 'token'], sessionSettings: { externalId: 'eve' } };
      editor.settings = { connections: [bank], ...others };
      assert.equal(await connect.addConnection(world.services), true);
      await settled();
      const zoned = (written.at(-1)?.[1] as ConnectionEntry[]).find(({ name }) => name === 'Staging');
      assert.deepEqual(zoned?.sessionSettings, { externalId: 'ben', timezone });
      const [[key, value] = []] = written;
      assert.equal(key, 'connections');
      const saved = (value as ConnectionEntry[]).map((each) => `${each.name} at ${each.chatApiUrl}`);
      assert.deepEqual(saved, [`Bank at ${bank.chatApiUrl}`, `Staging at ${service.url}`]);
      assert.deepEqual(world.done, ['hide the-key', 'switch to Staging', 'focus first']);
      assert.deepEqual(editor.invalid, [
        'Enter a name.',
        ...Array<string>(2).fill('Another connection has this name.'),
        '“Chat API URL” is not a valid URL.',
        'Enter the key or token.',
        ...Array<string>(2).fill('The key or token is empty or contains spaces or other invalid characters.'),
        'externalId must be a non-empty string.',
      ]);
      assert.deepEqual(editor.explained, [
        ...['Enter a name for the new connection.', 'Copy it from the agent’s settings in the administration area.'],
        `Stored in the system keyring and sent only to ${service.origin}.`,
        'Enter your externalId, in lowercase without spaces. For more settings, see “sessionSettings”.',
      ]);
      assert.deepEqual(editor.hidden, [false, false, true, false]);
      assert.deepEqual(editor.placeholders.slice(0, 2), ['Staging', 'https://…/chat/stream-chat-state']);
      assert.deepEqual(editor.proposed, [undefined, '', undefined, 'dev']);
      const named = [URL_STEP, KEY_STEP, IDENTITY_STEP].map((step) => `${step} (Staging)`);
      assert.deepEqual(taken().slice(1), named);
      [editor.entered, editor.picks] = [['Other', service.url, 'the-token'], ['Service token']];
      await connect.addConnection(world.services);
      assert.equal(taken().at(-1), 'Analytics Chat: Service token (Other)');
    });
  });

  describe('a new key', () => {
    const [chat, data] = ['https://bank.example', 'https://data.example'];
    for (const [missing, argument, expected] of [
      [[data], undefined, data],
      [[chat], undefined, chat],
      // The user picks the second one.
      [[], undefined, data],
      [[chat, data], undefined, data],
      // After a question in a chat.
      [[data], { threadId: 'second' }, chat],
    ] as const)
      it(`is that of ${expected} if ${missing.join(' and ') || 'none'} lacks one ${argument ? 'for a chat' : ''}`, async () => {
        without = [...missing];
        editor.entered = ['the-key'];
        editor.picks = [data];
        if (!argument) Object.assign(world.services.sessions, { active: world.second });
        assert.equal(await connect.setApiKeyOf(world.services, argument), true);
        assert.deepEqual(kept, [`stored the-key for ${expected}`]);
        const pick = missing.length === 1 || argument ? [] : [KEY_STEP];
        assert.deepEqual(steps, [...pick, `${KEY_STEP} (Bank)`]);
        assert.equal(editor.placeholders[0], pick[0] && 'Select the service that the key is for');
      });
  });

  describe('signing out', () => {
    const run = (entry: object, ...all: object[]): Promise<boolean> => {
      Object.assign(world.services.connections, { current: entry, all: [entry, ...all] });
      return connect.signOut(world.services);
    };
    it('removes the keys of both APIs of the current connection, and says which others used them', async () => {
      const token = { ...bank, name: 'Token', authentication: 'serviceToken' };
      await run(bank, unnamed, token);
      assert.deepEqual(removed.splice(0), ['apiKey https://bank.example', 'apiKey https://data.example']);
      await run(bank, { ...unnamed, name: 'Same', dataQueryUrl: bank.dataQueryUrl }, { ...bank, name: 'Copy' }, token);
      await run({ ...token, tokenCommand: ['vault'] }, bank);
      assert.equal(removed.at(-1), 'serviceToken https://data.example');
      assert.deepEqual(editor.messages, [
        'The key for the one named Bank was removed.',
        'The key for the one named Bank was removed. Same, Copy also used this key.',
        'The key for the one named Token was removed. New tokens come from the setting “tokenCommand”.',
      ]);
    });
    it('stops at a key that the keyring does not remove, and needs a connection', async () => {
      stuck = ['https://bank.example'];
      await run(bank);
      assert.deepEqual(removed, []);
      await run({ ...bank, chatApiUrl: '' });
      assert.match(editor.messages[0]!, /may still contain the key for https:\/\/bank\.example/);
      assert.equal(editor.messages[1], 'There is no connection to sign out of.');
    });
  });

  it('tests the current connection by a command, names it if that fails, and connects it again', async () => {
    let isDown = true;
    const asked: unknown[] = [];
    const stream = ({ sessionSettings }: { sessionSettings: object }): object => (asked.push(sessionSettings), [{}]);
    const connect = async (home: unknown): Promise<object> => {
      world.done.push(`connect ${String(home)}`);
      await settled();
      assert.ok(!isDown, 'No the-key.');
      return { client: { stream }, sessionSettings: utc };
    };
    Object.assign(world.services.connector, { connect });
    const { commands } = await registered('connection', world.services, editor.with());
    editor.answers = ['Show log'];
    await commands['analyticsChat.testConnection']!();
    await settled();
    assert.match(editor.messages[0]!, /^agent\.example: .* \[Connect again\] \[Show log\]$/);
    const [asking, logged, ...later] = world.done;
    assert.match(logged ?? '', /^The test request failed\. /);
    assert.deepEqual([asking, later, steps], ['connect undefined', ['show log'], []]);
    await commands['analyticsChat.connect']!();
    assert.deepEqual(editor.proposed, [unnamed.chatApiUrl]);
    isDown = false;
    for (const several of [true, false]) {
      Object.assign(world.services.connections, { several });
      await commands['analyticsChat.testConnection']!();
      const connected = several ? 'Connected to agent.example.' : 'Connected.';
      assert.deepEqual([asked.pop(), editor.messages.pop()], [utc, `${connected} Ask your first question.`]);
    }
    isDown = true;
    await commands['analyticsChat.testConnection']!();
    assert.doesNotMatch(editor.messages.at(-1)!, /^agent|the-key/);
    [editor.answers, editor.proposed.length] = [['Connect again'], 0];
    await commands['analyticsChat.testConnection']!();
    await settled();
    assert.deepEqual(editor.proposed, [unnamed.chatApiUrl]);
  });

  it('is switched, with its branch and its identity, by commands', async () => {
    const { commands } = await registered('connection', world.services, editor.with());
    for (const [name, title] of [
      ['switchConnection', 'Analytics Chat: Switch Connection'],
      ['switchBranch', 'Analytics Chat: Switch Branch'],
      ['switchIdentity', 'Analytics Chat: Switch Identity'],
      ['setApiKey', KEY_STEP],
    ] as const) {
      await commands[`analyticsChat.${name}`]!();
      assert.deepEqual([steps.splice(0), world.done], [[title], []]);
    }
    assert.deepEqual(editor.hidden, [true], 'there is only one service that the key can be for');
    await commands['analyticsChat.signOut']!();
    assert.equal(removed.length, 1);
    await commands['analyticsChat.switchBranch']!('dev');
    await commands['analyticsChat.switchIdentity']!('ben');
    await commands['analyticsChat.setApiKey']!({ threadId: 'second' });
    await assert.rejects(async () => commands['analyticsChat.switchIdentity']!('eve'), /no identity named “eve”/);
    assert.deepEqual([world.done, steps], [['switch to dev', 'switch to ben'], [`${KEY_STEP} (Bank)`]]);
    const fail = (): Promise<never> => Promise.reject(new Error('It failed.'));
    const { branches, identities, credentials } = world.services;
    Object.assign(credentials, { remove: fail });
    for (const each of [branches, identities]) Object.assign(each, { switchTo: fail });
    for (const [name, argument] of [['signOut'], ['switchBranch', 'dev'], ['switchIdentity', 'ben']] as const)
      await assert.rejects(async () => commands[`analyticsChat.${name}`]!(argument), /It failed/, name);
  });
});
