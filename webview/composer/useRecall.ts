/** Recalls earlier questions with the arrow keys, like a shell's history. */
import { useRef } from 'preact/hooks';
import { emptyDraft, type Draft } from '../../src/shared/protocol/chat.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { questionsOf } from '../../src/shared/thread/turns.ts';

/**
 * @param change replaces the draft
 * @returns a key handler that returns whether another question was recalled. It handles arrow keys in an empty field or
 *   an unchanged recalled question, with the caret in the first line (up) or the last line (down)
 */
export function useRecall(
  thread: Thread,
  text: string,
  change: (draft: Draft) => void,
): (key: string, field: HTMLTextAreaElement) => boolean {
  const back = useRef(0);
  const recalled = useRef('');
  if (text !== recalled.current) back.current = 0;

  return (key, field) => {
    const step = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    if (step === 0 || (text !== '' && back.current === 0)) return false;
    const beyond = step > 0 ? text.slice(0, field.selectionStart) : text.slice(field.selectionEnd);
    if (beyond.includes('\n')) return false;
    const questions = questionsOf(thread).filter(({ content }, at, all) => content !== all[at - 1]?.content);
    const next = back.current + step;
    const question = questions.at(-next);
    if (next < 0 || (next > 0 && question === undefined)) return false;
    const draft = next === 0 || !question ? emptyDraft : { text: question.content, images: question.images ?? [] };
    back.current = next;
    recalled.current = draft.text;
    change(draft);
    return true;
  };
}
