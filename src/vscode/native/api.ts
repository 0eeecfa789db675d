/** Implements the API for other extensions (`AnalyticsChatApi`). */
import type * as vscode from 'vscode';
import { lastQuestion } from '../../chat/session/message.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import {
  findSql,
  isRunning,
  queriesOf,
  turnsOf,
  type GeneratedSql,
  type ShownTurn,
} from '../../shared/thread/turns.ts';
import type { AnalyticsChatApi, ApiQuery, ThreadSummary } from './publicApi.ts';
import { askIn, newSession, sessionOfChat, type BackgroundThreadsServices } from '../threads/asking.ts';
import type { Services } from '../services.ts';

const summaryOf = (title: string, { thread, status }: ChatSession): ThreadSummary => ({
  threadId: thread.id,
  ...(thread.chatId === undefined ? {} : { chatId: thread.chatId }),
  title,
  status,
  updatedAt: turnsOf(thread).at(-1)?.items.at(-1)?.updated ?? lastQuestion(thread)?.time ?? Date.now(),
});

/** Copies the queries, so that callers can't modify the thread, and redacts secrets. */
const answeredIn = ({ log }: Services<'log'>, turn: ShownTurn | undefined): ApiQuery[] => {
  const queries = queriesOf(turn?.steps ?? []).flatMap(
    ({ toolCallId, payload: { queryTitle: title, sqlQuery: sql, table } }) =>
      table === undefined ? [] : [{ toolCallId, title, sql, ...table }],
  );
  return JSON.parse(log.redactDocument(JSON.stringify(queries))) as ApiQuery[];
};

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

async function threads(services: Services<'sessions' | 'history'>): Promise<ThreadSummary[]> {
  const kept = await (await services.history()).list();
  // Other extensions don't see what is typed but not sent.
  return kept
    .filter(({ questions }) => questions > 0)
    .map(({ id, chatId, title, updatedAt }) => ({
      threadId: id,
      ...(chatId === undefined ? {} : { chatId }),
      title,
      status: services.sessions.get(id)?.status ?? 'ready',
      updatedAt,
    }));
}

const askedAt = (sql: GeneratedSql | undefined): number => sql?.question?.time ?? 0;

/** @returns the last SQL of the thread; without a thread, the latest of all open threads */
function lastSql(services: Services<'log' | 'sessions'>, threadId: string | undefined): string | undefined {
  const { all } = services.sessions;
  const sessions = threadId === undefined ? all : all.filter(({ thread }) => thread.id === threadId);
  const found = sessions.map((session) => findSql(session.thread)).sort((a, b) => askedAt(b) - askedAt(a));
  const sql = found.find((each) => each !== undefined)?.payload.sqlQuery;
  return sql && services.log.redactDocument(sql);
}

async function abort(services: Services<'sessions' | 'repository'>, threadId: string | undefined): Promise<void> {
  await services.repository.restore();
  const { active, all } = services.sessions;
  const session =
    threadId === undefined
      ? [active, ...all.toReversed()].find(({ thread }) => isRunning(thread))
      : services.sessions.get(threadId);
  await session?.abort();
}

/** @param changed emitter of `onDidChangeThread` */
export function publicApi(
  services: BackgroundThreadsServices & Services<'context' | 'log'>,
  changed: vscode.EventEmitter<ThreadSummary>,
): Omit<AnalyticsChatApi, 'version' | 'onDidChangeThread'> {
  const { context, sessions } = services;
  const report = (session: ChatSession): void => changed.fire(summaryOf(sessions.titleOf(session), session));
  context.subscriptions.push(
    sessions.onDidChange(({ session }) => report(session)),
    sessions.onDidRetitle(report),
  );
  return {
    threads: () => threads(services),
    lastSql: (threadId) => lastSql(services, threadId),
    abort: (threadId) => abort(services, threadId),
    ask: async (text, { chatId, signal } = {}) => {
      const question = typeof text === 'string' ? text.trim() : '';
      if (question === '') throw failure('badRequest', t('The question is empty.'));
      const session = chatId === undefined ? newSession(services) : await sessionOfChat(services, String(chatId));
      const { turn, error, stopped } = await askIn(services, session, question, signal ?? new AbortController().signal);
      if (error) throw failure(error.kind, error.message);
      const { id: threadId, chatId: named } = session.thread;
      return {
        threadId,
        ...(named === undefined ? {} : { chatId: named }),
        text: turn?.answer?.content ?? '',
        queries: answeredIn(services, turn),
        outcome: stopped ? 'stopped' : 'done',
      };
    },
  };
}
