/** Handles the keyboard shortcut for finding. */
import { isMac } from '../ui/keys.ts';

/**
 * Handles Ctrl+F, or Cmd+F on macOS, before VS Code does: with the focus in a side bar view, VS Code would open the
 * find widget of the active editor.
 * @returns a function that removes the listener
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
