/** The parts of the page that the host, or another part, asks for something; each is here while it is drawn. */
import type { Draft, FocusTarget } from '../../src/shared/protocol/chat.ts';
import type { ThreadsPart } from '../../src/shared/protocol/threads.ts';

interface Parts {
  composer: {
    onCompose(draft: Draft): void;
    /** A message was sent; when it had come back to the composer, it leaves it again. */
    onSent(text: string): void;
    onDraft(draft: Draft): void;
  };
  /** Says a text to a screen reader. */
  status: (text: string) => void;
  /** Takes a part of the list of threads. */
  threads: (part: ThreadsPart) => void;
}

export const parts: Partial<Parts> = {};
/** For a composer that is not drawn yet. */
let drafts: Draft[] = [];
/** What takes the keyboard, by its name; a wish that comes before it is there waits for it. */
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

/** Puts something into the composer. */
export function compose(draft: Draft): void {
  if (parts.composer) parts.composer.onCompose(draft);
  else drafts.push(draft);
}

export const announce = (text: string): void => parts.status?.(text);

/** Has something take the keyboard whenever the host, or another part of the page, gives it the keyboard. */
export function attachFocus(what: FocusTarget, take: () => void): () => void {
  focusable.set(what, take);
  if (wished === what) focusOn(what);
  return () => {
    if (focusable.get(what) === take) focusable.delete(what);
  };
}

/** Gives the keyboard to a part of the page. */
export function focusOn(what: FocusTarget): void {
  const take = focusable.get(what);
  wished = take ? undefined : what;
  take?.();
}
