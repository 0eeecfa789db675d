/** Registry of the page's mounted parts, which the host or other parts send requests to. */
import type { Draft, FocusTarget } from '../../src/shared/protocol/chat.ts';
import type { ThreadsPart } from '../../src/shared/protocol/threads.ts';

interface Parts {
  composer: {
    onCompose(draft: Draft): void;
    /** A message was sent: removes its text from the composer if it was put back there. */
    onSent(text: string): void;
    onDraft(draft: Draft): void;
  };
  /** Closes the history. */
  closeHistory: () => void;
  /** Announces a text to screen readers. */
  status: (text: string) => void;
  /** Receives a part of the list of threads. */
  threads: (part: ThreadsPart) => void;
}

export const parts: Partial<Parts> = {};
/** Drafts to deliver once a composer is mounted. */
let drafts: Draft[] = [];
/** Focus handlers by target; a request for a target that is not mounted stays in `wished`. */
const focusable = new Map<FocusTarget, () => void>();
let wished: FocusTarget | undefined;

export function attach<Name extends keyof Parts>(name: Name, part: Parts[Name]): () => void {
  parts[name] = part;
  return () => {
    if (parts[name] === part) delete parts[name];
  };
}

export function attachComposer(composer: Parts['composer']): () => void {
  const waiting = drafts;
  drafts = [];
  for (const draft of waiting) composer.onCompose(draft);
  return attach('composer', composer);
}

/** Adds a draft to the composer, now or once it is mounted. */
export function compose(draft: Draft): void {
  if (parts.composer) parts.composer.onCompose(draft);
  else drafts.push(draft);
}

export const announce = (text: string): void => parts.status?.(text);

/**
 * Registers the handler that focuses a target, and calls it at once if that target is requested.
 * @returns a function that removes it
 */
export function attachFocus(what: FocusTarget, take: () => void): () => void {
  focusable.set(what, take);
  if (wished === what) focusOn(what);
  return () => {
    if (focusable.get(what) === take) focusable.delete(what);
  };
}

/** Focuses a target, now or once it is mounted. */
export function focusOn(what: FocusTarget): void {
  const take = focusable.get(what);
  wished = take ? undefined : what;
  take?.();
}
