/** Finds the ranges of a text in the document, and scrolls to them. */

const BLOCKS = new Set(
  ['address', 'blockquote', 'br', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre'].concat([
    ...['table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ]),
);

interface Piece {
  node: Text;
  start: number;
}

/** Reads the displayed text of an element, with line ends between blocks and none within a paragraph. */
function read(root: Element): { text: string; pieces: Piece[] } {
  const pieces: Piece[] = [];
  let text = '';
  const keepsLines = (element: Element): boolean => element.matches('.bubble, pre, pre *');
  const visit = (element: Element, lines: boolean): void => {
    for (const node of element.childNodes) {
      if (node instanceof Text) {
        pieces.push({ node, start: text.length });
        text += lines ? node.data : node.data.replaceAll('\n', ' ');
      } else if (node instanceof Element) {
        const isBlock = BLOCKS.has(node.localName);
        if (isBlock) text += '\n';
        visit(node, lines || node.localName === 'pre');
        if (isBlock) text += '\n';
      }
    }
  };
  visit(root, keepsLines(root));
  return { text, pieces };
}

/** @returns a range for each match in an element, in order */
export function rangesIn(root: Element, pattern: RegExp): Range[] {
  const { text, pieces } = read(root);
  const ranges: Range[] = [];
  let at = 0;
  /** @returns the text node at an offset; offsets only increase, so the search continues from the last one */
  const pieceOf = (offset: number): Piece | undefined => {
    while (at + 1 < pieces.length && (pieces[at + 1]?.start ?? 0) <= offset) at += 1;
    return pieces[at];
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const first = pieceOf(match.index);
    const end = match.index + match[0].length;
    const last = pieceOf(end - 1);
    if (first === undefined || last === undefined) break;
    const range = new Range();
    range.setStart(first.node, match.index - first.start);
    range.setEnd(last.node, end - last.start);
    ranges.push(range);
  }
  return ranges;
}

/** Height of the part of the log that the find bar covers, in pixels. */
const UNDER_BAR = 44;

/** Scrolls each container up to the log, so that the range is in view with the text around it. */
export function bringIntoView(range: Range, log: HTMLElement): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const [left, top] = [
      overflowX !== 'visible' && overflowX !== 'clip',
      overflowY !== 'visible' && overflowY !== 'clip',
    ];
    const inner = range.getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    const covered = box === log ? UNDER_BAR : 0;
    if (top && (inner.top < outer.top + covered || inner.bottom > outer.bottom))
      box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    if (left && (inner.left < outer.left || inner.right > outer.right))
      box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
    if (box === log) return;
  }
}
