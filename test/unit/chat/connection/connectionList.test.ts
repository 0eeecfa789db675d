/** Several connections: valid settings, selection, and the connection of a thread. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  addressOf,
  chosenConnection,
  connectionAt,
  originsOf,
  readConnections,
  shownName,
  withConnection,
  withoutConnection,
  type ConnectionEntry,
} from '../../../../src/chat/connection/connectionList.ts';

const at = (name: string, chatApiUrl: string): ConnectionEntry => ({
  name,
  chatApiUrl,
  authentication: 'apiKey',
  dataQueryUrl: '',
});
const first = at('', 'https://agent.example/api/v1');
const staging = at('Staging', 'https://staging.example/api/v1');
const finance = at('Finance', 'https://staging.example/api/v2');

describe('the origins with a key of a connection', () => {
  it('are those of its chat API and of its data query API, each once', () => {
    const origins = (dataQueryUrl: string): string[] => originsOf({ ...staging, dataQueryUrl });
    assert.deepEqual(origins(''), ['https://staging.example']);
    assert.deepEqual(origins('https://staging.example/{branch}/query'), ['https://staging.example']);
    assert.deepEqual(origins('https://data.example/{branch}'), ['https://staging.example', 'https://data.example']);
    assert.deepEqual(origins('data.example'), ['https://staging.example']);
    assert.deepEqual(originsOf(at('', 'agent.example')), []);
  });
});

describe('connections in the settings', () => {
  it('are read as written, with an API key by default', () => {
    const sessionSettings = { externalId: 'ana' };
    const { usable, unusable } = readConnections([
      { name: ' Staging ', chatApiUrl: staging.chatApiUrl, sessionSettings },
      {
        name: 'Finance',
        chatApiUrl: finance.chatApiUrl,
        authentication: 'serviceToken',
        dataQueryUrl: 'https://staging.example/query',
      },
    ]);
    assert.deepEqual(usable, [
      { ...staging, sessionSettings },
      { ...finance, authentication: 'serviceToken', dataQueryUrl: 'https://staging.example/query' },
    ]);
    assert.deepEqual(unusable, []);
  });

  const { chatApiUrl } = staging;
  const malformed: [string, unknown, RegExp][] = [
    ['no object', 'https://staging.example', /object/],
    ['without a name', { chatApiUrl }, /name/],
    ['with a name of spaces', { name: '  ', chatApiUrl }, /name/],
    ['without an address', { name: 'A' }, /Chat API URL/],
    ['with an address that is no text', { name: 'A', chatApiUrl: 7 }, /Chat API URL/],
    ['with an address that a key would travel to in the clear', { name: 'A', chatApiUrl: 'http://a.example' }, /https/],
    ['with a key in its address', { name: 'A', chatApiUrl: 'https://me:key@a.example' }, /password/],
    ['with an unknown authentication', { name: 'A', chatApiUrl, authentication: 'none' }, /authentication/],
    ['with session settings that are a list', { name: 'A', chatApiUrl, sessionSettings: [] }, /sessionSettings/],
    ['with a query address that is no text', { name: 'A', chatApiUrl, dataQueryUrl: {} }, /dataQueryUrl/],
  ];
  for (const [what, entry, reason] of malformed)
    it(`are reported as unusable ${what}, and the others stay usable`, () => {
      const { usable, unusable } = readConnections([entry, staging]);
      assert.deepEqual(usable, [staging]);
      assert.equal(unusable.length, 1);
      assert.match(unusable[0]?.problem ?? '', reason);
    });

  it('are reported by their number if they have no name', () => {
    const { unusable } = readConnections([staging, {}]);
    assert.deepEqual(
      unusable.map(({ name, label }) => [name, label]),
      [['', 'Connection 2']],
    );
  });

  it('have no session settings if the object is empty', () => {
    assert.deepEqual(readConnections([{ name: 'Staging', chatApiUrl, sessionSettings: {} }]).usable, [staging]);
  });

  it('are unusable if they repeat a name', () => {
    const { usable, unusable } = readConnections([staging, { ...finance, name: 'Staging' }]);
    assert.deepEqual(usable, [staging]);
    assert.deepEqual(
      unusable.map(({ label }) => label),
      ['Staging'],
    );
  });

  it('are empty if the value is not a list', () => {
    for (const value of [undefined, null, {}, 'x', 3]) assert.deepEqual(readConnections(value).usable, []);
  });

  it('are added, changed and removed by name, without changing other entries', () => {
    const typo = { nmae: 'Old' };
    const added = withConnection([typo], staging);
    assert.deepEqual(added, [typo, staging]);
    const changed = withConnection([typo, { ...staging, sessionSettings: { externalId: 'ana' } }], finance);
    assert.deepEqual(withConnection(changed, { name: 'Staging', chatApiUrl: 'https://new.example' }), [
      typo,
      { ...staging, chatApiUrl: 'https://new.example', sessionSettings: { externalId: 'ana' } },
      finance,
    ]);
    assert.deepEqual(withoutConnection([typo, staging, finance], 'Staging'), [typo, finance]);
    assert.deepEqual(withoutConnection([staging], 'Other'), [staging]);
    assert.deepEqual(withConnection(undefined, staging), [staging]);
    assert.deepEqual(withConnection([staging], { name: 'Staging', chatApiUrl: 'https://new.example' }), [
      { ...staging, chatApiUrl: 'https://new.example' },
    ]);
  });

  it('are displayed by name, or by host without one', () => {
    assert.equal(shownName(staging), 'Staging');
    assert.equal(shownName(at('', 'http://127.0.0.1:4000/agent')), '127.0.0.1:4000');
    assert.equal(shownName(at('', 'agent.example')), 'agent.example', 'an invalid URL as it is written');
    assert.equal(addressOf(at('', 'https://a.example/of/http://b/')), 'a.example/of/http://b');
    assert.equal(addressOf(at('', 'https:/')), 'https:/');
  });
});

describe('the chosen connection', () => {
  const all = [first, staging, finance];

  it('is the first requested one that exists, otherwise the first of all', () => {
    assert.equal(chosenConnection(all, 'Finance', 'Staging'), finance);
    assert.equal(chosenConnection(all, undefined, 'Staging'), staging);
    assert.equal(chosenConnection(all, 'Gone', 'Staging'), staging);
    assert.equal(chosenConnection(all, '', 'Staging'), first, 'the one without a name can be chosen, too');
    assert.equal(chosenConnection(all), first);
    assert.equal(chosenConnection([], 'Staging'), undefined);
  });
});

describe('the connection of a thread', () => {
  const origin = 'https://staging.example';

  it('is the one with its name at its origin', () => {
    assert.equal(connectionAt([first, staging, finance], { origin, connection: 'Finance' }), finance);
  });

  it('never has another origin, whatever its name', () => {
    const moved = { ...staging, chatApiUrl: 'https://moved.example/api/v1' };
    assert.equal(connectionAt([first, moved], { origin, connection: 'Staging' }), undefined);
    assert.equal(connectionAt([staging], { origin: 'https://staging.example:8443' }), undefined);
    assert.equal(connectionAt([at('Broken', 'nonsense')], { origin: '', connection: 'Other' }), undefined);
  });

  it('is the only one at its origin after a rename, and none of several', () => {
    const renamed = { ...staging, name: 'Test' };
    assert.equal(connectionAt([first, renamed], { origin, connection: 'Staging' }), renamed);
    assert.equal(connectionAt([renamed, finance], { origin, connection: 'Staging' }), undefined);
  });

  it('is the first one at its origin for a thread that was saved before connections had names', () => {
    assert.equal(connectionAt([first, staging, finance], { origin }), staging);
    assert.equal(connectionAt([staging, first], { origin: 'https://agent.example' }), first);
  });
});
