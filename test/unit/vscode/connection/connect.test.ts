/** The connection wizard, with a stub of the editor. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { services } from '../../api/support/service.ts';

const { start, closeAll } = services();

interface Setup {
  connectTo(entry: object): Promise<boolean>;
}

describe('the connection wizard', () => {
  afterEach(closeAll);

  for (const [entered, tested, saved] of [
    ['ana@shop.example', { internalId: 'ana@shop.example' }, []],
    ['ben', { externalId: 'ben' }, [{ externalId: 'ben' }]],
  ] as const)
    it(`tests the session settings that questions will have if “${entered}” is entered`, async () => {
      const service = await start(({ response }) => response.writeHead(404).end('{}'));
      const written = new Map<string, unknown>();
      const entries = [service.url, 'the-key', entered];
      const { ConnectionSetup } = await loadWithEditor<{ ConnectionSetup: new (services: object) => Setup }>(
        'vscode/commands/connect.ts',
        {
          ConfigurationTarget: { Global: 1 },
          ProgressLocation: { Notification: 15 },
          workspace: {
            getConfiguration: () => ({
              update: (key: string, value: unknown) => Promise.resolve(void written.set(key, value)),
            }),
          },
          window: {
            showInputBox: () => Promise.resolve(entries.shift()),
            showQuickPick: ([first]: object[]) => Promise.resolve(first),
            showInformationMessage: () => Promise.resolve(),
            withProgress: (_options: object, work: (progress: object, token: object) => unknown) =>
              work({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
          },
        },
      );
      const entry = { name: '', chatApiUrl: '', sessionSettings: { internalId: 'ana@shop.example' } };
      const setup = new ConnectionSetup({
        connections: { all: [entry], several: false },
        credentials: { store: () => Promise.resolve('stored') },
        sessions: { active: {} },
        views: { focus: () => Promise.resolve() },
      });
      assert.equal(await setup.connectTo(entry), true);
      assert.deepEqual(
        service.asked.map(({ body }) => body.sessionSettings),
        [tested],
      );
      assert.deepEqual(
        [...written].filter(([key]) => key === 'sessionSettings').map(([, value]) => value),
        saved,
      );
    });
});

describe('removing the connection of the settings for one agent', () => {
  it('leaves no setting of it to the next one', async () => {
    const settings = new Map(
      ['chatApiUrl', 'authentication', 'sessionSettings', 'dataQueryUrl'].map((key): [string, unknown] => [key, 'x']),
    );
    type Remove = (name: string) => Promise<void>;
    const path = 'vscode/connection/connections.ts';
    const { removeConnection } = await loadWithEditor<{ removeConnection: Remove }>(path, {
      ConfigurationTarget: { Global: 1 },
      workspace: {
        getConfiguration: () => ({
          update: (key: string, value: unknown) => Promise.resolve(void settings.set(key, value)),
        }),
      },
    });
    await removeConnection('');
    assert.deepEqual(new Set(settings.values()), new Set([undefined]));
  });
});
