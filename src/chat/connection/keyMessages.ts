/** Each way in which a key is not at hand, in words that say what to do. */
import { t } from '../../shared/text/l10n.ts';

export type KeyProblem =
  /** There never was one. */
  | 'none'
  /** One was stored, and the keyring does not give it back. */
  | 'lost'
  /** The keyring itself fails, such as a locked one. */
  | 'unreadable'
  /** Another window has changed or removed it, and this one still has the old one. */
  | 'changed'
  /** The keyring did not take it. */
  | 'refused'
  /** The keyring took it and does not have it. */
  | 'forgotten'
  /** The keyring did not let it go. */
  | 'stuck';

/** @param origin that the key is for */
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
