/** Turns rendered HTML into safe nodes, and updates elements with them. */
import DOMPurify, { type Config } from 'dompurify';

/** `body` is the root of what the sanitizer walks: if that were forbidden, it would copy the whole content first. */
const tags =
  'a blockquote body br code div em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul #text';

/** The tags and attributes that the renderer writes; everything else is removed. */
const config = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: ['class', 'data-href', 'dir', 'role', 'start', 'tabindex', 'title'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
  // The page's policy asks for no trusted types, and each costs a call from the browser.
  TRUSTED_TYPES_POLICY: null,
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

/**
 * Makes the content of an element equal to another's. Nodes that are already equal are kept, which preserves selections
 * and limits the layout to the differences.
 * @param parent the element to change
 * @param next the new content, whose nodes are moved
 */
export function patch(parent: Element, next: Element | DocumentFragment): void {
  let old = parent.firstChild;
  for (const node of [...next.childNodes]) {
    if (old === null) {
      parent.append(node);
      continue;
    }
    const following: ChildNode | null = old.nextSibling;
    if (!old.isEqualNode(node)) update(old, node);
    old = following;
  }
  while (old !== null) {
    const following: ChildNode | null = old.nextSibling;
    old.remove();
    old = following;
  }
}

function update(old: ChildNode, node: ChildNode): void {
  if (old instanceof Text && node instanceof Text) old.data = node.data;
  else if (old instanceof Element && node instanceof Element && isAlike(old, node)) patch(old, node);
  else old.replaceWith(node);
}

/** Whether two elements have the same tag and attributes. */
function isAlike(old: Element, node: Element): boolean {
  return old.cloneNode(false).isEqualNode(node.cloneNode(false));
}
