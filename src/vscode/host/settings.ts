/** The extension's settings, read anew each time. */
import * as vscode from 'vscode';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { isFields } from '../../shared/text/checks.ts';
import { between, flag, oneOf, text, texts } from './settingValues.ts';

export const SECTION = 'analyticsChat';

export interface Settings {
  chatApiUrl: string;
  authentication: CredentialKind;
  sessionSettings: Record<string, unknown> | undefined;
  /** Session settings by the name that the user gave them. */
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
  /** Text that a spreadsheet would run is written so that it does not. */
  guardFormulas: boolean;
  dataQueryUrl: string;
  /** Further connections, as the user wrote them. */
  connections: unknown;
  historyLimit: number;
  /** Whether language models may use the extension's tools; no workspace switches them on. */
  toolsEnabled: boolean;
}

/** What decides where a credential goes, whom the user acts as or what is lost: only the user's own settings count. */
function own(configuration: vscode.WorkspaceConfiguration, key: string): unknown {
  const found = configuration.inspect<unknown>(key);
  return found?.globalValue ?? found?.defaultValue;
}

/**
 * Each is read when it is asked for: where a setting comes from costs the editor milliseconds to find out.
 * @param folder of the workspace, for the settings that each may have of its own: those of branches
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
  };
}

/** Writes to the user's settings, never to a workspace's. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}
