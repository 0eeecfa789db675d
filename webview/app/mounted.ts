/** Registry of the mounted components that the host or other components send requests to. */
import type { Draft, FocusTarget, WorkspaceFile } from '../../src/shared/protocol/chat.ts';
import type { ThreadsPart } from '../../src/shared/protocol/threads.ts';

interface Mounted {
  composer: {
    onCompose(draft: Draft): void;
    /** Opens an earlier question for editing. */
    onEdit(question: Draft): void;
    /** Called when a message was sent: removes it from the composer, if it had returned there. */
    onSent(message: Draft): void;
    onDraft(draft: Draft): void;
    onFiles(files: readonly WorkspaceFile[]): void;
  };
  /** Closes the history. */
  closeHistory: () => void;
  /** Announces a text to screen readers. */
  status: (text: string) => void;
  /** Receives a part of the list of threads. */
  threads: (part: ThreadsPart) => void;
}

export const mounted: Partial<Mounted> = {};
/** Drafts to deliver once a composer is mounted. */
let drafts: Draft[] = [];
/** Focus handlers by target; a request for a target that is not mounted stays in `requested`. */
const focusable = new Map<FocusTarget, () => void>();
let requested: FocusTarget | undefined;

export function attach<Name extends keyof Mounted>(name: Name, part: Mounted[Name]): () => void {
  mounted[name] = part;
  return () => {
    if (mounted[name] === part) delete mounted[name];
  };
}

export function attachComposer(composer: Mounted['composer']): () => void {
  const waiting = drafts;
  drafts = [];
  for (const draft of waiting) composer.onCompose(draft);
  return attach('composer', composer);
}

/** Adds a draft to the composer, now or once it is mounted. */
export function compose(draft: Draft): void {
  if (mounted.composer) mounted.composer.onCompose(draft);
  else drafts.push(draft);
}

export const announce = (text: string): void => mounted.status?.(text);

/**
 * Registers the handler that focuses a target, and calls it at once if that target is requested.
 * @returns a function that removes it
 */
export function attachFocus(what: FocusTarget, focus: () => void): () => void {
  focusable.set(what, focus);
  if (requested === what) focusOn(what);
  return () => {
    if (focusable.get(what) === focus) focusable.delete(what);
  };
}

/** Focuses a target, now or once it is mounted. */
export function focusOn(what: FocusTarget): void {
  const focus = focusable.get(what);
  requested = focus ? undefined : what;
  focus?.();
}
