/** Reads and writes the settings of the extension, and reads the properties of its host. */
import * as vscode from 'vscode';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { AGENTS_PATH, agentsPathOf } from '../../shared/text/agentsPath.ts';
import { isFields } from '../../shared/text/checks.ts';

export const SECTION = 'analyticsChat';

export interface Settings {
  chatApiUrl: string;
  authentication: CredentialKind;
  sessionSettings: Record<string, unknown> | undefined;
  /** Prints the service token; unchecked. */
  tokenCommand: unknown;
  /** Session settings by identity name; values are unchecked. */
  identities: Readonly<Record<string, unknown>>;
  mainBranch: string;
  /** The folder of the platform's files, relative to the workspace folder. */
  agentsPath: string;
  branches: readonly string[];
  followGitBranch: boolean;
  sendKey: 'enter' | 'modEnter';
  showThinking: 'collapsed' | 'expanded' | 'hidden';
  insertFormat: boolean;
  insertProvenance: boolean;
  /** Seconds without data after which a request counts as stalled. */
  stallTimeout: number;
  /** Whether exports escape cells that a spreadsheet would run as a formula. */
  guardFormulas: boolean;
  dataQueryUrl: string;
  /** Additional connections; unchecked. */
  connections: unknown;
  historyLimit: number;
  /** Whether language models may use the extension's tools; workspace settings are ignored. */
  toolsEnabled: boolean;
  /** Whether the agent may write workbooks, reports and dashboards for a chat; workspace settings are ignored. */
  allowAuthoring: boolean;
  /** Maximum number of questions that a test run asks at once. */
  evalsConcurrency: number;
  /** Maximum number of times that a run asks a question on a branch before it decides. */
  evalsAttempts: number;
  /** Whether unknown names of the data model are problems. */
  problemsEnabled: boolean;
  /** Whether members without a description have hints. */
  missingDescriptions: boolean;
  /** Number of significant digits to which numbers in test results are compared. */
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
    get tokenCommand() {
      return own(configuration, 'tokenCommand');
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
    get allowAuthoring() {
      return flag(own(configuration, 'allowAuthoring'), true);
    },
    get guardFormulas() {
      return flag(own(configuration, 'export.guardFormulas'), true);
    },
    get historyLimit() {
      return number(own(configuration, 'history.limit'), Infinity, 500);
    },
    mainBranch: text(configuration.get('mainBranch'), 'main'),
    problemsEnabled: flag(configuration.get('problems.enabled'), true),
    missingDescriptions: flag(configuration.get('problems.missingDescriptions'), false),
    agentsPath: agentsPathOf(text(configuration.get('agentsPath'), '')) ?? AGENTS_PATH,
    branches: texts(configuration.get('branches')),
    followGitBranch: flag(configuration.get('followGitBranch'), false),
    sendKey: oneOf(configuration.get('sendKey'), ['enter', 'modEnter']),
    showThinking: oneOf(configuration.get('showThinking'), ['collapsed', 'expanded', 'hidden']),
    insertFormat: flag(configuration.get('insert.format'), false),
    insertProvenance: flag(configuration.get('insert.provenance'), false),
    stallTimeout: number(configuration.get('stallTimeout'), 3600, 60),
    evalsConcurrency: Math.floor(number(configuration.get('evals.concurrency'), 4, 4)),
    evalsAttempts: Math.floor(number(configuration.get('evals.attempts'), 9, 3)),
    evalsPrecision: Math.floor(number(configuration.get('evals.precision'), 15, 4)),
  };
}

/** Writes to the user settings, never to workspace settings. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}

/** Text to search for in the settings editor, which finds all settings of the extension. */
export const ALL_SETTINGS = '@ext:analytics-chat.analytics-chat';

/** Opens the settings editor of VS Code. @param query the text to search for, such as the name of a setting */
export const openSettings = (query = ALL_SETTINGS): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.openSettings', query);

/** @returns whether the extension host runs on Node.js, which gives access to the local disk; false on the web */
export const hasNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

/** @returns translations by English text; empty if the display language is English */
export const strings = (): Record<string, string> =>
  Object.fromEntries(Object.entries(vscode.l10n.bundle ?? {}).filter((entry) => typeof entry[1] === 'string'));

/** @returns the value if it is a number from 1 to `most`, otherwise the default */
const number = (value: unknown, most: number, otherwise: number): number =>
  typeof value === 'number' && value >= 1 && value <= most ? value : otherwise;

const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

/** @returns the trimmed string, or the default if it is blank or not a string */
const text = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => text(one, '')).filter((one) => one !== '') : [];

/** @returns the value if it is one of `values`, otherwise the first of them */
function oneOf<const Value extends string>(value: unknown, values: readonly [Value, ...Value[]]): Value {
  return values.find((one) => one === value) ?? values[0];
}
