/** The *Certify* and *Correct…* commands. Their code is loaded when first used. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { textIn } from '../../shared/text/checks.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';
import { wantedSql } from '../commands/sql.ts';
import type { Command, Guarded } from '../host/guarded.ts';
import type { Log } from '../host/log.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { AskAgainServices } from './askAgain.ts';
import type { CertifyServices } from './certify.ts';

interface SessionsService {
  sessions: Sessions;
}

const sessionIn = ({ sessions }: SessionsService, argument: unknown): ChatSession =>
  sessions.get(textIn(argument, 'threadId') ?? '') ?? sessions.active;

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const certify: Command<CertifyServices & SessionsService> = async (services, argument) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const home = services.sessions.homeOf(sessionIn(services, argument));
  await (await import('./certify.ts')).certify(services, query, home);
};

interface CorrectServices extends AskAgainServices, SessionsService {
  log: Log;
  guarded: Guarded;
}

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const correct: Command<CorrectServices> = async (services, argument) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const session = sessionIn(services, argument);
  const module = await import('./correct.ts');
  const clean = (text: string): string => services.log.redactDocument(text);
  const correction = await module.correct(queriesWith(query, session), clean);
  const question = query.question?.content;
  if (correction === undefined || question === undefined) return;
  const { offerToAskAgain } = await import('./askAgain.ts');
  // Not awaited: the user may take long to push.
  void services.guarded(() => offerToAskAgain(services, session, question, correction.uri));
};

/** @returns the SQL of all queries of the same answer */
const queriesWith = ({ question, payload }: GeneratedSql, { thread }: ChatSession): string[] => {
  const same = generatedSql(thread).filter((each) => question !== undefined && each.question?.id === question.id);
  return same.length > 0 ? same.map((each) => each.payload.sqlQuery) : [payload.sqlQuery];
};
