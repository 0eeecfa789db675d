import DOMPurify, { type Config } from 'dompurify';

/** The tags and attributes that the renderer writes; everything else is removed. */
const config = {
  ALLOWED_TAGS: [
    ...['a', 'blockquote', 'br', 'code', 'div', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre'],
    ...['s', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul', '#text'],
  ],
  ALLOWED_ATTR: ['class', 'data-href', 'role', 'start', 'tabindex', 'title'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

type Purifier = ReturnType<typeof DOMPurify>;
let purifier: Purifier | undefined;

/** Creates a separate instance, so that its configuration is parsed only once. */
function newPurifier(): Purifier {
  const made = DOMPurify(window);
  made.setConfig(config);
  return made;
}

/**
 * @param html output of the renderer; table rows only inside their table
 * @returns its nodes, without scripts, styles, images, forms, ids or addresses that the browser would open
 */
export function toFragment(html: string): DocumentFragment {
  purifier ??= newPurifier();
  return purifier.sanitize(html, config);
}
