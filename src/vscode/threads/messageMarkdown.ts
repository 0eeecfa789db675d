/** Returns answers as Markdown, for copying. */
import type { Thread } from '../../shared/thread/model.ts';
import { shownTurns } from '../../shared/thread/turns.ts';

/** @returns the unmodified text of an answer; empty if there is no such answer */
export const answerMarkdown = (thread: Thread, id: string): string =>
  shownTurns(thread).find(({ answer }) => answer?.id === id)?.answer?.content ?? '';
