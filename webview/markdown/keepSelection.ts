/** Keeps the user's selection while streamed text is rendered into new elements. */

const blanks = /\s/gu;
const inked = (text: string): number => text.replace(blanks, '').length;

/** One end of the selection, as the number of non-whitespace characters before it. */
interface End {
  count: number;
  /** Whether this is the later end in document order. It is restored after a character, the other end before one. */
  last: boolean;
}

/**
 * Runs `replace` and restores the selection if it starts or ends in `old`.
 * @param root contains the old and the new elements
 * @param old element whose content is replaced; the new content starts with the same text
 * @param before returns the element in front of `old`, which is not replaced
 * @param replace replaces the content
 */
export function keepSelection(
  root: Element,
  old: Element,
  before: () => Element | undefined,
  replace: () => void,
): void {
  const selection = document.getSelection();
  // Check `type` first: reading any other property forces a layout.
  if (selection?.type !== 'Range') return replace();
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (!old.contains(anchorNode) && !old.contains(focusNode)) return replace();
  const range = selection.getRangeAt(0);
  const backward = range.startContainer !== anchorNode || range.startOffset !== anchorOffset;
  const anchor = endAt(old, anchorNode, anchorOffset, backward);
  const focus = endAt(old, focusNode, focusOffset, !backward);
  const kept = before();
  replace();
  const stays = selection.anchorNode === anchorNode && selection.focusNode === focusNode;
  if (stays && selection.anchorOffset === anchorOffset && selection.focusOffset === focusOffset) return;
  const newAnchor = anchor ? placeOf(root, kept, anchor) : ([anchorNode, anchorOffset] as const);
  const newFocus = focus ? placeOf(root, kept, focus) : ([focusNode, focusOffset] as const);
  if (newAnchor?.[0] && newFocus?.[0]) selection.setBaseAndExtent(...(newAnchor as Point), ...(newFocus as Point));
}

type Point = readonly [Node, number];

function endAt(old: Element, node: Node | null, offset: number, last: boolean): End | undefined {
  if (node === null || !old.contains(node)) return undefined;
  const range = document.createRange();
  range.setStart(old, 0);
  range.setEnd(node, offset);
  return { count: inked(range.toString()), last };
}

/** @returns the position after `count` non-whitespace characters, counted from the end of `kept` */
function placeOf(root: Element, kept: Element | undefined, { count, last }: End): Point | undefined {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  if (kept) walker.currentNode = lastIn(kept);
  let left = count;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { data } = node as Text;
    const here = inked(data);
    if (here < left || (here === left && !last)) {
      left -= here;
      continue;
    }
    for (let at = 0; at <= data.length; at += 1) {
      if (left === 0 && (last || /\S/u.test(data.charAt(at)))) return [node, at];
      if (/\S/u.test(data.charAt(at))) left -= 1;
    }
  }
  return undefined;
}

function lastIn(element: Element): Node {
  let node: Node = element;
  while (node.lastChild) node = node.lastChild;
  return node;
}
