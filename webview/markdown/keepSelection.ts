/** What a reader has selected stays so while the text that is being written gets new elements. */

const blanks = /\s/gu;
const inked = (text: string): number => text.replace(blanks, '').length;

/** An end of the selection: how many characters that are not blank stand before it. */
interface End {
  count: number;
  /** Whether it is the end in the order of the text; it then stands behind a character, else before one. */
  last: boolean;
}

/**
 * @param root holds the old elements and the new ones
 * @param old what is going to be replaced, from its beginning on and with the same text
 * @param before the element in front of it, which stays
 * @param replace replaces it
 */
export function keepSelection(
  root: Element,
  old: Element,
  before: () => Element | undefined,
  replace: () => void,
): void {
  const selection = document.getSelection();
  // Asked for anything else, the browser would lay out first what has changed.
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

/** @returns where so many characters have passed since `kept` */
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
