/** What is being written: kept here, and by the host so that it outlives the page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { emptyDraft, type Draft } from '../../src/shared/protocol/chat.ts';
import { post } from '../app/host.ts';

const SAVE_AFTER = 300;

interface DraftState {
  draft: Draft;
  change(draft: Draft): void;
  /**
   * Puts something ahead of what is there, from which the @ at the place that is named goes.
   * @returns where writing goes on: at that place, or at the end
   */
  prepend(more: Draft, mention?: number): number;
  clear(): void;
  /** Empties it if this is what it holds. */
  clearIf(text: string): void;
  /** Shows what is written elsewhere, unless something is being written here. */
  take(draft: Draft): void;
}

/** @param threadId the thread that it is written for, which the view may have left when it is saved */
export function useDraft(threadId: string, initial: Draft): DraftState {
  const [draft, setDraft] = useState(initial);
  const latest = useRef(initial);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    post({ type: 'draft', threadId, draft: latest.current });
  }, []);
  // A draft that was not saved yet is saved when the composer goes, and when the keyboard does: the page may be next,
  // or a button that acts on what is written.
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
      // What is there already is not put there once more.
      const isThere = more.text !== '' && (text === more.text || text.startsWith(`${more.text}\n`));
      const joined = text === '' || isThere ? text || more.text : more.text === '' ? text : `${more.text}\n${text}`;
      const added = isThere
        ? more.images.filter(({ data }) => !images.some((held) => held.data === data))
        : more.images;
      // Pictures come in the order in which they are added; those of a text go with it.
      change({ text: joined, images: more.text === '' ? [...images, ...added] : [...added, ...images] });
      save();
      return joined.length - text.length + (at ?? text.length);
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
