/** The conversation in a view: its commands and intents, and what views show besides their thread. */
import * as vscode from 'vscode';
import { restOf, type Draft } from '../../shared/protocol/chat.ts';
import { allowedAddress } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { findSql, shownTurns } from '../../shared/thread/turns.ts';
import type { CommandHandlers, IntentHandlers, SlashHandlers } from '../host/area.ts';
import { promptFrom, type ChatView } from '../host/chatView.ts';
import { setStatusBarMessage } from '../host/notify.ts';
import { rangeOf } from '../host/ranges.ts';
import type { Services } from '../services.ts';
import { attachContent, attachUris, listFiles } from './attachments.ts';
import * as chat from './chatCommands.ts';
import { handleErrorAction, type ErrorActionServices } from './errorActions.ts';
import { copyAsCurl, copyDiagnostics } from './support.ts';
import { refreshViewContexts } from './viewContext.ts';

type ConversationServices = ErrorActionServices &
  Services<'charts' | 'connector' | 'context' | 'history' | 'questionFiles' | 'replays'>;

/** @param others the slash commands of other areas */
export function registerConversation(services: ConversationServices, others: Omit<SlashHandlers, 'new' | 'help'>) {
  const { log, replays, sessions } = services;
  const slash: SlashHandlers = { ...others, new: () => chat.newChat(services), help: () => chat.help(services) };
  return Object.assign(refreshViewContexts(services), {
    commands: {
      'analyticsChat.open': () => chat.open(services),
      'analyticsChat.openInEditor': () => chat.openInEditor(services),
      'analyticsChat.newChat': () => chat.newChat(services),
      'analyticsChat.ask': (argument) => chat.askQuestion(services, argument),
      'analyticsChat.askAboutSelection': () => chat.askAboutSelection(services, undefined),
      'analyticsChat.askAboutMember': (argument) => chat.askAboutMember(services, argument),
      'analyticsChat.askAboutFile': (argument) => chat.askAboutFile(services, argument),
      'analyticsChat.abort': () => chat.abort(services),
      'analyticsChat.find': () => chat.find(services),
      'analyticsChat.help': () => chat.help(services),
      'analyticsChat.copyDiagnostics': () => copyDiagnostics(services),
      'analyticsChat.copyAsCurl': () => copyAsCurl(services),
      'analyticsChat.showLog': () => log.show(),
    } satisfies CommandHandlers,
    intents: {
      send: ({ session }, { text, images }) => {
        sessions.activate(session);
        sessions.keepDraft(session.thread.id, restOf(sessions.draft(session.thread.id)));
        // The composer shows the branch and identity of the window, not those of a comparison with this thread.
        sessions.pin(session.thread.id, undefined);
        return session.send({ text, images });
      },
      stop: ({ session }) => replays.showRest(session) || session.abort(),
      retryNow: ({ session }) => session.retryNow(),
      sendQueued: ({ session }, { id }) => {
        sessions.activate(session);
        return session.sendQueued(id);
      },
      unqueue: ({ session }, { id }) => session.dispatch([{ type: 'unqueued', id }]),
      errorAction: (view, { action }) => handleErrorAction(services, view, action),
      draft: (view, { threadId, draft }) => keepDraft(services, view, threadId, draft),
      focused: ({ session }) => sessions.activate(session),
      newChat: (view) => chat.newChatIn(services, view),
      copy: (_view, { text }) => vscode.env.clipboard.writeText(text),
      copyAnswer: ({ session }, { messageId }) => copyAnswer(services, session.thread, messageId),
      attach: (view) => promptFrom(view, () => attachContent(view)),
      listFiles: (view) => listFiles(view),
      attachUris: (view, { uris }) => attachUris(view, uris),
      command: (view, { name }) => {
        sessions.activate(view.session);
        return slash[name](view);
      },
      openCertified: ({ session }, { toolCallId }) => openCertified(services, session.thread, toolCallId),
      openLink: (_view, { href }) => openLink(href),
      problem: (_view, { text }) => log.warn(`A page reported an error: ${text}`),
    } satisfies Partial<IntentHandlers>,
  });
}

/** Stores a draft and posts it to the other views of the thread. */
function keepDraft(services: Services<'sessions' | 'views'>, view: ChatView, threadId: string, draft: Draft): void {
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

/** Opens the file of the certified query that a result has, if it still has it. */
async function openCertified(
  { questionFiles }: Services<'questionFiles'>,
  thread: Thread,
  toolCallId: string,
): Promise<void> {
  const found = questionFiles.certifiedAs(findSql(thread, toolCallId)?.payload.sqlQuery ?? '');
  if (!found) return;
  const { query, folder } = found;
  const selection = new vscode.Range(rangeOf(query.range).start, rangeOf(query.range).start);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, query.path), { selection });
}

/** Copies the text of an answer as Markdown. Does nothing if the thread, which may just have changed, has no such answer. */
async function copyAnswer({ log }: Services<'log'>, thread: Thread, id: string): Promise<void> {
  const answer = shownTurns(thread).find((turn) => turn.answer?.id === id)?.answer;
  if (!answer) return;
  await vscode.env.clipboard.writeText(log.redactDocument(answer.content));
  setStatusBarMessage(t('Answer copied'), 2000);
}
