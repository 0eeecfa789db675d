/** Makes the connection for a request out of the thread's entry in the settings, secrets, branch and identity. */
import * as vscode from 'vscode';
import { chatAddresses, dataQueryAddress } from '../../api/address.ts';
import { ChatClient } from '../../api/client.ts';
import type { DataQueryOptions } from '../../api/dataQuery.ts';
import { ChatError } from '../../api/errors.ts';
import type { Credential } from '../../api/request.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { contextOf, type Connection } from '../../chat/connection/connection.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { keyWords } from '../../chat/connection/keyMessages.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { SessionSettings, StreamLine } from '../../shared/wire.ts';
import type { Branches } from './branches.ts';
import type { Connections } from './connections.ts';
import type { Credentials } from './credentials.ts';
import type { Identities } from './identities.ts';
import { readSettings } from '../host/settings.ts';

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

/** A connection for a request, and where the thread that it is made for lives from then on. */
export type ConnectionAt = Connection & { home: Home };

export class Connector {
  readonly #connections: Connections;
  readonly #credentials: Credentials;
  readonly #branches: Branches;
  readonly #identities: Identities;
  readonly #development: DevelopmentConnection;
  readonly #onLine: (line: StreamLine, text: string) => void;

  constructor(
    connections: Connections,
    credentials: Credentials,
    branches: Branches,
    identities: Identities,
    development: DevelopmentConnection,
    onLine: (line: StreamLine, text: string) => void,
  ) {
    this.#connections = connections;
    this.#credentials = credentials;
    this.#branches = branches;
    this.#identities = identities;
    this.#development = development;
    this.#onLine = onLine;
  }

  /**
   * @param home of the thread; without one, it is asked on the current connection
   * @throws ChatError as `Connect`
   */
  readonly connect = async (home: Home | undefined, stamp?: QuestionContext): Promise<ConnectionAt> => {
    const entry = this.#connections.of(home);
    if (!entry) throw this.#missing(home);
    const { origin } = chatAddresses(entry.chatApiUrl);
    const credential = await this.credentialFor(origin, entry.authentication);
    const asked = stamp ?? this.#stampOn(entry);
    const sessionSettings = this.#settingsFor(credential, asked, entry);
    if (!home) await this.#connections.settle(entry);
    return {
      client: new ChatClient({ chatApiUrl: entry.chatApiUrl, credential, onLine: this.#onLine }),
      ...(sessionSettings ? { sessionSettings } : {}),
      stamp: asked,
      stallTimeout: readSettings().stallTimeout * 1000,
      home: { origin, connection: entry.name },
    };
  };

  /**
   * @param stamp branch and identity of the question whose query is run: its rows depend on them
   * @returns what a data query on the thread's connection needs besides its SQL
   * @throws ChatError as `connect`
   */
  readonly dataQuery = async (
    home: Home | undefined,
    stamp?: QuestionContext,
  ): Promise<Omit<DataQueryOptions, 'signal'>> => {
    const entry = this.#connections.of(home);
    if (!entry) throw this.#missing(home);
    const { dataQueryUrl, authentication } = entry;
    const asked = stamp ?? this.#stampOn(entry);
    const mainBranch = this.#branches.main;
    const { origin } = dataQueryAddress(dataQueryUrl, asked.branch || mainBranch);
    const credential = await this.credentialFor(origin, authentication);
    const sessionSettings = this.#settingsFor(credential, asked, entry);
    const context = contextOf({ stamp: asked, ...(sessionSettings ? { sessionSettings } : {}) });
    return { dataQueryUrl, mainBranch, credential, ...context };
  };

  /** A service token says by itself who the user is. */
  #settingsFor(
    { kind }: Credential,
    { identity }: QuestionContext,
    entry: ConnectionEntry,
  ): SessionSettings | undefined {
    return kind === 'apiKey' ? this.#identities.settingsOf(identity, entry) : undefined;
  }

  /** @returns the branch and the identity that are chosen for a thread now; undefined without a connection */
  readonly stamp = (home: Home | undefined): QuestionContext | undefined => {
    const entry = this.#connections.of(home);
    return entry && this.#stampOn(entry);
  };

  #stampOn(entry: ConnectionEntry): QuestionContext {
    const { name, isDefault } = this.#branches.current;
    return { branch: name, isDefaultBranch: isDefault, identity: this.#identities.on(entry) };
  }

  #missing(home: Home | undefined): ChatError {
    if (home && this.#connections.current)
      return new ChatError(
        'badRequest',
        t(
          'This chat belongs to {0}, and no connection leads there any more. Add it again to go on, or start a new chat.',
          home.connection ? `${home.connection} (${home.origin})` : home.origin,
        ),
        { code: 'NO_CONNECTION' },
      );
    return new ChatError('badRequest', t('There is no connection yet. Connect to your agent to ask.'), {
      code: 'NOT_CONNECTED',
    });
  }

  /**
   * @param origin that the credential is going to be sent to
   * @throws ChatError `auth` when there is none for it
   */
  async credentialFor(origin: string, kind: CredentialKind): Promise<Credential> {
    const found = await this.#credentials.read(origin, kind);
    if (found.state === 'found') return found.credential;
    const { chatApiUrl, apiKey } = this.#development;
    // The key of the environment belongs to the address of the environment.
    if (apiKey && chatApiUrl && chatAddresses(chatApiUrl).origin === origin) return { kind: 'apiKey', value: apiKey };
    throw new ChatError('auth', keyWords(found.state, origin), { code: 'NO_KEY' });
  }
}
