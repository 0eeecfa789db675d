/**
 * Sets the context keys for `when` clauses: `analyticsChat.chat` (`empty`, `begun`, `recorded`), `.sql` (`some`,
 * `none`), `.connection` (`set`, `none`) and `.running`. They are unset until a thread is active; until then the
 * Command Palette offers every command that may apply.
 */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, isRunning } from '../../shared/thread/turns.ts';
import type { Connections } from '../connection/connections.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';

export interface ContextKeysServices {
  connections: Connections;
  sessions: Sessions;
  repository: ThreadRepository;
}

/** Delay in milliseconds that batches the lines of a streaming answer into one update. */
const PAUSE = 100;

type Keys = Record<'chat' | 'sql' | 'connection' | 'running', string | boolean>;

function keysOf({ sessions, repository, connections }: ContextKeysServices, { thread }: ChatSession): Keys {
  const begun = thread.turns.length > 0 ? 'begun' : 'empty';
  return {
    chat: repository.isReadOnly(thread.id) ? 'recorded' : begun,
    sql: generatedSql(thread).length > 0 ? 'some' : 'none',
    connection: connections.current ? 'set' : 'none',
    running: sessions.all.some((session) => isRunning(session.thread)),
  };
}

/** Updates the context keys whenever a thread, the active thread or the settings change. */
export function keepContextKeys(services: ContextKeysServices): vscode.Disposable {
  let told: Partial<Keys> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    timer = undefined;
    // Leave the keys unset until the last thread is restored.
    const { current } = services.sessions;
    if (!current) return;
    const keys = keysOf(services, current);
    for (const [name, value] of Object.entries(keys))
      if (told[name as keyof Keys] !== value)
        void vscode.commands.executeCommand('setContext', `analyticsChat.${name}`, value);
    told = keys;
  };
  const soon = (): void => void (timer ??= setTimeout(update, PAUSE));
  return vscode.Disposable.from(
    services.sessions.onDidChange(soon),
    services.sessions.onDidChangeActive(soon),
    vscode.workspace.onDidChangeConfiguration(soon),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}
