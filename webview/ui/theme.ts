/** Observes the color theme of VS Code, whose colors are CSS variables on the root element. */

/**
 * @param onChange called after the theme has changed
 * @returns a function that stops observing
 */
export function onThemeChange(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}
