/** A message as Markdown, as it is copied. */
import type { Thread } from '../../shared/thread/model.ts';
import { shownTurns } from '../../shared/thread/turns.ts';

/** @returns the text of a question or of an answer as the service wrote it; empty when there is none */
export function messageAsMarkdown(thread: Thread, messageId: string): string {
  const turn = shownTurns(thread).find(
    ({ question, answer }) => question?.id === messageId || answer?.id === messageId,
  );
  if (turn === undefined) return '';
  return (turn.question?.id === messageId ? turn.question : turn.answer)?.content ?? '';
}
