/** Handles intents: the user's actions in a thread view. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { assertNever, emptyDraft, type Draft, type Intent, type SlashCommand } from '../../shared/protocol/chat.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import { t } from '../../shared/text/l10n.ts';
import { saveChart } from '../commands/chart.ts';
import { attach, attachUris } from './attachments.ts';
import * as results from '../commands/exportResults.ts';
import * as sql from '../commands/sql.ts';
import { newChatIn, type NewChatServices } from '../commands/threads.ts';
import { openLink } from '../host/openLink.ts';
import { answerMarkdown } from '../threads/messageMarkdown.ts';
import { pickImages } from './images.ts';
import { promptFrom } from '../host/promptFrom.ts';
import type { ThreadView } from './threadView.ts';
import { connectionOf } from '../connection/threadConnection.ts';
import { setStatusBarMessage } from '../host/notify.ts';
import type { ConnectionSetup } from '../commands/connect.ts';
import type { Log } from '../host/log.ts';
import type { Connections } from '../connection/connections.ts';
import type { LifetimeNotices } from '../connection/lifetimeNotices.ts';
import type { Connector } from '../connection/connector.ts';
import type { Charts } from '../results/charts.ts';
import type { ThreadLists } from '../threads/threadLists.ts';
import type { Replays } from '../threads/replays.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ChatViews } from './chatViews.ts';

export interface HandleErrorActionServices extends NewChatServices {
  connectionSetup: ConnectionSetup;
  log: Log;
  connections: Connections;
}

export interface IntentsServices extends HandleErrorActionServices {
  lifetimeNotices: LifetimeNotices;
  connector: Connector;
  charts: Charts;
  threadLists: ThreadLists;
  replays: Replays;
}

const SLASH_COMMANDS: Readonly<Record<SlashCommand, string>> = {
  new: 'analyticsChat.newChat',
  branch: 'analyticsChat.switchBranch',
  identity: 'analyticsChat.switchIdentity',
  compare: 'analyticsChat.compareBranches',
  sql: 'analyticsChat.pickSql',
  export: 'analyticsChat.exportChat',
  help: 'analyticsChat.help',
};

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
      return services.threadLists.act(view, message.act, message.threadId);
    case 'renameThread':
      return services.threadLists.rename(message.threadId, message.title);
    case 'send':
      services.sessions.activate(session);
      services.sessions.keepDraft(session.thread.id, emptyDraft);
      return session.send({ text: message.text, images: message.images });
    case 'stop':
      return services.replays.showRest(session) || session.abort();
    case 'sendQueued':
      services.sessions.activate(session);
      return session.sendQueued(message.id);
    case 'unqueue':
      return session.dispatch([{ type: 'unqueued', id: message.id }]);
    case 'errorAction':
      return PROMPTING.has(message.action)
        ? promptFrom(view, () => handleErrorAction(services, view, message.action))
        : handleErrorAction(services, view, message.action);
    case 'draft':
      return keepDraft(services, view, message.threadId, message.draft);
    case 'focused':
      return services.sessions.activate(session);
    case 'newChat':
      return newChatIn(services, view);
    case 'connect':
      return vscode.commands.executeCommand('analyticsChat.connect');
    case 'switchConnection':
      services.sessions.activate(session);
      return vscode.commands.executeCommand('analyticsChat.switchConnection');
    case 'openSample':
      return vscode.commands.executeCommand('analyticsChat.openSample');
    case 'switchBranch':
      return promptFrom(view, () => vscode.commands.executeCommand('analyticsChat.switchBranch'));
    case 'switchIdentity':
      services.sessions.activate(session);
      return promptFrom(view, () => vscode.commands.executeCommand('analyticsChat.switchIdentity'));
    case 'insertSql':
      services.sessions.activate(session);
      return vscode.commands.executeCommand('analyticsChat.insertSql', queryIn(session, message));
    case 'copySql':
      return sql.copySql(services, queryIn(session, message));
    case 'openSql':
      return sql.openSql(services, queryIn(session, message));
    case 'copy':
      return vscode.env.clipboard.writeText(message.text);
    case 'copyAnswer':
      await vscode.env.clipboard.writeText(
        services.log.redactDocument(answerMarkdown(session.thread, message.messageId)),
      );
      return setStatusBarMessage(t('Answer copied'), 2000);
    case 'addAsTest':
      return promptFrom(view, () =>
        vscode.commands.executeCommand('analyticsChat.addAsTest', queryIn(session, message)),
      );
    case 'certify':
      return promptFrom(view, () => vscode.commands.executeCommand('analyticsChat.certify', queryIn(session, message)));
    case 'correct':
      return promptFrom(view, () => vscode.commands.executeCommand('analyticsChat.correct', queryIn(session, message)));
    case 'insertMember':
      return sql.insertMember(message.name);
    case 'openResults':
      return vscode.commands.executeCommand('analyticsChat.openResults', queryIn(session, message));
    case 'exportResults':
      return results.exportResults(services, session, message.toolCallId);
    case 'loadAll':
      return results.loadAll(services, session, message.toolCallId, (rows) => {
        // The view may have switched to a thread with the same tool call id.
        if (view.session === session) view.post({ type: 'rows', toolCallId: message.toolCallId, ...rows });
      });
    case 'saveChart':
      return saveChart(session, message.toolCallId, message.format, message.data);
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
      return vscode.commands.executeCommand(SLASH_COMMANDS[message.name]);
    case 'openLink':
      return openLink(message.href);
    case 'problem':
      return services.log.warn(t('The view reported: {0}', message.text));
    default:
      return assertNever(message);
  }
}

/** @returns the argument of the SQL commands */
const queryIn = ({ thread }: ChatSession, { toolCallId }: { toolCallId: string }) => ({
  threadId: thread.id,
  toolCallId,
});

/** Actions that open a prompt; focus returns to the view afterwards. */
const PROMPTING: ReadonlySet<ErrorAction> = new Set([
  'connect',
  'addConnection',
  'setApiKey',
  'switchBranch',
  'switchIdentity',
]);

/** Retries the last request. If an unsent question is back in the composer, the edited draft is sent instead. */
function retry(services: { sessions: Sessions }, session: ChatSession): Promise<unknown> {
  const draft = services.sessions.draft(session.thread.id);
  if (session.thread.error === undefined || draft.text.trim() === '') return session.retry();
  services.sessions.keepDraft(session.thread.id, emptyDraft);
  return session.send({ text: draft.text.trim(), images: draft.images });
}

/** Runs a command that returns undefined if the user cancels, and retries the last request unless they did. */
async function retryAfter(session: ChatSession, command: string): Promise<void> {
  if ((await vscode.commands.executeCommand(command)) !== undefined) await session.retry();
}

/** Runs the action of an error. */
async function handleErrorAction(
  services: HandleErrorActionServices,
  view: ThreadView,
  action: ErrorAction,
): Promise<unknown> {
  const { session } = view;
  switch (action) {
    case 'retry':
      return retry(services, session);
    case 'attach':
      return session.attach();
    case 'stopAndSend':
      return session.stopAndSend();
    case 'connect':
      return (await services.connectionSetup.connectTo(connectionOf(services, session))) ? session.retry() : undefined;
    case 'addConnection':
      return (await services.connectionSetup.add()) ? session.retry() : undefined;
    case 'setApiKey':
      return (await services.connectionSetup.setApiKey(connectionOf(services, session))) ? session.retry() : undefined;
    case 'switchBranch':
      return retryAfter(session, 'analyticsChat.switchBranch');
    case 'switchIdentity':
      services.sessions.activate(session);
      return retryAfter(session, 'analyticsChat.switchIdentity');
    case 'newChat':
      return newChatIn(services, view, true);
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', '@ext:analytics-chat.analytics-chat');
    case 'openProxySettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
    case 'showLog':
      return services.log.show();
    default:
      return assertNever(action);
  }
}

/** Stores a draft and posts it to the other views of the thread. */
function keepDraft(
  services: { sessions: Sessions; views: ChatViews },
  view: ThreadView,
  threadId: string,
  draft: Draft,
): void {
  const session = services.sessions.get(threadId);
  if (!session) return;
  services.sessions.keepDraft(threadId, draft);
  for (const other of services.views.of(session)) if (other !== view) other.post({ type: 'draft', draft });
}
