/**
 * The editor hears the keys of a webview but cannot keep them from being typed. The second key of the extension's own
 * chords (Ctrl+K, on a Mac ⌘K, then a letter; see the manifest) is kept out of the message here.
 */
import { isMac } from './keys.ts';

const SECOND = /^[ablqx]$/i;

export function keepChordsOut(): void {
  let begun = false;
  window.addEventListener(
    'keydown',
    (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (['Control', 'Meta', 'Shift', 'Alt'].includes(key)) return;
      if (begun && SECOND.test(key) && !ctrlKey && !metaKey && !altKey) event.preventDefault();
      begun = key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey);
    },
    true,
  );
}
