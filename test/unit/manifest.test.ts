/** The manifest says what the code does, both ways. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

interface Manifest {
  contributes: {
    commands: { command: string; category: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    configuration: { properties: Record<string, { scope?: string; default?: unknown }> };
    views: Record<string, { id: string }[]>;
  };
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  activationEvents: string[];
  main: string;
  browser: string;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { contributes } = manifest;
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

describe('manifest', () => {
  it('contributes exactly the commands that the code registers', () => {
    const registered = [...read('src', 'vscode', 'commands', 'index.ts').matchAll(/'(analyticsChat\.\w+)':/g)].map(
      ([, id]) => id ?? '',
    );
    assert.deepEqual(sorted(contributes.commands.map(({ command }) => command)), sorted(registered));
    assert.ok(contributes.commands.every(({ category }) => category === 'Analytics Chat'));
  });

  it('puts only commands that exist into menus', () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    const used = Object.values(contributes.menus).flatMap((entries) => entries.map(({ command }) => command));
    assert.deepEqual(
      used.filter((command) => !known.has(command)),
      [],
    );
  });

  it('declares exactly the settings that the code reads', () => {
    const source = read('src', 'vscode', 'host', 'settings.ts');
    const reads = [...source.matchAll(/(?:own(?:<\w+>)?\(configuration, |configuration\.get\()'([\w.]+)'/g)];
    const inCode = reads.map(([, key]) => `analyticsChat.${key}`);
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(inCode));
  });

  it('keeps what decides where a credential goes, as whom one acts or what is lost out of every workspace', () => {
    const access = ['chatApiUrl', 'authentication', 'sessionSettings', 'identities', 'connections', 'dataQueryUrl'];
    const harm = ['history.limit', 'export.guardFormulas', 'tools.enabled'];
    const own = [...access, ...harm].map((key) => `analyticsChat.${key}`);
    for (const key of own) assert.equal(contributes.configuration.properties[key]?.scope, 'application', key);
    assert.deepEqual(sorted(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations), sorted(own));
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('has every text that it names, and names every text that it has', () => {
    const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
    const named = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual(sorted(Object.keys(texts)), sorted(named));
  });

  it('activates only when it is used, from one bundle for every host', () => {
    // Links, and tabs of ours that are brought back after a restart; all else follows from what is contributed.
    const [link, ...tabs] = manifest.activationEvents;
    assert.equal(link, 'onUri');
    assert.ok(tabs.every((event) => event.startsWith('onWebviewPanel:analyticsChat.')));
    assert.equal(manifest.main, manifest.browser);
  });
});
