/**
 * Identities: the default session settings of a connection (2.2), and the named ones in the setting `identities`. A
 * connection with a service token has only one, because the service ignores session settings (part 5).
 */
import * as vscode from 'vscode';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { ownName, sessionSettingsOf } from '../../chat/connection/identity.ts';
import { isFields, textIn } from '../../shared/text/checks.ts';
import type { SessionSettings } from '../../shared/wire/streamLines.ts';
import type { Connections } from './connections.ts';
import { readSettings } from '../host/settings.ts';

/** The choice is stored per connection, because each service has its own users. */
const keyOf = (entry: ConnectionEntry | undefined): string => (entry?.name ? `identity:${entry.name}` : 'identity');

const isToken = (entry: ConnectionEntry | undefined): boolean => entry?.authentication === 'serviceToken';

const namedOn = (entry: ConnectionEntry | undefined): string[] =>
  isToken(entry) ? [] : Object.keys(readSettings().identities);

export class Identities implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #connections: Connections;
  readonly #fallback: Record<string, unknown> | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param fallback session settings to use if none are set; for development only */
  constructor(memento: vscode.Memento, connections: Connections, fallback: Record<string, unknown> | undefined) {
    this.#memento = memento;
    this.#connections = connections;
    this.#fallback = fallback;
  }

  /**
   * Names of all identities, each once. The first is the connection's own identity, even if it has no session settings.
   */
  names(entry = this.#connections.current): string[] {
    return [...new Set([this.#defaultName(entry), ...namedOn(entry)])];
  }

  /** Names of all identities that have session settings, the connection's own one first. */
  usable(entry = this.#connections.current): string[] {
    const own = this.#ownSettings(entry) === undefined ? [] : [this.#defaultName(entry)];
    return [...new Set([...own, ...namedOn(entry)])];
  }

  /** Name of the identity for new threads. */
  get current(): string {
    return this.on(this.#connections.current);
  }

  /** @returns the name of the current identity on a connection */
  on(entry: ConnectionEntry | undefined): string {
    const chosen = this.#memento.get<string>(keyOf(entry));
    return chosen !== undefined && namedOn(entry).includes(chosen) ? chosen : this.#defaultName(entry);
  }

  async switchTo(name: string, entry = this.#connections.current): Promise<void> {
    await this.#memento.update(keyOf(entry), name === this.#defaultName(entry) ? undefined : name);
    this.#changed.fire();
  }

  /** @throws ChatError if there is no such identity, or its session settings are invalid */
  settingsOf(name: string, entry: ConnectionEntry): SessionSettings {
    return sessionSettingsOf(name, { own: this.#ownSettings(entry), named: readSettings().identities });
  }

  /** Session settings of all identities that have some, by name, as they are in the settings. */
  all(entry = this.#connections.current): Map<string, Record<string, unknown>> {
    const own = this.#ownSettings(entry);
    const named = isToken(entry) ? [] : Object.entries(readSettings().identities);
    return new Map([
      ...(own ? [[this.#defaultName(entry), own] as const] : []),
      ...named.filter((each): each is [string, Record<string, unknown>] => isFields(each[1])),
    ]);
  }

  /** Time zones of the identities that have one, by name. */
  timeZones(entry = this.#connections.current): Record<string, string> {
    const zones = [...this.all(entry)].map(([name, settings]) => [name, textIn(settings, 'timezone')] as const);
    return Object.fromEntries(zones.filter((each): each is [string, string] => each[1] !== undefined));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #ownSettings(entry: ConnectionEntry | undefined): Record<string, unknown> | undefined {
    if (isToken(entry)) return undefined;
    return entry?.sessionSettings ?? (entry?.name ? undefined : this.#fallback);
  }

  #defaultName(entry: ConnectionEntry | undefined): string {
    return ownName({ own: this.#ownSettings(entry) });
  }
}
