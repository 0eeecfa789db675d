/** Handles intents: the user's actions in a thread view. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { assertNever, emptyDraft, type Draft, type Intent, type SlashCommand } from '../../shared/protocol/chat.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App } from '../app.ts';
import { saveChart } from '../commands/chart.ts';
import { attach, attachUris } from './attachments.ts';
import { addConnection, connect, connectTo, setApiKey } from '../commands/connect.ts';
import { switchConnection } from '../commands/switchConnection.ts';
import { switchBranch } from '../commands/branch.ts';
import { switchIdentity } from '../commands/identity.ts';
import * as results from '../commands/exportResults.ts';
import * as sql from '../commands/sql.ts';
import { newChatIn } from '../commands/threads.ts';
import { dismissLifetime } from '../connection/ephemeral.ts';
import { openResults } from '../results/resultsTab.ts';
import { openLink } from '../host/openLink.ts';
import { answerMarkdown } from '../threads/messageMarkdown.ts';
import { pickImages } from './images.ts';
import { promptFrom } from '../host/promptFrom.ts';
import type { ThreadView } from './threadView.ts';
import { connectionOf } from '../connection/threadConnection.ts';
import { setStatusBarMessage } from '../host/notify.ts';

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
 * Handles an intent for the thread of `view`. Errors are not caught; callers run this through `app.guarded`.
 */
export async function handleIntent(app: App, view: ThreadView, message: Intent): Promise<unknown> {
  const { session } = view;
  switch (message.type) {
    case 'listThreads':
      return app.threadLists.list(view, message.query, message.count);
    case 'closeThreads':
      return app.threadLists.close(view);
    case 'dismissLifetime':
      return dismissLifetime(app, session);
    case 'threadAct':
      return app.threadLists.act(view, message.act, message.threadId);
    case 'renameThread':
      return app.threadLists.rename(message.threadId, message.title);
    case 'send':
      app.sessions.activate(session);
      app.sessions.keepDraft(session.thread.id, emptyDraft);
      return session.send({ text: message.text, images: message.images });
    case 'stop':
      return app.replays.showRest(session) || session.abort();
    case 'sendQueued':
      app.sessions.activate(session);
      return session.sendQueued(message.id);
    case 'unqueue':
      return session.dispatch([{ type: 'unqueued', id: message.id }]);
    case 'errorAction':
      return PROMPTING.has(message.action)
        ? promptFrom(view, () => handleErrorAction(app, view, message.action))
        : handleErrorAction(app, view, message.action);
    case 'draft':
      return keepDraft(app, view, message.threadId, message.draft);
    case 'focused':
      return app.sessions.activate(session);
    case 'newChat':
      return newChatIn(app, view);
    case 'connect':
      return connect(app);
    case 'switchConnection':
      app.sessions.activate(session);
      return switchConnection(app);
    case 'openSample':
      return vscode.commands.executeCommand('analyticsChat.openSample');
    case 'switchBranch':
      return promptFrom(view, () => vscode.commands.executeCommand('analyticsChat.switchBranch'));
    case 'switchIdentity':
      app.sessions.activate(session);
      return promptFrom(view, () => switchIdentity(app));
    case 'insertSql':
      app.sessions.activate(session);
      return vscode.commands.executeCommand('analyticsChat.insertSql', queryIn(session, message));
    case 'copySql':
      return sql.copySql(app, queryIn(session, message));
    case 'openSql':
      return sql.openSql(app, queryIn(session, message));
    case 'copy':
      return vscode.env.clipboard.writeText(message.text);
    case 'copyAnswer':
      await vscode.env.clipboard.writeText(app.log.redactDocument(answerMarkdown(session.thread, message.messageId)));
      return setStatusBarMessage(t('Answer copied'), 2000);
    case 'addAsTest':
      return promptFrom(view, () =>
        vscode.commands.executeCommand('analyticsChat.addAsTest', queryIn(session, message)),
      );
    case 'insertMember':
      return sql.insertMember(message.name);
    case 'openResults':
      return openResults(app, session, message.toolCallId);
    case 'exportResults':
      return results.exportResults(app, session, message.toolCallId);
    case 'loadAll':
      return results.loadAll(app, session, message.toolCallId, (rows) => {
        // The view may have switched to a thread with the same tool call id.
        if (view.session === session) view.post({ type: 'rows', toolCallId: message.toolCallId, ...rows });
      });
    case 'saveChart':
      return saveChart(session, message.toolCallId, message.format, message.data);
    case 'openChartSpec':
      return app.charts.open(session, message.toolCallId);
    case 'changeChart':
      return app.charts.change(session, message.toolCallId, message.spec);
    case 'pickImage':
      return promptFrom(view, () => pickImages(view));
    case 'attach':
      return promptFrom(view, () => attach(view, message.what));
    case 'attachUris':
      return attachUris(view, message.uris);
    case 'command':
      app.sessions.activate(session);
      return vscode.commands.executeCommand(SLASH_COMMANDS[message.name]);
    case 'openLink':
      return openLink(message.href);
    case 'problem':
      return app.log.warn(t('The view reported: {0}', message.text));
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
function retry(app: App, session: ChatSession): Promise<unknown> {
  const draft = app.sessions.draft(session.thread.id);
  if (session.thread.error === undefined || draft.text.trim() === '') return session.retry();
  app.sessions.keepDraft(session.thread.id, emptyDraft);
  return session.send({ text: draft.text.trim(), images: draft.images });
}

/** Runs the action of an error. */
async function handleErrorAction(app: App, view: ThreadView, action: ErrorAction): Promise<unknown> {
  const { session } = view;
  switch (action) {
    case 'retry':
      return retry(app, session);
    case 'attach':
      return session.attach();
    case 'stopAndSend':
      return session.stopAndSend();
    case 'connect':
      return (await connectTo(app, connectionOf(app, session))) ? session.retry() : undefined;
    case 'addConnection':
      return (await addConnection(app)) ? session.retry() : undefined;
    case 'setApiKey':
      return (await setApiKey(app, connectionOf(app, session))) ? session.retry() : undefined;
    case 'switchBranch':
      return (await switchBranch(app)) === undefined ? undefined : session.retry();
    case 'switchIdentity':
      app.sessions.activate(session);
      return (await switchIdentity(app)) === undefined ? undefined : session.retry();
    case 'newChat':
      return newChatIn(app, view, true);
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', '@ext:analytics-chat.analytics-chat');
    case 'openProxySettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
    case 'showLog':
      return app.log.show();
    default:
      return assertNever(action);
  }
}

/** Stores a draft and posts it to the other views of the thread. */
function keepDraft(app: App, view: ThreadView, threadId: string, draft: Draft): void {
  const session = app.sessions.get(threadId);
  if (!session) return;
  app.sessions.keepDraft(threadId, draft);
  for (const other of app.views.of(session)) if (other !== view) other.post({ type: 'draft', draft });
}
