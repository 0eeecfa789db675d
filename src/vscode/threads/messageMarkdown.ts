/** Returns messages as Markdown, for copying. */
import type { Thread } from '../../shared/thread/model.ts';
import { shownTurns } from '../../shared/thread/turns.ts';

/** @returns the unmodified text of a question or an answer; empty if there is no such message */
export function messageAsMarkdown(thread: Thread, messageId: string): string {
  const turn = shownTurns(thread).find(
    ({ question, answer }) => question?.id === messageId || answer?.id === messageId,
  );
  if (turn === undefined) return '';
  return (turn.question?.id === messageId ? turn.question : turn.answer)?.content ?? '';
}
