/**
 * Opens the links of answers. VS Code opens every `a[href]` that is clicked in a webview, including the
 * `vscode:` addresses of other extensions, so links have no `href`: the address is in `data-href`, for our own handler.
 */
import { allowedAddress } from '../../src/shared/text/plainText.ts';

/**
 * Opens links on click and on Enter.
 * @param root contains the links
 * @param onLink called with an allowed address
 * @returns a function that removes the listeners
 */
export function serveLinks(root: HTMLElement, onLink: (href: string) => void): () => void {
  const open = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('[data-href]') : null;
    const address = allowedAddress(link?.getAttribute('data-href') ?? '');
    if (address === undefined) return;
    event.preventDefault();
    onLink(address);
  };
  const openOnEnter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.isComposing) open(event);
  };
  root.addEventListener('click', open);
  root.addEventListener('keydown', openOnEnter);
  return () => {
    root.removeEventListener('click', open);
    root.removeEventListener('keydown', openOnEnter);
  };
}
