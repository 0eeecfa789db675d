/**
 * Highlights matches on the page with the CSS Custom Highlight API, which does not change the rendered Markdown. Only
 * turns near the visible part of the log are processed.
 */
import type { MatchPosition } from './matches.ts';

const BLOCKS = new Set(
  'address blockquote br div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul'.split(' '),
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
function rangesIn(root: Element, pattern: RegExp): Range[] {
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
function bringIntoView(range: Range, log: HTMLElement): void {
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

const ALL = 'find-match';
const CURRENT = 'find-current';
/** Number of frames in which a match may still move: texts get their real height only when they come into view. */
const SETTLING = 4;

export class Highlights {
  readonly #log: HTMLElement;
  readonly #content: HTMLElement;
  readonly #mutations: MutationObserver;
  readonly #listeners = new AbortController();
  #ranges = new Map<Element, Range[]>();
  #pattern: RegExp | undefined;
  #place: MatchPosition | undefined;
  #frame = 0;
  /** Number of frames left in which to scroll to the current match. */
  #revealing = 0;

  /** @param content the only child of `log`; its children are the turns */
  constructor(log: HTMLElement, content: HTMLElement) {
    this.#log = log;
    this.#content = content;
    this.#mutations = new MutationObserver((records) => {
      for (const { target } of records) this.#forget(target);
      this.#schedule();
    });
    this.#mutations.observe(content, { childList: true, characterData: true, subtree: true });
    const { signal } = this.#listeners;
    log.addEventListener('scroll', () => this.#schedule(), { passive: true, signal });
    // Stop revealing the match when the user scrolls.
    for (const event of ['wheel', 'pointerdown', 'touchstart'])
      log.addEventListener(event, () => (this.#revealing = 0), { passive: true, signal });
  }

  /**
   * @param pattern matches to highlight, `undefined` for none
   * @param place the current match
   */
  show(pattern: RegExp | undefined, place: MatchPosition | undefined): void {
    if (pattern?.source !== this.#pattern?.source) this.#ranges.clear();
    this.#pattern = pattern;
    this.#place = place;
    this.#schedule();
  }

  /** Scrolls to the current match as soon as it is rendered. */
  reveal(): void {
    const { scrollHeight, clientHeight } = this.#log;
    // Where all is in view, only boxes inside of it scroll: an answer that grows in the next frames is followed.
    this.#revealing = scrollHeight > clientHeight ? SETTLING : 1;
    this.#schedule();
  }

  dispose(): void {
    this.#mutations.disconnect();
    this.#listeners.abort();
    cancelAnimationFrame(this.#frame);
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }

  #schedule(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #forget(target: Node): void {
    const element = target instanceof Element ? target : target.parentElement;
    const part = element?.closest('[data-part]');
    if (part) this.#ranges.delete(part);
  }

  #rangesOf(part: Element, pattern: RegExp): Range[] {
    let ranges = this.#ranges.get(part);
    if (ranges === undefined) this.#ranges.set(part, (ranges = rangesIn(part, pattern)));
    return ranges;
  }

  #draw(): void {
    this.#frame = 0;
    const pattern = this.#pattern;
    const current = pattern && this.#currentRange(pattern);
    if (current && this.#revealing > 0) {
      this.#revealing -= 1;
      // A turn that was never in view has no layout yet.
      if (this.#revealing === SETTLING - 1) current.startContainer.parentElement?.scrollIntoView({ block: 'center' });
      bringIntoView(current, this.#log);
      if (this.#revealing > 0) this.#schedule();
    }
    const all = pattern ? this.#inSight().flatMap((part) => this.#rangesOf(part, pattern)) : [];
    CSS.highlights.set(ALL, new Highlight(...all));
    const top = new Highlight(...(current ? [current] : []));
    top.priority = 1;
    CSS.highlights.set(CURRENT, top);
  }

  #currentRange(pattern: RegExp): Range | undefined {
    if (this.#place === undefined) return undefined;
    const { key, index } = this.#place;
    const part = this.#content.querySelector(`[data-part="${CSS.escape(key)}"]`);
    const ranges = part ? this.#rangesOf(part, pattern) : [];
    // The page may have fewer matches than the thread while a text is streaming.
    return ranges[Math.min(index, ranges.length - 1)];
  }

  /** The searchable parts of the turns that are in view or at most one height of the log away. */
  #inSight(): Element[] {
    const { top, bottom, height } = this.#log.getBoundingClientRect();
    return [...this.#content.children].flatMap((turn) => {
      const box = turn.getBoundingClientRect();
      const near = box.bottom > top - height && box.top < bottom + height;
      return near ? [...turn.querySelectorAll('[data-part]')] : [];
    });
  }
}
