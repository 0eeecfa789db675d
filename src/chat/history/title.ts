/** Derives the default title of a thread: its first question, on one line. */
import type { Thread } from '../../shared/thread/model.ts';
import { questionsOf } from '../../shared/thread/turns.ts';

const LONGEST = 80;

/** @returns the title; empty if there is no question */
export function titleOf(thread: Thread): string {
  const question = questionsOf(thread).find(({ content }) => content.trim() !== '');
  return question === undefined ? '' : shortened(question.content, LONGEST);
}

/** @returns the text on one line, truncated at a word boundary if it is too long */
export function shortened(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 20)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const word = cut.lastIndexOf(' ');
  const kept = word > longest / 2 ? cut.slice(0, word) : cut.replace(/[\uD800-\uDBFF]$/u, '');
  return `${kept}…`;
}
