/** The draft of a message, saved by the host so that it outlives the page, and earlier questions to ask again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { draftOf, emptyDraft, draftMessage, restOf, type Draft } from '../../src/shared/protocol/chat.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { questionsOf } from '../../src/shared/thread/turns.ts';
import { post } from '../app/host.ts';
import { prepend, type Prepended } from './draft.ts';

const SAVE_AFTER = 300;

interface DraftState {
  draft: Draft;
  change(draft: Draft): void;
  /** Inserts a draft before the current one. */
  prepend(more: Draft): Prepended;
  /** Replaces the draft by an earlier question, until that is sent or `clear` is called. */
  edit(question: Draft): void;
  /** Empties the composer, or restores the draft from before a question was edited. */
  clear(): void;
  /** Clears the draft if it has the text and images of a message. */
  clearIf(message: Draft): void;
  /** Replaces the draft by one edited in another view, unless this one has unsaved changes. */
  replace(draft: Draft): void;
}

/** @param threadId the thread of the draft; when it is saved, the view may already show another thread */
export function useDraft(threadId: string, initial: Draft): DraftState {
  const [draft, setDraft] = useState(initial);
  const latest = useRef(initial);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    post({ type: 'draft', threadId, draft: latest.current });
  }, []);
  // Save pending changes on unmount and on blur: the page may be closed next, or a button pressed that uses the draft.
  useEffect(() => {
    const saveRest = (): void => void (timer.current && save());
    window.addEventListener('blur', saveRest);
    document.addEventListener('focusout', saveRest);
    return () => {
      window.removeEventListener('blur', saveRest);
      document.removeEventListener('focusout', saveRest);
      saveRest();
    };
  }, [save]);

  const change = useCallback(
    (next: Draft) => {
      latest.current = next;
      setDraft(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER);
    },
    [save],
  );
  const prependDraft = useCallback(
    (more: Draft) => {
      const prepended = prepend(latest.current, more);
      change(prepended.draft);
      save();
      return prepended;
    },
    [change, save],
  );
  const edit = useCallback(
    (question: Draft) => {
      change({ ...question, aside: latest.current.aside ?? latest.current });
      save();
    },
    [change, save],
  );
  const clear = useCallback(() => {
    change(restOf(latest.current));
    save();
  }, [change, save]);
  const clearIf = useCallback(
    ({ text, images }: Draft) => {
      const { text: typed, images: attached } = draftMessage(latest.current);
      const hasImages =
        attached.length === images.length && attached.every(({ data }, at) => data === images[at]?.data);
      if (typed === text && hasImages) clear();
    },
    [clear],
  );
  const replace = useCallback((next: Draft) => {
    if (timer.current !== undefined) return;
    latest.current = next;
    setDraft(next);
  }, []);
  return { draft, change, prepend: prependDraft, edit, clear, clearIf, replace };
}

/**
 * Recalls earlier questions with the arrow keys, like a shell's history.
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
    const draft = next === 0 || !question ? emptyDraft : draftOf(question);
    back.current = next;
    recalled.current = draft.text;
    change({ attachments: [], ...draft });
    return true;
  };
}
