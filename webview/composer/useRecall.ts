/** Earlier questions, brought back by the arrow keys as in a shell. */
import { useRef } from 'preact/hooks';
import { emptyDraft, type Draft } from '../../src/shared/protocol/chat.ts';
import type { Item } from '../../src/shared/thread/model.ts';

/**
 * @param items the thread's
 * @param change puts a question into the field
 * @returns takes a key; true when it went to another question: from an empty field, or from one recalled and left as
 * it was, with the caret in its first line (up) or last line (down)
 */
export function useRecall(
  items: readonly Item[],
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
    const questions = items
      .filter(({ role }) => role === 'user')
      .filter(({ content }, at, all) => content !== all[at - 1]?.content);
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
