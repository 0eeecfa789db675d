/** Handles the intents of thread views, which are the user's actions. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { assertNever, emptyDraft, type Draft, type Intent, type SlashCommand } from '../../shared/protocol/chat.ts';
import { allowedAddress } from '../../shared/text/plainText.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { t } from '../../shared/text/l10n.ts';
import { attach, attachUris, pickImages } from './attachments.ts';
import * as sql from '../insert/sql.ts';
import { newChatIn } from './chatCommands.ts';
import { handleErrorAction, promptFrom, type ErrorActionServices } from './errorActions.ts';
import type { ThreadView } from '../views/threadView.ts';
import { setStatusBarMessage } from '../host/notify.ts';
import type { LifetimeNotices } from '../connection/lifetimeNotices.ts';
import { saveChart } from '../results/charts.ts';
import type { ThreadLists } from '../threads/threadLists.ts';
import { shownTurns } from '../../shared/thread/turns.ts';
import type { Services } from '../services.ts';
import { loadAll } from '../results/allRows.ts';
import { askForExport } from '../results/exportResults.ts';
import { currentEditor } from '../insert/editors.ts';

interface IntentsServices extends ErrorActionServices, Services<'connector' | 'charts' | 'replays'> {
  lifetimeNotices: LifetimeNotices;
  threadLists: ThreadLists;
}

const SLASH_COMMANDS: Readonly<Record<SlashCommand, string>> = {
  new: 'newChat',
  branch: 'switchBranch',
  identity: 'switchIdentity',
  compare: 'compareBranches',
  sql: 'pickSql',
  export: 'exportChat',
  help: 'help',
};

/** @param command id without the prefix of the extension */
const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`analyticsChat.${command}`, ...args);

/**
 * Handles an intent for the thread of `view`. Errors are not caught; callers run this through `guarded`.
 */
export async function handleIntent(services: IntentsServices, view: ThreadView, message: Intent): Promise<unknown> {
  const { session } = view;
  switch (message.type) {
    case 'listThreads':
      return services.threadLists.list(view, message.query, message.count);
    case 'closeThreads':
      return services.threadLists.close(view);
    case 'dismissLifetime':
      return services.lifetimeNotices.dismiss(session);
    case 'threadAct':
      if (message.act !== 'export') return services.threadLists.act(view, message.act, message.threadId);
      return promptFrom(view, () => services.threadLists.act(view, message.act, message.threadId));
    case 'renameThread':
      return services.threadLists.rename(message.threadId, message.title);
    case 'send':
      services.sessions.activate(session);
      services.sessions.keepDraft(session.thread.id, emptyDraft);
      // The composer shows the branch and identity of the window, not those of a comparison with this thread.
      services.sessions.pin(session.thread.id, undefined);
      return session.send({ text: message.text, images: message.images });
    case 'stop':
      return services.replays.showRest(session) || session.abort();
    case 'sendQueued':
      services.sessions.activate(session);
      return session.sendQueued(message.id);
    case 'unqueue':
      return session.dispatch([{ type: 'unqueued', id: message.id }]);
    case 'errorAction':
      return handleErrorAction(services, view, message.action);
    case 'draft':
      return keepDraft(services, view, message.threadId, message.draft);
    case 'focused':
      return services.sessions.activate(session);
    case 'newChat':
      return newChatIn(services, view);
    case 'openSample':
      return run(message.type);
    case 'connect':
    case 'switchBranch':
      return promptFrom(view, () => run(message.type));
    case 'switchConnection':
    case 'switchIdentity':
      services.sessions.activate(session);
      return promptFrom(view, () => run(message.type));
    case 'insertSql': {
      services.sessions.activate(session);
      const insert = () => run(message.type, queryIn(session, message));
      // Without an editor, it asks where to insert the SQL.
      return currentEditor() ? insert() : promptFrom(view, insert);
    }
    case 'copySql':
      return sql.copySql(services, queryIn(session, message));
    case 'openSql':
      return sql.openSql(services, queryIn(session, message));
    case 'copy':
      return vscode.env.clipboard.writeText(message.text);
    case 'copyAnswer':
      return copyAnswer(services, session.thread, message.messageId);
    case 'addAsTest':
    case 'certify':
    case 'correct':
      return promptFrom(view, () => run(message.type, queryIn(session, message)));
    case 'insertMember':
      return sql.insertMember(message.name);
    case 'openResults':
      return run(message.type, queryIn(session, message));
    case 'exportResults':
      // The export may take long; the user may be elsewhere at its end.
      return (await promptFrom(view, () => askForExport(services, session, message.toolCallId)))?.();
    case 'loadAll':
      return loadAll(services, session, message.toolCallId, (rows) => {
        // The view may have switched to a thread with the same tool call id.
        if (view.session === session) view.post({ type: 'rows', toolCallId: message.toolCallId, ...rows });
      });
    case 'saveChart':
      return promptFrom(view, () => saveChart(session, message.toolCallId, message.format, message.data));
    case 'openChartSpec':
      return services.charts.open(session, message.toolCallId);
    case 'changeChart':
      return services.charts.change(session, message.toolCallId, message.spec);
    case 'pickImage':
      return promptFrom(view, () => pickImages(view));
    case 'attach':
      return promptFrom(view, () => attach(view, message.what));
    case 'attachUris':
      return attachUris(view, message.uris);
    case 'command':
      services.sessions.activate(session);
      return runSlashCommand(view, message.name);
    case 'openLink':
      return openLink(message.href);
    case 'problem':
      return services.log.warn(`A page reported an error: ${message.text}`);
    default:
      return assertNever(message);
  }
}

/** `/new` and `/help` show what takes the focus; the others open a prompt. */
const runSlashCommand = (view: ThreadView, name: SlashCommand): Thenable<unknown> => {
  const command = () => run(SLASH_COMMANDS[name]);
  return name === 'new' || name === 'help' ? command() : promptFrom(view, command);
};

/** @returns the argument of the SQL commands */
const queryIn = ({ thread }: ChatSession, { toolCallId }: { toolCallId: string }) => ({
  threadId: thread.id,
  toolCallId,
});

/** Stores a draft and posts it to the other views of the thread. */
function keepDraft(services: Services<'sessions' | 'views'>, view: ThreadView, threadId: string, draft: Draft): void {
  const session = services.sessions.get(threadId);
  if (!session) return;
  services.sessions.keepDraft(threadId, draft);
  for (const other of services.views.of(session)) if (other !== view) other.post({ type: 'draft', draft });
}

/**
 * Opens a web or mail link; VS Code asks before opening untrusted domains. It also accepts a string, which its type does
 * not say: of a `Uri` it would open a URL in which encoded characters such as `%26` and `%23` are changed.
 * @returns whether it was opened
 */
async function openLink(href: string): Promise<boolean> {
  const address = allowedAddress(href);
  return address !== undefined && vscode.env.openExternal(address as unknown as vscode.Uri);
}

/** Copies the text of an answer as Markdown. Does nothing if the thread, which may just have changed, has no such answer. */
async function copyAnswer({ log }: Services<'log'>, thread: Thread, id: string): Promise<void> {
  const answer = shownTurns(thread).find((turn) => turn.answer?.id === id)?.answer;
  if (!answer) return;
  await vscode.env.clipboard.writeText(log.redactDocument(answer.content));
  setStatusBarMessage(t('Answer copied'), 2000);
}
