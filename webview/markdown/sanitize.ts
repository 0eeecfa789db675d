import DOMPurify from 'dompurify';

/** All that the renderer ever writes; whatever else turns up is dropped. */
const allowed = {
  ALLOWED_TAGS: [
    ...['a', 'blockquote', 'br', 'code', 'div', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre'],
    ...['s', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul', '#text'],
  ],
  ALLOWED_ATTR: ['class', 'data-href', 'data-language', 'role', 'start', 'tabindex', 'title'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

const config = { ...allowed, ALLOWED_TAGS: [...allowed.ALLOWED_TAGS], ALLOWED_ATTR: [...allowed.ALLOWED_ATTR] };

/**
 * @param html what the renderer wrote; table rows only inside their table
 * @returns its nodes: no scripts, styles, images, forms, ids or addresses that a browser would follow
 */
export function toFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, config);
}
