/** Makes the connection for a request out of settings, secrets, branch and identity. */
import * as vscode from 'vscode';
import { chatAddresses } from '../api/address.ts';
import { ChatClient } from '../api/client.ts';
import { ChatError } from '../api/errors.ts';
import type { Credential } from '../api/request.ts';
import type { Connection } from '../chat/connection.ts';
import { t } from '../shared/l10n.ts';
import type { Stamp } from '../shared/thread.ts';
import type { Branches } from './branch.ts';
import type { Credentials } from './credentials.ts';
import type { Identities } from './identity.ts';
import { readSettings } from './settings.ts';

/** Stands in for the wizard while the extension is developed or tested. */
export interface DevelopmentConnection {
  chatApiUrl?: string;
  apiKey?: string;
}

/** @returns what the environment says, in development and test mode only */
export function developmentConnection(mode: vscode.ExtensionMode): DevelopmentConnection {
  if (mode === vscode.ExtensionMode.Production) return {};
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  const chatApiUrl = environment?.ANALYTICS_CHAT_API_URL;
  const apiKey = environment?.ANALYTICS_CHAT_API_KEY;
  return { ...(chatApiUrl ? { chatApiUrl } : {}), ...(apiKey ? { apiKey } : {}) };
}

export class Connector {
  readonly #credentials: Credentials;
  readonly #branches: Branches;
  readonly #identities: Identities;
  readonly #development: DevelopmentConnection;

  constructor(
    credentials: Credentials,
    branches: Branches,
    identities: Identities,
    development: DevelopmentConnection,
  ) {
    this.#credentials = credentials;
    this.#branches = branches;
    this.#identities = identities;
    this.#development = development;
  }

  /** The Chat API URL in force; empty when there is none. */
  get chatApiUrl(): string {
    return readSettings().chatApiUrl || (this.#development.chatApiUrl ?? '');
  }

  /** Origin of the Chat API URL; empty when there is none that can be used. */
  get origin(): string {
    try {
      return chatAddresses(this.chatApiUrl).origin;
    } catch {
      return '';
    }
  }

  get connected(): boolean {
    return this.chatApiUrl !== '';
  }

  /** @throws ChatError as `Connect` */
  readonly connect = async (stamp?: Stamp): Promise<Connection> => {
    const settings = readSettings();
    if (!this.connected)
      throw new ChatError('badRequest', t('There is no connection yet. Connect to your agent to ask.'), {
        code: 'NOT_CONNECTED',
      });
    const { origin } = chatAddresses(this.chatApiUrl);
    const credential = await this.credentialFor(origin);
    const { name, isDefault } = this.#branches.current;
    const current: Stamp = { branch: name, isDefaultBranch: isDefault, identity: this.#identities.current };
    const asked = stamp ?? current;
    return {
      client: new ChatClient({ chatApiUrl: this.chatApiUrl, credential }),
      ...(credential.kind === 'apiKey' ? { sessionSettings: this.#identities.settingsOf(asked.identity) } : {}),
      stamp: asked,
      stallTimeout: settings.stallTimeout * 1000,
    };
  };

  /**
   * @param origin that the credential is going to be sent to
   * @throws ChatError `auth` when there is none for it
   */
  async credentialFor(origin: string): Promise<Credential> {
    const found = await this.#credentials.read(origin);
    if (found.state === 'found') return found.credential;
    const { chatApiUrl, apiKey } = this.#development;
    // The key of the environment belongs to the address of the environment.
    if (apiKey && chatApiUrl && chatAddresses(chatApiUrl).origin === origin) return { kind: 'apiKey', value: apiKey };
    throw new ChatError('auth', missingWords(found.state, origin), { code: 'NO_KEY' });
  }
}

function missingWords(state: 'none' | 'lost' | 'unreadable', origin: string): string {
  switch (state) {
    case 'none':
      return t('There is no key for {0} yet. Enter one to ask.', origin);
    case 'lost':
      return t('The key for {0} was stored, but the system’s keyring does not give it back. Enter it again.', origin);
    case 'unreadable':
      return t('The system’s keyring cannot be read. Unlock it and retry, or enter the key for {0} again.', origin);
  }
}
