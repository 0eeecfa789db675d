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
export function keyProblemText(problem: KeyProblem, origin: string): string {
  switch (problem) {
    case 'none':
      return t('There is no key for {0} yet. Enter one to ask.', origin);
    case 'lost':
      return t('The key for {0} was stored, but the system keyring no longer returns it. Enter it again.', origin);
    case 'unreadable':
      return t('Can’t read the system keyring. Unlock it and retry, or enter the key for {0} again.', origin);
    case 'changed':
      return t(
        'The key for {0} was changed or removed in another window. Reload the window, or enter the key again here.',
        origin,
      );
    case 'refused':
      return t(
        'The system keyring rejected the key. Use the key until this window closes, or unlock the keyring and try again.',
      );
    case 'forgotten':
      return t(
        'The system keyring didn’t store the key. Use the key until this window closes, or set up the keyring and try again.',
      );
    case 'stuck':
      return t('The system keyring may still contain the key for {0}. Unlock it and sign out again.', origin);
  }
}
