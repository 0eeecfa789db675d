/** The draft of a message, saved by the host so that it outlives the page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { emptyDraft, type Draft } from '../../src/shared/protocol/chat.ts';
import { post } from '../app/host.ts';
import { prepend, type Prepended } from './prepend.ts';

const SAVE_AFTER = 300;

interface DraftState {
  draft: Draft;
  change(draft: Draft): void;
  /** Inserts a draft before the current one. @param mention offset of the `@` to remove from the current text */
  prepend(more: Draft, mention?: number): Prepended;
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
  const prependDraft = useCallback(
    (more: Draft, mention?: number) => {
      const prepended = prepend(latest.current, more, mention);
      change(prepended.draft);
      save();
      return prepended;
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
  return { draft, change, prepend: prependDraft, clear, clearIf, take };
}
