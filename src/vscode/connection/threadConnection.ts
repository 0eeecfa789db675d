/** The connection that a thread is asked on. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import type { App } from '../app.ts';

/** @returns its own once something was asked in it, until then the current one; undefined when there is none */
export const connectionOf = (app: App, session: ChatSession): ConnectionEntry | undefined =>
  app.connections.of(app.sessions.homeOf(session));
