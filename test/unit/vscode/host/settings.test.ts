/** Invalid values in settings files do no harm. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { readSettings, Settings } from '../../../../src/vscode/host/settings.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const ODD = [undefined, null, Number.NaN, 'abc', {}, [], () => undefined];

describe('settings', () => {
  let values: Record<string, unknown> = {};
  let workspaceValues: Record<string, unknown> = {};
  let read: typeof readSettings;

  before(async () => {
    const configuration = {
      get: (key: string) => workspaceValues[key] ?? values[key],
      inspect: (key: string) => ({
        globalValue: values[key],
        defaultValue: key === 'dataQueryUrl' ? 'usual' : undefined,
      }),
    };
    const editor = { workspace: { getConfiguration: () => configuration } };
    read = (await loadWithEditor<{ readSettings: typeof readSettings }>('vscode/host/settings.ts', editor))
      .readSettings;
  });

  it('that affect security or stored data are those of the user, whatever a workspace sets', () => {
    const keys = ['chatApiUrl', 'dataQueryUrl', 'connections', 'tokenCommand', 'authentication'];
    const fields = { sessionSettings: { externalId: 'eve' }, identities: { eve: { externalId: 'eve' } } };
    const ofWorkspace = {
      'tools.enabled': true,
      'export.guardFormulas': false,
      'history.limit': 1,
      allowAuthoring: true,
    };
    values = { 'tools.enabled': false, 'export.guardFormulas': true, 'history.limit': 9, allowAuthoring: false };
    workspaceValues = { ...ofWorkspace, ...fields, ...Object.fromEntries(keys.map((key) => [key, 'serviceToken'])) };
    const { toolsEnabled, guardFormulas, historyLimit, allowAuthoring, ...settings } = read();
    workspaceValues = {};
    assert.deepEqual([toolsEnabled, guardFormulas, historyLimit, allowAuthoring], [false, true, 9, false]);
    assert.deepEqual(
      [settings.chatApiUrl, settings.dataQueryUrl, settings.sessionSettings, settings.identities],
      ['', 'usual', undefined, {}],
    );
    const { connections, tokenCommand, authentication } = settings;
    assert.deepEqual([connections, tokenCommand, authentication], [undefined, undefined, 'apiKey']);
  });

  const settingsWith = (key: string, value: unknown): Settings => {
    values = { [key]: value };
    return read();
  };

  it('of numbers that are invalid or out of range fall back to the default', () => {
    for (const value of [...ODD, 0, -5, 0.5, true, 3601])
      assert.equal(settingsWith('stallTimeout', value).stallTimeout, 60, String(value));
    for (const value of [1, 2.5, 3600]) assert.equal(settingsWith('stallTimeout', value).stallTimeout, value);
    assert.equal(settingsWith('history.limit', 1e9).historyLimit, 1e9);
    for (const [key, name, usual, most] of [
      ['evals.concurrency', 'evalsConcurrency', 4, 4],
      ['evals.attempts', 'evalsAttempts', 3, 9],
      ['evals.precision', 'evalsPrecision', 4, 15],
    ] as const)
      for (const [value, expected] of [
        [most, most],
        [most + 1, usual],
        [2.5, 2],
      ] as const)
        assert.equal(settingsWith(key, value)[name], expected, key);
  });

  it('have defaults', () => {
    values = { sessionSettings: {}, agentsPath: '../elsewhere' };
    assert.deepEqual(
      { ...read() },
      {
        ...{
          chatApiUrl: '',
          authentication: 'apiKey',
          sessionSettings: undefined,
          identities: {},
          tokenCommand: undefined,
        },
        ...{
          dataQueryUrl: 'usual',
          connections: undefined,
          toolsEnabled: true,
          allowAuthoring: true,
          guardFormulas: true,
        },
        ...{
          historyLimit: 500,
          mainBranch: 'main',
          problemsEnabled: true,
          missingDescriptions: false,
          agentsPath: 'agents',
        },
        ...{ branches: [], followGitBranch: false, sendKey: 'enter', showThinking: 'collapsed', insertFormat: false },
        ...{ insertProvenance: false, stallTimeout: 60, evalsConcurrency: 4, evalsAttempts: 3, evalsPrecision: 4 },
      },
    );
  });

  it('of flags are accepted only as booleans', () => {
    for (const value of [...ODD, 0, 1, 'false', 'true'])
      assert.equal(settingsWith('tools.enabled', value).toolsEnabled, true, String(value));
    assert.equal(settingsWith('tools.enabled', false).toolsEnabled, false);
  });

  it('of names are never blank', () => {
    for (const value of [undefined, null, 7, '', '  ', []])
      assert.equal(settingsWith('mainBranch', value).mainBranch, 'main');
    assert.equal(settingsWith('mainBranch', ' trunk ').mainBranch, 'trunk');
    assert.deepEqual(settingsWith('branches', 'main').branches, []);
    assert.deepEqual(settingsWith('branches', ['dev', '', 7, ' qa ', null]).branches, ['dev', 'qa']);
  });

  it('of choices are one of them', () => {
    for (const value of [...ODD, 'ENTER']) assert.equal(settingsWith('sendKey', value).sendKey, 'enter');
    assert.equal(settingsWith('sendKey', 'modEnter').sendKey, 'modEnter');
  });
});
