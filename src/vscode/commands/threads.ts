/** Commands that open threads, ask questions and stop answers. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyDraft } from '../../shared/protocol/chat.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import type { App, Command } from '../app.ts';
import { attachFile, quoted } from '../views/attachments.ts';
import { currentEditor } from '../insert/editors.ts';
import { sessionOfChat } from '../native/backgroundThreads.ts';
import type { ThreadView } from '../views/threadView.ts';
import { showInformationMessage, showInputBox } from '../host/notify.ts';

export const open: Command = async (app) => {
  await app.views.focus(app.sessions.active);
};

export const openInEditor: Command = (app) => {
  app.views.openInEditor(app.sessions.active);
};

/** @returns the active thread, or a new one if the active thread is read-only */
function writable(app: App): ChatSession {
  const { active } = app.sessions;
  return app.repository.isReadOnly(active.thread.id) ? app.sessions.create() : active;
}

/**
 * Creates a thread, or reuses `left` if it is empty, writable and has no error.
 * @param carries whether to move the draft to the new thread; the draft of a thread without turns is always moved
 */
function nextAfter({ sessions, repository }: App, left: ChatSession, carries = false): ChatSession {
  const { id, turns, error } = left.thread;
  if (turns.length === 0 && error === undefined && !repository.isReadOnly(id)) return left;
  const session = sessions.create();
  if (carries || turns.length === 0) {
    sessions.keepDraft(session.thread.id, sessions.draft(id));
    sessions.keepDraft(id, emptyDraft);
  }
  return session;
}

/** @returns the id of the new thread */
export const newChat: Command = async (app) => {
  const session = nextAfter(app, app.sessions.active);
  await app.views.focus(session);
  return session.thread.id;
};

/**
 * Shows a new thread in `view`.
 * @param carries whether to move the draft to the new thread
 */
export async function newChatIn(app: App, view: ThreadView, carries = false): Promise<void> {
  const session = nextAfter(app, view.session, carries);
  // A side of a comparison can't show another thread.
  if (!app.views.all.includes(view)) return void (await app.views.focus(session));
  app.views.showIn(view, session);
  view.post({ type: 'focus', what: 'composer' });
}

/**
 * @param argument the question, or `{text, chatId?}`; without a text the user enters one
 * @returns the `chatId` of the thread, or undefined if nothing was asked
 */
export const ask: Command = async (app, argument) => {
  const chatId = textIn(argument, 'chatId');
  const question =
    (typeof argument === 'string' ? argument : textIn(argument, 'text')) ??
    (await showInputBox({
      title: t('Analytics Chat: Ask'),
      prompt: t('Ask about your data'),
      placeHolder: t('revenue by month in 2024'),
      ignoreFocusOut: true,
    }));
  if (question === undefined || question.trim() === '') return undefined;
  const session = chatId === undefined ? writable(app) : await sessionOfChat(app, chatId);
  await app.views.focus(session);
  await session.send({ text: question.trim(), images: [] });
  return session.thread.chatId;
};

/** Adds the selected text and the name of its file to the composer. */
export const askAboutSelection: Command = async (app) => {
  const editor = currentEditor();
  if (!editor) {
    void showInformationMessage(t('Open a file and select some text to ask about it.'));
    return;
  }
  const { document, selection } = editor;
  const selected = document.getText(selection.isEmpty ? undefined : selection);
  const name = vscode.workspace.asRelativePath(document.uri);
  const view = await app.views.focus(writable(app));
  view?.post({
    type: 'compose',
    draft: { text: quoted(t('About {0}:', name), document.languageId, selected), images: [] },
  });
};

/** Adds a whole file to the composer. @param argument URI of the file; defaults to that of the current editor */
export const askAboutFile: Command = async (app, argument) => {
  const uri = argument instanceof vscode.Uri ? argument : currentEditor()?.document.uri;
  if (!uri) {
    void showInformationMessage(t('Open a file to ask about it.'));
    return;
  }
  const view = await app.views.focus(writable(app));
  if (view) await attachFile(view, uri);
};

/** Stops the answer of the active thread, or the first running answer of any other thread. */
export const abort: Command = async (app) => {
  const running = ({ thread }: ChatSession): boolean => isRunning(thread);
  const session = running(app.sessions.active) ? app.sessions.active : app.sessions.all.find(running);
  if (!session) {
    void showInformationMessage(t('No answer is in progress.'));
    return undefined;
  }
  return app.replays.showRest(session) || session.abort();
};

/** Opens the find bar in the current view. */
export const find: Command = async (app) => {
  const view = app.views.current ?? (await app.views.focus(app.sessions.active));
  view?.reveal();
  view?.post({ type: 'focus', what: 'find' });
};

/** Shows the README, which lists the keyboard shortcuts and slash commands. */
export const help: Command = async (app) => {
  const readme = vscode.Uri.joinPath(app.context.extensionUri, 'README.md');
  await vscode.commands.executeCommand('markdown.showPreview', readme);
};
