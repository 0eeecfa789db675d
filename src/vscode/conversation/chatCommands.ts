/** Commands that open chats, ask questions in them and stop answers. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { fieldsOf, listOf, shape, text, textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyDraft } from '../../shared/protocol/chat.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import { isPast } from '../../evals/check/pastQuestions.ts';
import type { TestQuestion } from '../../evals/question.ts';
import type { Command } from '../host/command.ts';
import { showInformationMessage, askForQuestion } from '../host/notify.ts';
import { attachFile, attachFrom } from './attachments.ts';
import { showQuickPick } from '../host/quickPick.ts';
import { currentEditor } from '../host/currentEditor.ts';
import { sessionOfChat, type BackgroundThreadsServices } from '../threads/asking.ts';
import type { ChatView } from '../host/chatView.ts';
import type { Services } from '../services.ts';

type WritableServices = Services<'sessions' | 'repository'>;

type OpenServices = Services<'sessions' | 'views'>;

export type NewChatServices = Services<'sessions' | 'repository' | 'views'>;

type AskServices = BackgroundThreadsServices & Services<'views'>;

export const open: Command<OpenServices> = async (services) => {
  await services.views.focus(services.sessions.active);
};

export const openInEditor: Command<OpenServices> = (services) => {
  services.views.openInEditor(services.sessions.active);
};

/** @returns the active thread, or a new one if the active thread is read-only */
function writable(services: WritableServices): ChatSession {
  const { active } = services.sessions;
  return services.repository.isReadOnly(active.thread.id) ? services.sessions.create() : active;
}

/**
 * Creates a thread, or reuses `left` if it is empty, writable and has no error.
 * @param carries whether to move the draft to the new thread; the draft of a thread without turns is always moved
 */
function nextAfter({ sessions, repository }: WritableServices, left: ChatSession, carries = false): ChatSession {
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
export const newChat: Command<NewChatServices> = async (services) => {
  const session = nextAfter(services, services.sessions.active);
  await services.views.focus(session);
  return session.thread.id;
};

/**
 * Shows a new thread in `view`.
 * @param carries whether to move the draft to the new thread
 */
export async function newChatIn(services: NewChatServices, view: ChatView, carries = false): Promise<void> {
  const session = nextAfter(services, view.session, carries);
  // A side of a comparison can't show another thread.
  if (!services.views.all.includes(view)) return void (await services.views.focus(session));
  services.views.showIn(view, session);
  view.post({ type: 'focus', what: 'composer' });
}

/**
 * @param argument the question, or `{text, chatId?}`; without a text the user enters one
 * @returns the `chatId` of the thread, or undefined if nothing was asked
 */
export const askQuestion: Command<AskServices> = async (services, argument) => {
  const chatId = textIn(argument, 'chatId');
  const question =
    (typeof argument === 'string' ? argument : textIn(argument, 'text')) ??
    (await askForQuestion(t('Analytics Chat: Ask'), t('Ask about your data')));
  if (question === undefined || question.trim() === '') return undefined;
  const session = chatId === undefined ? writable(services) : await sessionOfChat(services, chatId);
  await services.views.focus(session);
  await session.send({ text: question.trim(), images: [] });
  return session.thread.chatId;
};

/** Attaches the selected text of the current editor, or its whole text. */
export const askAboutSelection: Command<AskServices> = async (services) => {
  const editor = currentEditor();
  if (editor) attachFrom(await services.views.focus(writable(services)), editor);
  else void showInformationMessage(t('Open a file and select some text to ask about it.'));
};

/** Of a question that uses a member: `name` is that of its test, `path` is empty for a question of the history. */
const usingQuestion = shape({ text, name: text, path: text });

/**
 * Lists the questions that use a member of the data model. The one that the user picks, or one about the member, is added
 * to the composer.
 * @param argument `{name, questions: {text, name, path}[]}`
 */
export const askAboutMember: Command<AskServices> = async (services, argument) => {
  const name = textIn(argument, 'name');
  const { questions } = fieldsOf(argument);
  if (name === undefined || !listOf(usingQuestion)(questions)) return;
  const about = t('What is {0}, and how is it calculated?', name);
  const choice = await showQuickPick(
    [
      { icon: 'comment', label: t('Ask about {0}', name), question: about },
      { label: t('Questions that use it'), kind: vscode.QuickPickItemKind.Separator, question: '' },
      ...(questions as Pick<TestQuestion, 'text' | 'name' | 'path'>[]).map((each) => ({
        icon: isPast(each) ? 'history' : 'beaker',
        label: each.text,
        description: isPast(each) ? '' : each.name,
        question: each.text,
      })),
    ],
    { title: name, placeHolder: t('Select a question for the chat'), matchOnDescription: true },
  );
  if (!choice) return;
  const view = await services.views.focus(writable(services));
  view.post({ type: 'compose', draft: { text: choice.question, images: [] } });
};

/** Adds a whole file to the composer. @param argument URI of the file; defaults to that of the current editor */
export const askAboutFile: Command<AskServices> = async (services, argument) => {
  const uri = argument instanceof vscode.Uri ? argument : currentEditor()?.document.uri;
  if (!uri) {
    void showInformationMessage(t('Open a file to ask about it.'));
    return;
  }
  const view = await services.views.focus(writable(services));
  await attachFile(view, uri);
};

/** Stops the answer of the active thread, or the first running answer of any other thread. */
export const abort: Command<Services<'sessions' | 'replays'>> = async (services) => {
  const { active, all } = services.sessions;
  const session = [active, ...all].find(({ thread }) => isRunning(thread));
  if (!session) {
    void showInformationMessage(t('No answer is in progress.'));
    return undefined;
  }
  return services.replays.showRest(session) || session.abort();
};

/** Opens the find bar in the current view. */
export const find: Command<OpenServices> = async (services) => {
  const view = services.views.current ?? (await services.views.focus(services.sessions.active));
  view.reveal();
  view.post({ type: 'focus', what: 'find' });
};

/** Shows the README, which lists the keyboard shortcuts and slash commands. */
export const help: Command<Services<'context'>> = async (services) => {
  const readme = vscode.Uri.joinPath(services.context.extensionUri, 'README.md');
  await vscode.commands.executeCommand('markdown.showPreview', readme);
};
