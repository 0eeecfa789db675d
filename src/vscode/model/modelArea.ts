/** The data model in the editor: names with completion and definitions, and *Correct…*, whose code is loaded when first used. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';
import type { CommandHandlers, IntentHandlers } from '../host/area.ts';
import { promptFrom } from '../host/chatView.ts';
import type { Services } from '../services.ts';
import { sessionIn, wantedSql } from '../threads/wantedSql.ts';
import type { AskAgainServices } from './correct.ts';
import { provideMembers } from './memberProviders.ts';

type CorrectServices = AskAgainServices & Services<'log' | 'guarded'>;

export const registerModel = (services: CorrectServices & Services<'members' | 'modelFiles'>) =>
  Object.assign(provideMembers(services.members, services.modelFiles), {
    commands: { 'analyticsChat.correct': (argument) => correct(services, argument) } satisfies CommandHandlers,
    intents: {
      correct: (view, { toolCallId }) =>
        promptFrom(view, () => correct(services, { threadId: view.session.thread.id, toolCallId })),
    } satisfies Partial<IntentHandlers>,
  });

/** @param argument `{toolCallId?, threadId?}`, see `wantedSql`; or `{member}` for a member that no answer uses */
async function correct(services: CorrectServices, argument: unknown): Promise<void> {
  const clean = (text: string): string => services.log.redactDocument(text);
  const { member } = fieldsOf(argument);
  if (typeof member === 'string') {
    const { writeCorrection } = await import('./correct.ts');
    await writeCorrection([member], clean, member);
    return;
  }
  const query = wantedSql(services, argument);
  if (!query) return;
  const session = sessionIn(services, argument);
  const { writeCorrection, offerToAskAgain } = await import('./correct.ts');
  const correction = await writeCorrection(queriesWith(query, session), clean);
  const question = query.question?.content;
  if (correction === undefined || question === undefined) return;
  // Don't await this: it lasts until the user has pushed.
  void services.guarded(() => offerToAskAgain(services, session, question, correction.uri));
}

/** @returns the SQL of all queries of the same answer */
const queriesWith = ({ question, payload }: GeneratedSql, { thread }: ChatSession): string[] => {
  const same = generatedSql(thread).filter((each) => question !== undefined && each.question?.id === question.id);
  return same.length > 0 ? same.map((each) => each.payload.sqlQuery) : [payload.sqlQuery];
};
