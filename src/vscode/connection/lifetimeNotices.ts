/**
 * The notice that the service may delete a user's threads after some time (part 8). It is shown once per connection,
 * in the first thread that asks a question, until the user dismisses it.
 */
import type * as vscode from 'vscode';
import { originOf, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { lifetimeOf } from '../../chat/connection/identity.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { connectionOf } from '../threads/sessions.ts';
import type { Services } from '../services.ts';

const KEY = 'lifetimeNotices';

/** Id of the thread that shows the notice, by connection; empty if dismissed. */
type Notices = Readonly<Record<string, string>>;

type LifetimeServices = Services<'connections' | 'context' | 'identities' | 'sessions' | 'views'>;

const keyOf = (entry: ConnectionEntry): string => `${originOf(entry)} ${entry.name}`;

export class LifetimeNotices implements vscode.Disposable {
  readonly #services: LifetimeServices;
  readonly #subscription: vscode.Disposable;

  /** Assigns the notice of each connection to the first thread open in a view that asks a question. */
  constructor(services: LifetimeServices) {
    this.#services = services;
    const { sessions, views } = services;
    this.#subscription = sessions.onDidChange(({ session, events }) => {
      if (!events.some(({ type }) => type === 'sent') || views.of(session).length === 0) return;
      const entry = connectionOf(services, session);
      const notices = this.#notices;
      if (!entry || keyOf(entry) in notices || this.#lifetimeOn(entry) === 0) return;
      void this.#save({ ...notices, [keyOf(entry)]: session.thread.id });
      views.viewContextChanged(session);
    });
  }

  /** @returns seconds after which the service may delete the thread; 0 if the thread does not show the notice */
  of(session: ChatSession): number {
    const entry = connectionOf(this.#services, session);
    return entry && this.#notices[keyOf(entry)] === session.thread.id ? this.#lifetimeOn(entry) : 0;
  }

  async dismiss(session: ChatSession): Promise<void> {
    const entry = connectionOf(this.#services, session);
    if (entry) await this.#save({ ...this.#notices, [keyOf(entry)]: '' });
    this.#services.views.viewContextChanged();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  get #notices(): Notices {
    return this.#services.context.globalState.get<Notices>(KEY, {});
  }

  #save(notices: Notices): Thenable<void> {
    return this.#services.context.globalState.update(KEY, notices);
  }

  /** @returns lifetime of threads in seconds; 0 if the service does not delete them */
  #lifetimeOn(entry: ConnectionEntry): number {
    const { identities } = this.#services;
    try {
      return lifetimeOf(entry.authentication, identities.settingsOf(identities.on(entry), entry)) ?? 0;
    } catch {
      // Invalid session settings: the next question reports the error.
      return entry.authentication === 'serviceToken' ? (lifetimeOf('serviceToken', {}) ?? 0) : 0;
    }
  }
}
