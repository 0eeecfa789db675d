/** Messages for problems with stored keys. */
import { t } from '../../shared/text/l10n.ts';

export type KeyProblem =
  /** No key was ever stored. */
  | 'none'
  /** A key was stored, but the keyring no longer returns it. */
  | 'lost'
  /** The keyring can't be read, for example because it is locked. */
  | 'unreadable'
  /** Another window has changed or removed the key; this window still has the old one. */
  | 'changed'
  /** The keyring failed to store the key. */
  | 'refused'
  /** The keyring reported success but did not store the key. */
  | 'forgotten'
  /** The keyring failed to delete the key. */
  | 'stuck';

/** @param origin the origin of the key */
export function keyWords(problem: KeyProblem, origin: string): string {
  switch (problem) {
    case 'none':
      return t('There is no key for {0} yet. Enter one to ask.', origin);
    case 'lost':
      return t('The key for {0} was stored, but the system’s keyring does not give it back. Enter it again.', origin);
    case 'unreadable':
      return t('The system’s keyring cannot be read. Unlock it and retry, or enter the key for {0} again.', origin);
    case 'changed':
      return t(
        'The key for {0} was changed or removed in another window. Load this window anew, or enter the key again here.',
        origin,
      );
    case 'refused':
      return t(
        'The system’s keyring refused the key. You can use the key until this window closes, or unlock the keyring first.',
      );
    case 'forgotten':
      return t(
        'The system’s keyring did not keep the key. You can use it until this window closes, or set the keyring up first.',
      );
    case 'stuck':
      return t('The system’s keyring may still hold the key for {0}. Unlock it and sign out again.', origin);
  }
}
