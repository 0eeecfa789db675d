/** The editor's theme: its colours are variables on the page's root element. */

/**
 * @param onChange called after the theme has changed
 * @returns a function that ends it
 */
export function onThemeChange(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}
