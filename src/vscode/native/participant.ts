/** The chat participant `@analytics`: each VS Code chat continues one thread. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { messageOf, textIn } from '../../shared/text/checks.ts';
import { followUps } from '../../shared/text/followUps.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainMarkdown, plainText, fenced } from '../../shared/text/plainText.ts';
import { turnText } from '../../shared/text/toolText.ts';
import { shownTurns, type ShownTurn } from '../../shared/thread/turns.ts';
import { switchBranch, switchIdentityOn, type SwitchIdentityServices } from '../connection/switchContext.ts';
import { plainMarkdownString, withSignal } from '../host/notify.ts';
import { ALL_SETTINGS } from '../host/settings.ts';
import { askedText, askIn, type AskingServices, type AskResult, newSession, sessionOf } from '../threads/asking.ts';
import { queriesIn, TurnStream, type StreamedQuery } from './turnStream.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import type { Services } from '../services.ts';

type ChangeServices = SwitchIdentityServices & Services<'branches' | 'repository' | 'sessions'>;

export type ParticipantServices = ChangeServices & AskingServices;

/** Reads the thread id from the metadata of a chat result; the next request continues that thread. */
const threadIdIn = (metadata: unknown): string | undefined => textIn(metadata, 'threadId');

function lastThreadId({ history }: vscode.ChatContext): string | undefined {
  const last = history.findLast((turn) => turn instanceof vscode.ChatResponseTurn);
  return threadIdIn(last?.result.metadata);
}

const stateIn = (threadId: string | undefined): vscode.ChatResult => ({
  metadata: threadId === undefined ? {} : { threadId },
});

function showQuery(
  { log }: Services<'log'>,
  stream: vscode.ChatResponseStream,
  { thread }: ChatSession,
  streamed: StreamedQuery,
): void {
  const { toolCallId, title, sql, hasRows } = streamed;
  const query = { threadId: thread.id, toolCallId };
  const button = (command: string, name: string): void =>
    void stream.button({ command, title: name, tooltip: title, arguments: [query] });
  stream.markdown(`\n\n${fenced(log.redactDocument(sql), 'sql')}\n\n`);
  button('analyticsChat.insertSql', t('Insert SQL'));
  if (hasRows) button('analyticsChat.openResults', t('Open results'));
}

async function answer(
  services: AskingServices & Services<'branches'>,
  session: ChatSession,
  text: string,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const turnStream = new TurnStream();
  const update = (turn: ShownTurn): void => {
    // Don't write to the stream of a canceled request.
    if (token.isCancellationRequested) return;
    // VS Code renders progress messages as Markdown.
    for (const part of turnStream.next(turn))
      if (part.kind === 'progress') stream.progress(plainMarkdown(services.log.redactDocument(part.text)));
      else stream.markdown(part.text);
  };
  const asked = await withSignal(token, (signal) => askIn(services, session, text, signal, update));
  // Below the answer, because VS Code collapses the content above it when the answer arrives.
  for (const query of asked.turn ? queriesIn(asked.turn) : []) showQuery(services, stream, session, query);
  const ending = asked.turn && !token.isCancellationRequested ? endingText(asked.turn) : undefined;
  if (ending !== undefined) stream.markdown(`\n\n${plainMarkdown(ending)}`);
  const words = asked.turn && !token.isCancellationRequested ? askedText(services, asked.turn) : undefined;
  if (words !== undefined) stream.markdown(`\n\n*${plainMarkdown(words)}*`);
  // If the question was not sent, the thread is unchanged; an empty thread is discarded.
  const threadId = session.thread.turns.length > 0 ? session.thread.id : undefined;
  if (asked.error) {
    stream.markdown('\n\n');
    stream.markdown(plainMarkdownString(asked.error.message));
    const command = recoveryCommand(asked, text);
    if (command) stream.button(command);
  }
  return stateIn(threadId);
}

/** @returns why an answer is empty or incomplete; undefined if it is neither, or has an error with its own message */
function endingText(turn: ShownTurn): string | undefined {
  const { answer, outcome } = turn;
  if (outcome?.state === 'stopped' && outcome.service === 'byService') return t('The service stopped this answer.');
  if (outcome?.state !== 'done' || answer?.content || queriesIn(turn).length > 0) return undefined;
  return turnText(turn) || t('The agent returned no answer.');
}

/** Runs `/branch` or `/identity`. @param threadId the thread of the chat @returns the message to show */
async function change(
  services: ChangeServices,
  command: 'branch' | 'identity',
  name: string,
  threadId: string | undefined,
): Promise<string> {
  const session = threadId === undefined ? undefined : await sessionOf(services, threadId);
  const entry = services.connections.of(session && services.sessions.homeOf(session));
  const argument = name === '' ? undefined : name;
  try {
    const done =
      command === 'branch' ? await switchBranch(services, argument) : await switchIdentityOn(services, entry, argument);
    if (done === undefined) return t('Nothing was changed.');
  } catch (failure) {
    return messageOf(failure);
  }
  return t(
    'The next question will run on branch “{0}” as “{1}”.',
    services.branches.label,
    services.identities.on(entry),
  );
}

/** Creates the request handler of the participant. */
export const participantHandler =
  (services: ParticipantServices): vscode.ChatRequestHandler =>
  async (request, context, stream, token) => {
    const text = request.prompt.trim();
    const threadId = lastThreadId(context);
    if (request.command === 'branch' || request.command === 'identity') {
      stream.markdown(plainMarkdownString(await change(services, request.command, text, threadId)));
      return stateIn(threadId);
    }
    const continuedId = request.command === 'new' ? undefined : threadId;
    if (text === '') {
      stream.markdown(t('Ask about your data, for example: {0}', t('revenue by month in 2024')));
      return stateIn(continuedId);
    }
    const session = continuedId === undefined ? undefined : await sessionOf(services, continuedId);
    return answer(services, session ?? newSession(services), text, stream, token);
  };

/** @returns suggested follow-up questions for the last answer of the thread */
export function participantFollowUps(
  services: Services<'sessions'>,
  { metadata }: vscode.ChatResult,
): vscode.ChatFollowup[] {
  const session = services.sessions.get(threadIdIn(metadata) ?? '');
  const turn = session && shownTurns(session.thread).at(-1);
  return turn?.answer ? followUps(turn).map((prompt) => ({ prompt, label: plainText(prompt) })) : [];
}

const COMMANDS: Partial<Record<ErrorAction, (threadId: string) => vscode.Command>> = {
  setApiKey: (threadId) => ({
    command: 'analyticsChat.setApiKey',
    title: t('Set API key'),
    arguments: [{ threadId }],
  }),
  connect: () => ({ command: 'analyticsChat.connect', title: t('Connect') }),
  switchBranch: () => ({ command: 'analyticsChat.switchBranch', title: t('Switch branch') }),
  switchIdentity: () => ({ command: 'analyticsChat.switchIdentity', title: t('Switch identity') }),
  openSettings: () => ({
    command: 'workbench.action.openSettings',
    title: t('Open settings'),
    arguments: [ALL_SETTINGS],
  }),
  openProxySettings: () => ({
    command: 'workbench.action.openSettings',
    title: t('Open proxy settings'),
    arguments: ['http.proxy'],
  }),
  showLog: () => ({ command: 'analyticsChat.showLog', title: t('Show log') }),
};

/** @returns a command for the first action of the error; other actions become *Retry*, in VS Code's chat, or *Open the chat* */
function recoveryCommand({ session, turn, error }: AskResult, text: string): vscode.Command | undefined {
  const [action] = error?.actions ?? [];
  if (action === undefined) return undefined;
  const { id: threadId } = session.thread;
  return (
    COMMANDS[action]?.(threadId) ??
    (turn === undefined
      ? { command: 'workbench.action.chat.open', title: t('Retry'), arguments: [{ query: `@analytics ${text}` }] }
      : { command: 'analyticsChat.openThread', title: t('Open the chat'), arguments: [{ threadId }] })
  );
}
