/** The threads of the window and of the history: their commands, their lists in views, and their recordings. */
import * as vscode from 'vscode';
import { plural } from '../../shared/text/l10n.ts';
import type { CommandHandlers, IntentHandlers, SlashHandlers } from '../host/area.ts';
import { promptFrom } from '../host/chatView.ts';
import type { Services } from '../services.ts';
import { clearHistory, exportChat, importChat, openThread, showHistory } from './historyCommands.ts';
import { openRecording, openSample, recordChat, saveRecording } from './recording.ts';
import { ThreadLists, type ThreadListsServices } from './threadLists.ts';

export function registerThreads(services: ThreadListsServices & Services<'context' | 'recorder' | 'replays'>) {
  const { unread, views } = services;
  const lists = new ThreadLists(services);
  return Object.assign(
    vscode.Disposable.from(
      lists,
      views.onDidShow((session) => unread.seen(session)),
      unread.onDidChange(() =>
        views.setBadge(
          unread.count,
          plural(unread.count, '{0} chat with an unread answer|{0} chats with unread answers'),
        ),
      ),
    ),
    {
      commands: {
        'analyticsChat.openThread': (argument) => openThread(services, argument),
        'analyticsChat.history': () => showHistory(services),
        'analyticsChat.showHistory': () => showHistory(services),
        'analyticsChat.exportChat': () => exportChat(services),
        'analyticsChat.importChat': () => importChat(services),
        'analyticsChat.clearHistory': () => clearHistory(services),
        'analyticsChat.openSample': () => openSample(services),
        'analyticsChat.recordChat': () => recordChat(services),
        'analyticsChat.saveRecording': () => saveRecording(services),
        'analyticsChat.openRecording': (argument) => openRecording(services, argument),
      } satisfies CommandHandlers,
      intents: {
        listThreads: (view, { query, count }) => lists.list(view, query, count),
        closeThreads: (view) => lists.close(view),
        threadAct: (view, { act, threadId }) => {
          const run = (): Promise<void> => lists.act(view, act, threadId);
          return act === 'export' ? promptFrom(view, run) : run();
        },
        renameThread: (_view, { threadId, title }) => lists.rename(threadId, title),
        openSample: () => openSample(services),
      } satisfies Partial<IntentHandlers>,
      slash: { export: (view) => promptFrom(view, () => exportChat(services)) } satisfies Partial<SlashHandlers>,
    },
  );
}
