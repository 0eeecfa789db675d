/** A question that a thread asks on two branches, or as two users, so that its answers can be laid side by side. */
import type { Stamp, Thread } from './model.ts';
import { turnsOf, type Turn } from './turns.ts';

/** A turn with all that makes it comparable. */
export type AskedTurn = Turn & { question: NonNullable<Turn['question']> & { stamp: Stamp } };

const isAsked = (turn: Turn): turn is AskedTurn => turn.question?.stamp !== undefined;

const isElsewhere = (a: Stamp, b: Stamp): boolean => a.branch !== b.branch || a.identity !== b.identity;

/** @returns the latest question that was asked before elsewhere, and that earlier turn; undefined where none was */
export function askedTwice(thread: Thread): { earlier: AskedTurn; later: AskedTurn } | undefined {
  const turns = turnsOf(thread).filter(isAsked);
  for (const later of turns.toReversed()) {
    const { content, stamp } = later.question;
    const earlier = turns
      .slice(0, turns.indexOf(later))
      .findLast(({ question }) => question.content === content && isElsewhere(question.stamp, stamp));
    if (earlier) return { earlier, later };
  }
  return undefined;
}
