/** Tells users whose threads may vanish from the service, once for each of them (part 8). */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { lifetimeOf } from '../../chat/connection/lifetime.ts';
import type { App } from '../app.ts';
import { connectionOf } from './threadConnection.ts';

const TOLD = 'toldOfLifetime';

/** Whom a thread's next question is asked as, and where. */
function userOf(app: App, session: ChatSession): string {
  const entry = connectionOf(app, session);
  return `${entry?.name ?? ''}/${app.identities.on(entry)}`;
}

/** @returns seconds after which the thread may vanish; 0 when it stays, or when the user has been told */
export function lifetimeToTell(app: App, session: ChatSession): number {
  const entry = connectionOf(app, session);
  const told = app.context.globalState.get<readonly string[]>(TOLD, []);
  if (entry === undefined || told.includes(userOf(app, session))) return 0;
  try {
    return lifetimeOf(entry.authentication, app.identities.settingsOf(app.identities.on(entry), entry)) ?? 0;
  } catch {
    // Settings that cannot be sent: the next question says so.
    return entry.authentication === 'serviceToken' ? (lifetimeOf('serviceToken', {}) ?? 0) : 0;
  }
}

/** The user has read it. */
export async function dismissLifetime(app: App, session: ChatSession): Promise<void> {
  const told = app.context.globalState.get<readonly string[]>(TOLD, []);
  await app.context.globalState.update(TOLD, [...told, userOf(app, session)]);
  app.views.surroundingsChanged();
}
