/** The draft of a message, saved by the host so that it outlives the page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { emptyDraft, type Draft } from '../../src/shared/protocol/chat.ts';
import { MAX_IMAGES } from '../../src/shared/protocol/images.ts';
import { post } from '../app/host.ts';

const SAVE_AFTER = 300;

interface DraftState {
  draft: Draft;
  change(draft: Draft): void;
  /**
   * Inserts a draft before the current one.
   * @param mention offset of the `@` to remove from the current text
   * @returns the new caret position, that of the `@` or the end; and how many images exceeded the limit and are left out
   */
  prepend(more: Draft, mention?: number): { caret: number; leftOut: number };
  clear(): void;
  /** Clears the draft if this is its text. */
  clearIf(text: string): void;
  /** Applies a draft edited in another view, unless this one has unsaved changes. */
  take(draft: Draft): void;
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
  const prepend = useCallback(
    (more: Draft, mention?: number) => {
      const { text: before, images } = latest.current;
      const at = mention !== undefined && before[mention] === '@' ? mention : undefined;
      const text = at === undefined ? before : before.slice(0, at) + before.slice(at + 1);
      // Don't insert a text that is already at the start.
      const isThere = more.text !== '' && (text === more.text || text.startsWith(`${more.text}\n`));
      const joined = text === '' || isThere ? text || more.text : more.text === '' ? text : `${more.text}\n${text}`;
      const added = isThere
        ? more.images.filter(({ data }) => !images.some((held) => held.data === data))
        : more.images;
      // Images without a text are appended; those of a text are inserted before the others, like the text.
      const all = more.text === '' ? [...images, ...added] : [...added, ...images];
      change({ text: joined, images: all.slice(0, MAX_IMAGES) });
      save();
      return {
        caret: joined.length - text.length + (at ?? text.length),
        leftOut: Math.max(0, all.length - MAX_IMAGES),
      };
    },
    [change, save],
  );
  const clear = useCallback(() => {
    change(emptyDraft);
    save();
  }, [change, save]);
  const clearIf = useCallback(
    (text: string) => {
      if (text !== '' && latest.current.text.trim() === text) clear();
    },
    [clear],
  );
  const take = useCallback((next: Draft) => {
    if (timer.current !== undefined) return;
    latest.current = next;
    setDraft(next);
  }, []);
  return { draft, change, prepend, clear, clearIf, take };
}
