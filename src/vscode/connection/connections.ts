/**
 * The connections in the settings, and the current one for new threads. The choice is kept in the workspace state, not
 * in workspace settings, so that no repository can change it.
 */
import * as vscode from 'vscode';
import {
  chosenConnection,
  connectionAt,
  withoutScheme,
  shownName,
  originOf,
  readConnections,
  type ConnectionEntry,
  type UnusableEntry,
  withConnection,
  withoutConnection,
} from '../../chat/connection/connectionList.ts';
import { commandIn } from '../../chat/connection/tokenCommand.ts';
import type { Home } from '../../shared/thread/model.ts';
import { readSettings, writeSetting } from '../host/settings.ts';

const KEY = 'connection';

export class Connections implements vscode.Disposable {
  readonly #workspace: vscode.Memento;
  readonly #everywhere: vscode.Memento;
  /** Read once: a choice in another window would change where this one asks, but not what it shows. */
  readonly #lastChoice: string | undefined;
  readonly #standIn: string;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param standIn Chat API URL to use if none is set; for development only */
  constructor(
    { workspaceState, globalState }: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState'>,
    standIn: string | undefined,
  ) {
    this.#workspace = workspaceState;
    this.#everywhere = globalState;
    this.#lastChoice = globalState.get<string>(KEY);
    this.#standIn = standIn ?? '';
  }

  /** All valid connections; the unnamed one, if any, comes first. */
  get all(): readonly ConnectionEntry[] {
    const settings = readSettings();
    const named = readConnections(settings.connections).usable;
    const address = settings.chatApiUrl || this.#standIn;
    if (address === '') return named;
    const { authentication, sessionSettings, dataQueryUrl } = settings;
    const tokenCommand = commandIn(settings.tokenCommand);
    const first = { name: '', chatApiUrl: address, authentication, dataQueryUrl };
    return [{ ...first, ...(sessionSettings && { sessionSettings }), ...(tokenCommand && { tokenCommand }) }, ...named];
  }

  /** Invalid entries of the setting `connections`. */
  get unusable(): readonly UnusableEntry[] {
    return readConnections(readSettings().connections).unusable;
  }

  /** Whether there is more than one connection, so that messages need to name it. */
  get several(): boolean {
    return this.all.length > 1;
  }

  /**
   * The connection for new threads: the choice of this workspace, or else the last choice in any workspace when the
   * window was opened.
   */
  get current(): ConnectionEntry | undefined {
    return chosenConnection(this.all, this.#workspace.get<string>(KEY), this.#lastChoice);
  }

  /** @returns the connection at `home`, or undefined if it no longer exists; without `home`, the current connection */
  of(home: Home | undefined): ConnectionEntry | undefined {
    return home ? connectionAt(this.all, home) : this.current;
  }

  /** Display name of a thread's connection; empty if there is only one connection or the origin is unknown. */
  label(home: Home | undefined): string {
    if (home?.origin === '') return '';
    const entry = this.of(home);
    if (entry) return this.several ? shownName(entry) : '';
    return home ? home.connection || withoutScheme(home.origin) : '';
  }

  /** Describes a connection for messages: its origin, and its name if there are several connections. */
  described(entry: ConnectionEntry): string {
    const address = originOf(entry) || entry.chatApiUrl;
    return this.several && entry.name !== '' ? `${entry.name} (${address})` : address;
  }

  async switchTo({ name }: Pick<ConnectionEntry, 'name'>): Promise<void> {
    await this.#workspace.update(KEY, name);
    await this.#everywhere.update(KEY, name);
    this.#changed.fire();
  }

  /** Pins the connection to this workspace after its first request, so that choices elsewhere don't change it. */
  async settle({ name }: ConnectionEntry): Promise<void> {
    if (this.#workspace.get<string>(KEY) === undefined) await this.#workspace.update(KEY, name);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

type SavedFields = Pick<ConnectionEntry, 'name' | 'chatApiUrl' | 'authentication' | 'sessionSettings'>;

/** Adds a connection or updates the one with the same name; omitted fields stay unchanged. */
export async function saveConnection(fields: SavedFields): Promise<void> {
  const { name, ...own } = fields;
  if (name !== '') return writeSetting('connections', withConnection(readSettings().connections, fields));
  for (const [key, value] of Object.entries(own)) await writeSetting(key, value);
}

/** @param name name of the connection; empty for the one in `chatApiUrl` and related settings */
export async function removeConnection(name: string): Promise<void> {
  if (name !== '') return writeSetting('connections', withoutConnection(readSettings().connections, name));
  for (const key of ['chatApiUrl', 'authentication', 'sessionSettings', 'tokenCommand', 'dataQueryUrl'])
    await writeSetting(key, undefined);
}
