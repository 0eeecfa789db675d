/** The extension's settings, read anew each time. */
import * as vscode from 'vscode';
import type { CredentialKind } from '../api/sessionRules.ts';

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

/** What decides where a credential goes or whom the user acts as: only the user's own settings count. */
function own<T>(configuration: vscode.WorkspaceConfiguration, key: string, otherwise: T): T {
  const found = configuration.inspect<T>(key);
  return found?.globalValue ?? found?.defaultValue ?? otherwise;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const sessionSettings = own<unknown>(configuration, 'sessionSettings', undefined);
  const identities = own<unknown>(configuration, 'identities', {});
  return {
    chatApiUrl: own(configuration, 'chatApiUrl', ''),
    authentication: own<CredentialKind>(configuration, 'authentication', 'apiKey'),
    sessionSettings: isObject(sessionSettings) && Object.keys(sessionSettings).length > 0 ? sessionSettings : undefined,
    identities: isObject(identities) ? identities : {},
    mainBranch: configuration.get('mainBranch', 'main'),
    branches: configuration.get('branches', []),
    followGitBranch: configuration.get('followGitBranch', false),
    sendKey: configuration.get('sendKey', 'enter'),
    showThinking: configuration.get('showThinking', 'collapsed'),
    insertFormat: configuration.get('insert.format', false),
    insertProvenance: configuration.get('insert.provenance', false),
    stallTimeout: configuration.get('stallTimeout', 60),
    guardFormulas: configuration.get('export.guardFormulas', true),
    dataQueryUrl: own(configuration, 'dataQueryUrl', ''),
    connections: own<unknown>(configuration, 'connections', []),
    historyLimit: configuration.get('history.limit', 500),
    toolsEnabled: own(configuration, 'tools.enabled', true),
  };
}

/** Writes to the user's settings, never to a workspace's. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}
