/** Invalid values in settings files do no harm. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { readSettings, Settings } from '../../../../src/vscode/host/settings.ts';
import { loadWithEditor } from '../support.ts';

const ODD = ['abc', undefined, null, Number.NaN, {}, [], () => undefined];

describe('settings', () => {
  let values: Record<string, unknown> = {};
  let workspaceValues: Record<string, unknown> = {};
  let read: typeof readSettings;

  before(async () => {
    const configuration = {
      get: (key: string) => workspaceValues[key] ?? values[key],
      // VS Code returns nothing for a setting that it doesn't know.
      inspect: (key: string) =>
        key === 'dataQueryUrl' ? { defaultValue: 'usual' } : key in values ? { globalValue: values[key] } : undefined,
    };
    const editor = { workspace: { getConfiguration: () => configuration } };
    read = (await loadWithEditor<{ readSettings: typeof readSettings }>('vscode/host/settings.ts', editor))
      .readSettings;
  });

  it('that affect security or stored data are those of the user, whatever a workspace sets', () => {
    values = { 'tools.enabled': false, 'export.guardFormulas': true, 'history.limit': 9, allowAuthoring: false };
    const own = { ...read() };
    const { toolsEnabled, guardFormulas, historyLimit, allowAuthoring, dataQueryUrl } = own;
    assert.deepEqual([toolsEnabled, guardFormulas, historyLimit, allowAuthoring], [false, true, 9, false]);
    assert.equal(dataQueryUrl, 'usual');
    const keys = ['chatApiUrl', 'dataQueryUrl', 'connections', 'tokenCommand', 'authentication'];
    workspaceValues = {
      ...Object.fromEntries(keys.map((key) => [key, 'serviceToken'])),
      ...{ sessionSettings: { externalId: 'eve' }, identities: { eve: { externalId: 'eve' } } },
      ...{ 'tools.enabled': true, 'export.guardFormulas': false, 'history.limit': 1, allowAuthoring: true },
    };
    assert.deepEqual({ ...read() }, own);
    workspaceValues = {};
  });

  it('that are invalid, blank or out of range have the default', () => {
    const flags = [0, 1, 'false', 'true'];
    for (const [key, name, usual, invalid, ...valid] of [
      ['stallTimeout', 'stallTimeout', 60, [0, -5, 0.5, true, 3601], [1, 1], [2.5, 2.5], [3600, 3600]],
      ['history.limit', 'historyLimit', 500, [], [1e9, 1e9]],
      ['evals.concurrency', 'evalsConcurrency', 4, [5], [2.5, 2]],
      ['evals.attempts', 'evalsAttempts', 3, [10], [9, 9], [2.5, 2]],
      ['evals.precision', 'evalsPrecision', 4, [16], [15, 15], [2.5, 2]],
      ['tools.enabled', 'toolsEnabled', true, flags, [false, false]],
      ['allowAuthoring', 'allowAuthoring', true, flags, [false, false]],
      ['export.guardFormulas', 'guardFormulas', true, flags, [false, false]],
      ['problems.enabled', 'problemsEnabled', true, flags, [false, false]],
      ['problems.missingDescriptions', 'missingDescriptions', false, flags, [true, true]],
      ['followGitBranch', 'followGitBranch', false, flags, [true, true]],
      ['insert.format', 'insertFormat', false, flags, [true, true]],
      ['insert.provenance', 'insertProvenance', false, flags, [true, true]],
      ['mainBranch', 'mainBranch', 'main', ['', '  '], [' trunk ', 'trunk']],
      ['chatApiUrl', 'chatApiUrl', '', ['  '], [' x ', 'x']],
      ['agentsPath', 'agentsPath', 'agents', ['../elsewhere'], ['bi', 'bi']],
      ['branches', 'branches', [], ['main'], ['dev,, qa ,7'.split(','), ['dev', 'qa', '7']], [['a', 7, null], ['a']]],
      ['sendKey', 'sendKey', 'enter', ['ENTER'], ['modEnter', 'modEnter']],
      ['showThinking', 'showThinking', 'collapsed', [], ['expanded', 'expanded'], ['hidden', 'hidden']],
      ['authentication', 'authentication', 'apiKey', ['token'], ['serviceToken', 'serviceToken']],
      ['sessionSettings', 'sessionSettings', undefined, [{}], [{ externalId: 'a' }, { externalId: 'a' }]],
      ['identities', 'identities', {}, [], [{ a: {} }, { a: {} }]],
    ] as [string, keyof Settings, unknown, unknown[], ...[unknown, unknown][]][]) {
      const valueOf = (value: unknown): unknown => ((values = { [key]: value }), read()[name]);
      const isText = ['mainBranch', 'chatApiUrl', 'agentsPath'].includes(key);
      const odd = isText ? ODD.slice(1) : ODD;
      for (const value of [...odd, ...invalid]) assert.deepEqual(valueOf(value), usual, `${key}: ${String(value)}`);
      for (const [value, expected] of valid) assert.deepEqual(valueOf(value), expected, key);
    }
  });
});
