/** The key that finds, on the system of the user. */
import { isMac } from '../ui/keys.ts';

/**
 * Takes Ctrl+F, or Cmd+F on a Mac, before the editor does: with the keyboard in a view of the side bar it would open
 * the find widget of whichever file is open.
 * @returns stops it
 */
export function onFindKey(open: () => void): () => void {
  const take = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    const asks = (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !shiftKey && !altKey;
    if (!asks || key.toLowerCase() !== 'f') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  };
  window.addEventListener('keydown', take, { capture: true });
  return () => window.removeEventListener('keydown', take, { capture: true });
}
