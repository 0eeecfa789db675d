/**
 * The connections of the settings, and which of them new threads are asked on: chosen for each workspace, in the
 * editor's own storage and never in the workspace's settings, so that no repository can choose.
 */
import * as vscode from 'vscode';
import {
  chosenConnection,
  connectionAt,
  hostOf,
  shownName,
  originOf,
  readConnections,
  type ConnectionEntry,
  type UnusableEntry,
} from '../../chat/connection/connectionList.ts';
import type { Home } from '../../shared/thread/model.ts';
import { readSettings } from '../host/settings.ts';

const KEY = 'connection';

export class Connections implements vscode.Disposable {
  readonly #workspace: vscode.Memento;
  readonly #everywhere: vscode.Memento;
  readonly #standIn: string;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param standIn the Chat API URL where none is set; for development only */
  constructor(
    { workspaceState, globalState }: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState'>,
    standIn: string | undefined,
  ) {
    this.#workspace = workspaceState;
    this.#everywhere = globalState;
    this.#standIn = standIn ?? '';
  }

  /** All that can be used; the one without a name comes first. */
  get all(): readonly ConnectionEntry[] {
    const settings = readSettings();
    const named = readConnections(settings.connections).usable;
    const address = settings.chatApiUrl || this.#standIn;
    if (address === '') return named;
    const { authentication, sessionSettings, dataQueryUrl } = settings;
    const first = { name: '', chatApiUrl: address, authentication, dataQueryUrl };
    return [{ ...first, ...(sessionSettings ? { sessionSettings } : {}) }, ...named];
  }

  /** Entries of the settings with something wrong. */
  get unusable(): readonly UnusableEntry[] {
    return readConnections(readSettings().connections).unusable;
  }

  /** Whether there is a choice, so that it matters which one is meant. */
  get several(): boolean {
    return this.all.length > 1;
  }

  /** The one that new threads are asked on: chosen in this workspace, or else the last that was chosen anywhere. */
  get current(): ConnectionEntry | undefined {
    return chosenConnection(this.all, this.#workspace.get<string>(KEY), this.#everywhere.get<string>(KEY));
  }

  /** @returns the connection of a thread; the current one without a home, undefined when there is none any more */
  of(home: Home | undefined): ConnectionEntry | undefined {
    return home ? connectionAt(this.all, home) : this.current;
  }

  /** What to show for a thread's connection; empty where no other could be meant, or nothing is known of it. */
  label(home: Home | undefined): string {
    if (home?.origin === '') return '';
    const entry = this.of(home);
    if (entry) return this.several ? shownName(entry) : '';
    return home ? home.connection || hostOf(home.origin) : '';
  }

  /** A connection in a sentence: by its address, and by its name where there is a choice. */
  described(entry: ConnectionEntry): string {
    const address = originOf(entry) || entry.chatApiUrl;
    return this.several && entry.name !== '' ? `${entry.name} (${address})` : address;
  }

  async switchTo({ name }: Pick<ConnectionEntry, 'name'>): Promise<void> {
    await this.#workspace.update(KEY, name);
    await this.#everywhere.update(KEY, name);
    this.#changed.fire();
  }

  /** A workspace that has been asked in stays with its connection, whatever is chosen in another one. */
  async settle({ name }: ConnectionEntry): Promise<void> {
    if (this.#workspace.get<string>(KEY) === undefined) await this.#workspace.update(KEY, name);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
