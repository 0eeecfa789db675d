/**
 * The notice that the service may delete a user's threads after some time (part 8). It is shown once per connection,
 * in the first thread that asks a question, until the user dismisses it.
 */
import type * as vscode from 'vscode';
import { originOf, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { lifetimeOf } from '../../chat/connection/identity.ts';
import type { Identities } from './identities.ts';

const KEY = 'lifetimeNotices';

/** Id of the thread that shows the notice, by connection; empty if dismissed. */
type Notices = Readonly<Record<string, string>>;

const keyOf = (entry: ConnectionEntry): string => `${originOf(entry)} ${entry.name}`;

export class LifetimeNotices {
  readonly #memento: vscode.Memento;
  readonly #identities: Identities;

  constructor(memento: vscode.Memento, identities: Identities) {
    this.#memento = memento;
    this.#identities = identities;
  }

  /**
   * @param entry the connection of the thread
   * @returns seconds after which the service may delete the thread; 0 if the thread does not show the notice
   */
  of(entry: ConnectionEntry | undefined, threadId: string): number {
    return entry && this.#notices[keyOf(entry)] === threadId ? this.#lifetimeOn(entry) : 0;
  }

  /** Shows the notice of a connection in a thread. @returns false if another thread shows it or it was dismissed */
  assign(entry: ConnectionEntry | undefined, threadId: string): boolean {
    if (!entry || keyOf(entry) in this.#notices || this.#lifetimeOn(entry) === 0) return false;
    void this.#save({ ...this.#notices, [keyOf(entry)]: threadId });
    return true;
  }

  async dismiss(entry: ConnectionEntry | undefined): Promise<void> {
    if (entry) await this.#save({ ...this.#notices, [keyOf(entry)]: '' });
  }

  get #notices(): Notices {
    return this.#memento.get<Notices>(KEY, {});
  }

  #save(notices: Notices): Thenable<void> {
    return this.#memento.update(KEY, notices);
  }

  /** @returns lifetime of threads in seconds; 0 if the service does not delete them */
  #lifetimeOn(entry: ConnectionEntry): number {
    try {
      return lifetimeOf(entry.authentication, this.#identities.settingsOf(this.#identities.on(entry), entry)) ?? 0;
    } catch {
      // Invalid session settings: the next question reports the error.
      return entry.authentication === 'serviceToken' ? (lifetimeOf('serviceToken', {}) ?? 0) : 0;
    }
  }
}
