/** Builds the connection for a request from the settings, the stored credential, the branch and the identity. */
import * as vscode from 'vscode';
import { chatAddresses, dataQueryAddress } from '../../api/address.ts';
import { ChatClient } from '../../api/client.ts';
import type { DataQueryOptions } from '../../api/dataQuery.ts';
import { ChatError } from '../../api/errors.ts';
import type { Credential } from '../../api/request.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { queryContextOf, type Connection } from '../../chat/connection/connection.ts';
import { originOf, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { keyProblemText } from '../../chat/connection/keyProblems.ts';
import { serviceTokenText, withoutAuthoring } from '../../chat/connection/identity.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { SessionSettings, StreamLine } from '../../shared/wire/streamLines.ts';
import type { Branches } from './branches.ts';
import type { Connections } from './connections.ts';
import type { Credentials } from './credentials.ts';
import type { DevelopmentConnection } from './development.ts';
import type { Identities } from './identities.ts';
import { readSettings } from '../host/settings.ts';
import type { TokenCommands } from './tokenCommands.ts';

/** A connection for a request, and the home to record for its thread. */
export type ConnectionAt = Connection & { home: Home };

/** A decoded stream line, and its text as the service sent it. */
export interface RawLine {
  line: StreamLine;
  text: string;
}

export class Connector implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #credentials: Credentials;
  readonly #branches: Branches;
  readonly #identities: Identities;
  readonly #development: DevelopmentConnection;
  readonly #tokenCommands: TokenCommands;
  readonly #lines = new vscode.EventEmitter<RawLine>();
  /** Fires for each stream line, before it is dispatched to its thread. */
  readonly onLine = this.#lines.event;

  constructor(
    connections: Connections,
    credentials: Credentials,
    branches: Branches,
    identities: Identities,
    development: DevelopmentConnection,
    tokenCommands: TokenCommands,
  ) {
    this.#connections = connections;
    this.#credentials = credentials;
    this.#branches = branches;
    this.#identities = identities;
    this.#development = development;
    this.#tokenCommands = tokenCommands;
  }

  dispose(): void {
    this.#lines.dispose();
  }

  /**
   * @param home origin and connection name of the thread; if omitted, the current connection is used
   * @param context branch and identity of an earlier question; defaults to the current ones
   * @param mayAuthor whether the agent may write workbooks, reports and dashboards, if the session settings don't say so
   * @throws ChatError if there is no connection or credential, or the session settings are invalid
   */
  readonly connect = async (
    home: Home | undefined,
    context?: QuestionContext,
    mayAuthor = readSettings().allowAuthoring,
  ): Promise<ConnectionAt> => {
    const entry = this.#entryAt(home);
    const { origin } = chatAddresses(entry.chatApiUrl);
    const credential = await this.credentialFor(origin, entry.authentication, entry);
    const asked = context ?? this.#contextOn(entry);
    const settings = this.#settingsFor(credential, asked, entry);
    const sessionSettings = settings && !mayAuthor ? withoutAuthoring(settings) : settings;
    if (!home) await this.#connections.settle(entry);
    return {
      client: new ChatClient({
        chatApiUrl: entry.chatApiUrl,
        credential,
        onLine: (line, text) => this.#lines.fire({ line, text }),
      }),
      sessionSettings,
      context: asked,
      stallTimeout: readSettings().stallTimeout * 1000,
      home: { origin, connection: entry.name },
    };
  };

  /**
   * @param context branch and identity of the query's question, because the rows depend on them
   * @returns the options of a data query on the thread's connection
   * @throws ChatError as `connect`
   */
  readonly dataQuery = async (
    home: Home | undefined,
    context?: QuestionContext,
  ): Promise<Omit<DataQueryOptions, 'signal'>> => {
    const entry = this.#entryAt(home);
    const { dataQueryUrl, authentication } = entry;
    const asked = context ?? this.#contextOn(entry);
    const mainBranch = this.#branches.main;
    const { origin } = dataQueryAddress(dataQueryUrl, asked.branch || mainBranch);
    const credential = await this.credentialFor(origin, authentication, entry);
    const sessionSettings = this.#settingsFor(credential, asked, entry);
    const queryContext = queryContextOf({ context: asked, sessionSettings });
    return { dataQueryUrl, mainBranch, credential, ...queryContext };
  };

  /**
   * @returns the session settings of the identity; undefined for a service token, which identifies the user itself
   * @throws ChatError if the identity has no valid session settings, or is another one than that of the token
   */
  #settingsFor(
    { kind }: Credential,
    { identity }: QuestionContext,
    entry: ConnectionEntry,
  ): SessionSettings | undefined {
    if (kind === 'apiKey') return this.#identities.settingsOf(identity, entry);
    // The service would answer as the user of the token, and the answer would name another one.
    if (identity !== this.#identities.on(entry))
      throw new ChatError('badRequest', serviceTokenText(), { code: 'INVALID_SETTINGS' });
    return undefined;
  }

  /** @returns the current branch and identity for a thread; undefined if it has no connection */
  readonly context = (home: Home | undefined): QuestionContext | undefined => {
    const entry = this.#connections.of(home);
    return entry && this.#contextOn(entry);
  };

  #contextOn(entry: ConnectionEntry): QuestionContext {
    const { name, isDefault } = this.#branches.current;
    return { branch: name, isDefaultBranch: isDefault, identity: this.#identities.on(entry) };
  }

  /** @throws ChatError if there is no such connection */
  #entryAt(home: Home | undefined): ConnectionEntry {
    const entry = this.#connections.of(home);
    if (entry) return entry;
    if (home && this.#connections.current)
      throw new ChatError(
        'badRequest',
        t(
          'This chat belongs to {0}, which has no connection. Add a connection to continue, or start a new chat.',
          home.connection ? `${home.connection} (${home.origin})` : home.origin,
        ),
        { code: 'NO_CONNECTION' },
      );
    throw new ChatError('badRequest', t('There is no connection yet. Connect to your agent to ask.'), {
      code: 'NOT_CONNECTED',
    });
  }

  /**
   * @param origin origin that the credential will be sent to
   * @param entry the connection, if its token command is to be used for the origin of its chat API
   * @throws ChatError of kind `auth` if there is no usable credential for the origin
   */
  async credentialFor(origin: string, kind: CredentialKind, entry?: ConnectionEntry): Promise<Credential> {
    const command = kind === 'serviceToken' && entry && originOf(entry) === origin ? entry.tokenCommand : undefined;
    if (command) return this.#tokenCommands.at(origin, command);
    const found = await this.#credentials.read(origin, kind);
    if (found.state === 'found') return found.credential;
    const { chatApiUrl, apiKey } = this.#development;
    // The key from the environment is only valid for the URL from the environment.
    if (apiKey && chatApiUrl && chatAddresses(chatApiUrl).origin === origin) return { kind: 'apiKey', value: apiKey };
    throw new ChatError('auth', keyProblemText(found.state, origin), { code: 'NO_KEY' });
  }
}
