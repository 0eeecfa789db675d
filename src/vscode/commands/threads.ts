/** Opening threads, asking in them, stopping them. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyDraft } from '../../shared/protocol/chat.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import type { App, Command } from '../app.ts';
import { attachFile, quoted } from '../views/attachments.ts';
import { currentEditor } from '../insert/editors.ts';
import { sessionOfChat } from '../native/threads.ts';
import type { ThreadView } from '../views/threadView.ts';
import { showInformationMessage, showInputBox } from '../host/notify.ts';

export const open: Command = async (app) => {
  await app.views.focus(app.sessions.active);
};

export const openInEditor: Command = (app) => {
  app.views.openInEditor(app.sessions.active);
};

/** The thread that is looked at, or a new one where that can only be read. */
function writable(app: App): ChatSession {
  const { active } = app.sessions;
  return app.keeper.isReadOnly(active.thread.id) ? app.sessions.create() : active;
}

/**
 * A thread to begin in: the one that is left where it is as good as new.
 * @param carries whether what is in the composer goes over; it does where it would be left in a thread without words
 */
function nextAfter({ sessions, keeper }: App, left: ChatSession, carries = false): ChatSession {
  const { id, turns, error } = left.thread;
  if (turns.length === 0 && error === undefined && !keeper.isReadOnly(id)) return left;
  const session = sessions.create();
  if (carries || turns.length === 0) {
    sessions.keepDraft(session.thread.id, sessions.draft(id));
    sessions.keepDraft(id, emptyDraft);
  }
  return session;
}

/** @returns the new thread's id */
export const newChat: Command = async (app) => {
  const session = nextAfter(app, app.sessions.active);
  await app.views.focus(session);
  return session.thread.id;
};

/**
 * A new thread in the view that asks for it.
 * @param carries whether what is in the composer goes over
 */
export async function newChatIn(app: App, view: ThreadView, carries = false): Promise<void> {
  const session = nextAfter(app, view.session, carries);
  // A part of another page shows its own thread only.
  if (!app.views.all.includes(view)) return void (await app.views.focus(session));
  app.views.showIn(view, session);
  view.post({ type: 'focus', what: 'composer' });
}

/** @param argument `{text, chatId?}`; without a text the user is asked for one */
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

/** Puts the selected text, and where it is from, into the composer. */
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

/** Puts a whole file into the composer. @param argument its address; the active editor's file when absent */
export const askAboutFile: Command = async (app, argument) => {
  const uri = argument instanceof vscode.Uri ? argument : currentEditor()?.document.uri;
  if (!uri) {
    void showInformationMessage(t('Open a file to ask about it.'));
    return;
  }
  const view = await app.views.focus(writable(app));
  if (view) await attachFile(view, uri);
};

/** Stops the thread that is looked at, or else whichever is running. */
export const abort: Command = async (app) => {
  const running = ({ thread }: ChatSession): boolean => isRunning(thread);
  const session = running(app.sessions.active) ? app.sessions.active : app.sessions.all.find(running);
  if (!session) {
    void showInformationMessage(t('No answer is being written.'));
    return undefined;
  }
  return app.replays.showRest(session) || session.abort();
};

/** Finds in the thread that is looked at; inside its page the usual key does the same. */
export const find: Command = async (app) => {
  const view = app.views.current ?? (await app.views.focus(app.sessions.active));
  view?.reveal();
  view?.post({ type: 'focus', what: 'find' });
};

/** The map of the keyboard and of what can be typed. */
export const help: Command = async (app) => {
  const readme = vscode.Uri.joinPath(app.context.extensionUri, 'README.md');
  await vscode.commands.executeCommand('markdown.showPreview', readme);
};
