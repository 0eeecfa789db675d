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
