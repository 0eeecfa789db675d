/** A question that a thread asks on two branches, or as two users, so that its answers can be compared. */
import type { Question, QuestionContext, Thread } from './model.ts';
import { shownTurns, type ShownTurn } from './turns.ts';

/** A turn with all that makes it comparable. */
export type AskedTurn = ShownTurn & { question: Question & { context: QuestionContext } };

const isAsked = (turn: ShownTurn): turn is AskedTurn => turn.question?.context !== undefined;

const isElsewhere = (a: QuestionContext, b: QuestionContext): boolean =>
  a.branch !== b.branch || a.identity !== b.identity;

/** @returns the latest question that was asked before elsewhere, and that earlier turn; undefined where none was */
export function askedTwice(thread: Thread): { earlier: AskedTurn; later: AskedTurn } | undefined {
  const turns = shownTurns(thread).filter(isAsked);
  for (const [at, later] of [...turns.entries()].reverse()) {
    const { content, context } = later.question;
    const earlier = turns
      .slice(0, at)
      .findLast(({ question }) => question.content === content && isElsewhere(question.context, context));
    if (earlier) return { earlier, later };
  }
  return undefined;
}
