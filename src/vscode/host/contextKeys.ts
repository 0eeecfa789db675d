/**
 * Context keys for `when` clauses, so that nothing useless is offered. They are unknown until the extension has
 * looked at a thread; until then commands that may be of use are offered:
 * `analyticsChat.chat` (`empty`, `begun`, `recorded`), `.sql` (`some`, `none`), `.connection` (`set`, `none`), `.running`.
 */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, isRunning } from '../../shared/thread/turns.ts';
import type { App } from '../app.ts';

/** Milliseconds in which many lines of an answer count as one change. */
const PAUSE = 100;

type Keys = Record<'chat' | 'sql' | 'connection' | 'running', string | boolean>;

function keysOf({ sessions, keeper, connections }: App, { thread }: ChatSession): Keys {
  const begun = thread.turns.length > 0 ? 'begun' : 'empty';
  return {
    chat: keeper.isReadOnly(thread.id) ? 'recorded' : begun,
    sql: generatedSql(thread).length > 0 ? 'some' : 'none',
    connection: connections.current ? 'set' : 'none',
    running: sessions.all.some((session) => isRunning(session.thread)),
  };
}

/** Keeps the keys true from the first thread on. */
export function keepContextKeys(app: App): vscode.Disposable {
  let told: Partial<Keys> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    timer = undefined;
    // Before the last thread has been opened again, nothing is known of it.
    const { current } = app.sessions;
    if (!current) return;
    const keys = keysOf(app, current);
    for (const [name, value] of Object.entries(keys))
      if (told[name as keyof Keys] !== value)
        void vscode.commands.executeCommand('setContext', `analyticsChat.${name}`, value);
    told = keys;
  };
  const soon = (): void => void (timer ??= setTimeout(update, PAUSE));
  return vscode.Disposable.from(
    app.sessions.onDidChange(soon),
    app.sessions.onDidChangeActive(soon),
    vscode.workspace.onDidChangeConfiguration(soon),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}
