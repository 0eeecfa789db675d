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

const codes: Partial<Record<HistoryErrorKind, string[]>> = {
  notFound: ['ENOENT', 'FileNotFound'],
  full: ['ENOSPC', 'EDQUOT', 'QuotaExceededError'],
  denied: ['EACCES', 'EPERM', 'NoPermissions'],
  readOnly: ['EROFS'],
  busy: ['EBUSY', 'EMFILE', 'ENFILE', 'Unavailable'],
  tooLarge: ['EFBIG', 'ERR_STRING_TOO_LONG'],
};
const kinds = new Map(
  Object.entries(codes).flatMap(([kind, all]) => all.map((code) => [code, kind as HistoryErrorKind] as const)),
);

/** Converts a file system error by its code, its name or, as a last resort, its message. */
export function historyError(failure: unknown): HistoryError {
  if (failure instanceof HistoryError) return failure;
  const { code, name, message } = (failure ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  const kind = kinds.get(String(code)) ?? kinds.get(String(name));
  if (kind !== undefined) return new HistoryError(kind, failure);
  if (/quota/i.test(String(message))) return new HistoryError('full', failure);
  return new HistoryError(failure instanceof RangeError ? 'tooLarge' : 'failed', failure);
}

/** @returns whether an error means that the file does not exist */
export const isNotFound = (failure: unknown): boolean => historyError(failure).kind === 'notFound';

/** @returns the result of `work`; undefined if the file does not exist. @throws HistoryError */
export async function ifFound<T>(work: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (failure) {
    if (isNotFound(failure)) return undefined;
    throw historyError(failure);
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
