/** Whom the user acts as: the session settings of 2.2, one set by default and others by name. */
import * as vscode from 'vscode';
import { checkSessionSettings } from '../api/sessionRules.ts';
import { ChatError } from '../api/errors.ts';
import { t } from '../shared/l10n.ts';
import type { SessionSettings } from '../shared/wire.ts';
import { readSettings } from './settings.ts';

const KEY = 'identity';

/** @returns a short name for a user of the service */
export function labelOf(settings: Record<string, unknown> | undefined): string {
  for (const field of ['externalId', 'internalId', 'email'])
    if (typeof settings?.[field] === 'string' && settings[field] !== '') return settings[field];
  return '';
}

export class Identities {
  readonly #memento: vscode.Memento;
  readonly #fallback: Record<string, unknown> | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param fallback session settings where none are set; for development only */
  constructor(memento: vscode.Memento, fallback: Record<string, unknown> | undefined) {
    this.#memento = memento;
    this.#fallback = fallback;
  }

  /** Names to choose from; the first is that of the default session settings. */
  names(): string[] {
    const { identities } = readSettings();
    return [this.#defaultName(), ...Object.keys(identities)];
  }

  get current(): string {
    const chosen = this.#memento.get<string>(KEY);
    return chosen !== undefined && chosen in readSettings().identities ? chosen : this.#defaultName();
  }

  async switchTo(name: string): Promise<void> {
    await this.#memento.update(KEY, name === this.#defaultName() ? undefined : name);
    this.#changed.fire();
  }

  /**
   * @param name of an identity; the one that a question was asked with may be gone by now
   * @throws ChatError `badRequest` when there are no such settings, or they break a rule of 2.2
   */
  settingsOf(name: string): SessionSettings {
    const { identities, sessionSettings } = readSettings();
    const settings = name in identities ? identities[name] : (sessionSettings ?? this.#fallback);
    if (settings === undefined)
      throw invalid(
        t('The service needs to know who asks. Set “sessionSettings”, or connect again and give an identity.'),
      );
    const [violation] = checkSessionSettings(settings);
    if (violation) throw invalid(t('The session settings of “{0}” cannot be sent: {1}', name, violation.message));
    return settings as SessionSettings;
  }

  #defaultName(): string {
    return labelOf(readSettings().sessionSettings ?? this.#fallback) || t('default');
  }
}

const invalid = (message: string): ChatError => new ChatError('badRequest', message, { code: 'INVALID_SETTINGS' });
