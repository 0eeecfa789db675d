/** Errors of the history, each with a kind and a message for the user, and retries while a file is in use. */
import { t } from '../../../shared/text/l10n.ts';

export type HistoryErrorKind =
  'notFound' | 'full' | 'denied' | 'readOnly' | 'busy' | 'tooLarge' | 'invalid' | 'damaged' | 'failed';

export class HistoryError extends Error {
  readonly kind: HistoryErrorKind;

  /** @param cause the original error, for the log */
  constructor(kind: HistoryErrorKind, cause?: unknown) {
    super(wordsOf(kind), cause === undefined ? undefined : { cause });
    this.name = 'HistoryError';
    this.kind = kind;
  }
}

function wordsOf(kind: HistoryErrorKind): string {
  switch (kind) {
    case 'notFound':
      return t('This chat is no longer in the history.');
    case 'full':
      return t(
        'Can’t save history: the disk is full. Free some space; saving will be retried automatically. Earlier messages are safe.',
      );
    case 'denied':
      return t('Can’t save history: permission denied. Check the permissions of the storage folder.');
    case 'readOnly':
      return t(
        'Can’t save history: the disk is read-only. New messages will be saved when the disk is writable again.',
      );
    case 'busy':
      return t('Another window or program is using the history. Saving will be retried automatically.');
    case 'tooLarge':
      return t(
        'This chat is too large for the history. Messages saved earlier are kept. Start a new chat to continue, or export this one.',
      );
    case 'invalid':
      return t('This file is not an exported chat.');
    case 'damaged':
      return t('The file of this chat is damaged and can’t be read. A copy of it was kept.');
    case 'failed':
      return t('Can’t read or write the history. See the log for details.');
  }
}

const kinds: Record<string, HistoryErrorKind> = {
  ENOENT: 'notFound',
  FileNotFound: 'notFound',
  ENOSPC: 'full',
  EDQUOT: 'full',
  QuotaExceededError: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  NoPermissions: 'denied',
  EROFS: 'readOnly',
  EBUSY: 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
  Unavailable: 'busy',
  EFBIG: 'tooLarge',
  ERR_STRING_TOO_LONG: 'tooLarge',
};

/** Converts a file system error by its code, its name or, as a last resort, its message. */
export function historyError(failure: unknown): HistoryError {
  if (failure instanceof HistoryError) return failure;
  const { code, name, message } = (failure ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  const kind = kinds[String(code)] ?? kinds[String(name)];
  if (kind !== undefined) return new HistoryError(kind, failure);
  if (/quota/i.test(String(message))) return new HistoryError('full', failure);
  if (failure instanceof RangeError) return new HistoryError('tooLarge', failure);
  return new HistoryError('failed', failure);
}

/** @returns whether an error means that the file does not exist */
export const isNotFound = (failure: unknown): boolean => historyError(failure).kind === 'notFound';

/**
 * @returns the result of `work`; undefined if the file does not exist
 * @throws HistoryError
 */
export async function ifFound<T>(work: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (failure) {
    if (isNotFound(failure)) return undefined;
    throw historyError(failure);
  }
}

const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY', 'EMFILE', 'ENFILE']);

/**
 * @returns the result of `work`, which is retried for about 300 ms while the file is in use
 * @throws HistoryError
 */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return await work();
    } catch (failure) {
      if (wait > 160 || !IN_USE.has(String((failure as { code?: unknown }).code))) throw historyError(failure);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
