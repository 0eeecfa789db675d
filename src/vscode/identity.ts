/** Whom the user acts as: the session settings of 2.2, one set by default and others by name. */
import * as vscode from 'vscode';
import { checkSessionSettings } from '../api/sessionRules.ts';
import { ChatError } from '../api/errors.ts';
import { t } from '../shared/l10n.ts';
import type { SessionSettings } from '../shared/wire.ts';
import type { ConnectionEntry } from '../chat/connectionList.ts';
import type { Connections } from './connections.ts';
import { readSettings } from './settings.ts';

/** Who was chosen is remembered for each connection: a user of one service is nobody to another. */
const keyOf = (entry: ConnectionEntry | undefined): string => (entry?.name ? `identity:${entry.name}` : 'identity');

/** @returns a short name for a user of the service */
export function labelOf(settings: Record<string, unknown> | undefined): string {
  for (const field of ['externalId', 'internalId', 'email'])
    if (typeof settings?.[field] === 'string' && settings[field] !== '') return settings[field];
  return '';
}

export class Identities {
  readonly #memento: vscode.Memento;
  readonly #connections: Connections;
  readonly #fallback: Record<string, unknown> | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param fallback session settings where none are set; for development only */
  constructor(memento: vscode.Memento, connections: Connections, fallback: Record<string, unknown> | undefined) {
    this.#memento = memento;
    this.#connections = connections;
    this.#fallback = fallback;
  }

  /** Names to choose from; the first is that of the connection's own session settings. */
  names(entry = this.#connections.current): string[] {
    const { identities } = readSettings();
    return [this.#defaultName(entry), ...Object.keys(identities)];
  }

  /** Whom the next question of a new thread is asked as. */
  get current(): string {
    return this.on(this.#connections.current);
  }

  /** @returns whom the next question on a connection is asked as */
  on(entry: ConnectionEntry | undefined): string {
    const chosen = this.#memento.get<string>(keyOf(entry));
    return chosen !== undefined && Object.hasOwn(readSettings().identities, chosen) ? chosen : this.#defaultName(entry);
  }

  async switchTo(name: string, entry = this.#connections.current): Promise<void> {
    await this.#memento.update(keyOf(entry), name === this.#defaultName(entry) ? undefined : name);
    this.#changed.fire();
  }

  /**
   * @param name of an identity; the one that a question was asked with may be gone by now
   * @param entry the connection that it is for
   * @throws ChatError `badRequest` when there are no such settings, or they break a rule of 2.2
   */
  settingsOf(name: string, entry: ConnectionEntry): SessionSettings {
    const { identities } = readSettings();
    const settings = Object.hasOwn(identities, name) ? identities[name] : this.#ownSettings(entry);
    if (settings === undefined)
      throw invalid(
        t('The service needs to know who asks. Set “sessionSettings”, or connect again and give an identity.'),
      );
    const [violation] = checkSessionSettings(settings);
    if (violation) throw invalid(t('The session settings of “{0}” cannot be sent: {1}', name, violation.message));
    return settings as SessionSettings;
  }

  #ownSettings(entry: ConnectionEntry | undefined): Record<string, unknown> | undefined {
    return entry?.sessionSettings ?? (entry?.name ? undefined : this.#fallback);
  }

  #defaultName(entry: ConnectionEntry | undefined): string {
    return labelOf(this.#ownSettings(entry)) || t('default');
  }
}

const invalid = (message: string): ChatError => new ChatError('badRequest', message, { code: 'INVALID_SETTINGS' });
