/** Reads and writes the settings of the extension. */
import * as vscode from 'vscode';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { isFields } from '../../shared/text/checks.ts';
import { between, flag, oneOf, text, texts } from './settingValues.ts';

export const SECTION = 'analyticsChat';

export interface Settings {
  chatApiUrl: string;
  authentication: CredentialKind;
  sessionSettings: Record<string, unknown> | undefined;
  /** Session settings by identity name; values are unchecked. */
  identities: Readonly<Record<string, unknown>>;
  mainBranch: string;
  branches: readonly string[];
  followGitBranch: boolean;
  sendKey: 'enter' | 'modEnter';
  showThinking: 'collapsed' | 'expanded' | 'hidden';
  insertFormat: boolean;
  insertProvenance: boolean;
  /** Seconds. */
  stallTimeout: number;
  /** Whether exports escape cells that a spreadsheet would run as a formula. */
  guardFormulas: boolean;
  dataQueryUrl: string;
  /** Additional connections; unchecked. */
  connections: unknown;
  historyLimit: number;
  /** Whether language models may use the extension's tools; workspace settings are ignored. */
  toolsEnabled: boolean;
  /** Questions of a test run that are asked at once. */
  evalsConcurrency: number;
  /** Significant digits at which numbers in test results are equal. */
  evalsPrecision: number;
}

/** Reads a setting that affects security or stored data; only user settings count, so no workspace can override it. */
function own(configuration: vscode.WorkspaceConfiguration, key: string): unknown {
  const found = configuration.inspect<unknown>(key);
  return found?.globalValue ?? found?.defaultValue;
}

/**
 * Reads the current settings. Those behind getters are read on access, because `inspect` takes milliseconds.
 * @param folder workspace folder, for the settings that can differ by folder, such as `mainBranch`
 */
export function readSettings(folder?: vscode.WorkspaceFolder): Settings {
  const configuration = vscode.workspace.getConfiguration(SECTION, folder);
  return {
    get chatApiUrl() {
      return text(own(configuration, 'chatApiUrl'), '');
    },
    get authentication() {
      return oneOf(own(configuration, 'authentication'), ['apiKey', 'serviceToken']);
    },
    get sessionSettings() {
      const found = own(configuration, 'sessionSettings');
      return isFields(found) && Object.keys(found).length > 0 ? found : undefined;
    },
    get identities() {
      const found = own(configuration, 'identities');
      return isFields(found) ? found : {};
    },
    get dataQueryUrl() {
      return text(own(configuration, 'dataQueryUrl'), '');
    },
    get connections() {
      return own(configuration, 'connections');
    },
    get toolsEnabled() {
      return flag(own(configuration, 'tools.enabled'), true);
    },
    get guardFormulas() {
      return flag(own(configuration, 'export.guardFormulas'), true);
    },
    get historyLimit() {
      return between(own(configuration, 'history.limit'), 1, Infinity, 500);
    },
    mainBranch: text(configuration.get('mainBranch'), 'main'),
    branches: texts(configuration.get('branches')),
    followGitBranch: flag(configuration.get('followGitBranch'), false),
    sendKey: oneOf(configuration.get('sendKey'), ['enter', 'modEnter']),
    showThinking: oneOf(configuration.get('showThinking'), ['collapsed', 'expanded', 'hidden']),
    insertFormat: flag(configuration.get('insert.format'), false),
    insertProvenance: flag(configuration.get('insert.provenance'), false),
    stallTimeout: between(configuration.get('stallTimeout'), 1, 3600, 60),
    evalsConcurrency: Math.floor(between(configuration.get('evals.concurrency'), 1, 4, 4)),
    evalsPrecision: Math.floor(between(configuration.get('evals.precision'), 1, 15, 4)),
  };
}

/** Writes to the user settings, never to workspace settings. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}
