/**
 * The notice that the service may delete a user's threads after some time (part 8). It is shown once per connection,
 * in the first thread that asks a question, until the user dismisses it.
 */
import type * as vscode from 'vscode';
import { originOf, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { lifetimeOf } from '../../chat/connection/lifetime.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { App } from '../app.ts';
import { connectionOf } from './threadConnection.ts';

const KEY = 'lifetimeNotices';

/** Id of the thread that shows the notice, by connection; empty if dismissed. */
type Notices = Readonly<Record<string, string>>;

const noticesIn = ({ context }: App): Notices => context.globalState.get<Notices>(KEY, {});
const keyOf = (entry: ConnectionEntry): string => `${originOf(entry)} ${entry.name}`;
const remember = ({ context }: App, notices: Notices): Thenable<void> => context.globalState.update(KEY, notices);

/** @returns lifetime of threads in seconds; 0 if the service does not delete them */
function lifetimeOn(app: App, entry: ConnectionEntry): number {
  try {
    return lifetimeOf(entry.authentication, app.identities.settingsOf(app.identities.on(entry), entry)) ?? 0;
  } catch {
    // Invalid session settings: the next question reports the error.
    return entry.authentication === 'serviceToken' ? (lifetimeOf('serviceToken', {}) ?? 0) : 0;
  }
}

/** @returns seconds after which the service may delete the thread; 0 if the thread does not show the notice */
export function lifetimeToTell(app: App, session: ChatSession): number {
  const entry = connectionOf(app, session);
  return entry && noticesIn(app)[keyOf(entry)] === session.thread.id ? lifetimeOn(app, entry) : 0;
}

/** Assigns the notice of each connection to the first thread open in a view that asks a question. */
export function assignLifetimeNotices(app: App): vscode.Disposable {
  return app.sessions.onDidChange(({ session, events }) => {
    if (!events.some(({ type }) => type === 'sent') || app.views.of(session).length === 0) return;
    const entry = connectionOf(app, session);
    const notices = noticesIn(app);
    if (!entry || keyOf(entry) in notices || lifetimeOn(app, entry) === 0) return;
    void remember(app, { ...notices, [keyOf(entry)]: session.thread.id });
    app.views.viewContextChanged(session);
  });
}

export async function dismissLifetime(app: App, session: ChatSession): Promise<void> {
  const entry = connectionOf(app, session);
  if (entry) await remember(app, { ...noticesIn(app), [keyOf(entry)]: '' });
  app.views.viewContextChanged();
}
