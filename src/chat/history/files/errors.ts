/** Errors of the history, each with a kind and a message for the user, and retries while a file is in use. */
import { t } from '../../../shared/text/l10n.ts';

const words = {
  notFound: () => t('This chat is no longer in the history.'),
  full: () =>
    t(
      'Can’t save history: the disk is full. Free some space; saving will be retried automatically. Earlier messages are safe.',
    ),
  denied: () => t('Can’t save history: permission denied. Check the permissions of the storage folder.'),
  readOnly: () =>
    t('Can’t save history: the disk is read-only. New messages will be saved when the disk is writable again.'),
  busy: () => t('Another window or program is using the history. Saving will be retried automatically.'),
  tooLarge: () =>
    t(
      'This chat is too large for the history. Messages saved earlier are kept. Start a new chat to continue, or export this one.',
    ),
  damaged: () => t('The file of this chat is damaged and can’t be read. A copy of it was kept.'),
  failed: () => t('Can’t read or write the history. See the log for details.'),
};

export type HistoryErrorKind = keyof typeof words;

export class HistoryError extends Error {
  readonly kind: HistoryErrorKind;

  /** @param cause the original error, for the log */
  constructor(kind: HistoryErrorKind, cause?: unknown) {
    super(words[kind](), cause === undefined ? undefined : { cause });
    this.name = 'HistoryError';
    this.kind = kind;
  }
}

const codes: [kind: HistoryErrorKind, ...codes: string[]][] = [
  ['notFound', 'ENOENT', 'FileNotFound'],
  ['full', 'ENOSPC', 'EDQUOT'],
  ['denied', 'EACCES', 'EPERM', 'NoPermissions'],
  ['readOnly', 'EROFS'],
  ['busy', 'EBUSY', 'EMFILE', 'Unavailable'],
];

/** Converts an error of Node.js or VS Code by its code; browsers name a full disk only in its text. */
export function historyError(failure: unknown): HistoryError {
  if (failure instanceof HistoryError) return failure;
  const { code } = (failure ?? {}) as { code?: string };
  const kind = codes.find(([, ...all]) => all.includes(code ?? ''))?.[0];
  return new HistoryError(kind ?? (/quota/i.test(String(failure)) ? 'full' : 'failed'), failure);
}

/** @returns the result of `work`; undefined if the file does not exist. @throws HistoryError */
export async function ifFound<T>(work: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (failure) {
    const error = historyError(failure);
    if (error.kind === 'notFound') return undefined;
    throw error;
  }
}

/** @returns the result of `work`, which is retried for about 300 ms while the file is in use. @throws HistoryError */
export async function retried<T>(work: () => PromiseLike<T>): Promise<T> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return await work();
    } catch (failure) {
      const error = historyError(failure);
      // Windows denies access to a file in use.
      if (wait > 160 || !['busy', 'denied'].includes(error.kind)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
