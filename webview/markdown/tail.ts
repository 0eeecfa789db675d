/** Renders the unfinished end of an answer. */
import { completeMarkdown } from './complete.ts';
import { newEnv, renderBlocks, type Env } from './parser.ts';
import { patch, toFragment } from './sanitize.ts';
import { withoutTrailing } from '../../src/shared/text/lines.ts';

interface Tail {
  readonly element: HTMLElement;
  /**
   * Fast path without parsing: appends plain words, which are most of the text, to the last text node.
   * @param text the whole unfinished text
   * @returns whether it could be shown like this
   */
  append(text: string): boolean;
  /**
   * @param text the whole unfinished text
   * @param env the link definitions so far
   */
  show(text: string, env: Env): void;
  /** Shows an open block, which updates its own element. */
  showBlock(block: Element): void;
  clear(): void;
}

/** Text that is never Markdown syntax after a word: letters, digits, spaces, commas, and periods after a letter. */
const words = /^(?:[\p{N} ,]|\p{L}\.?)+$/u;
const wordAtEnd = /(?:[\p{L}\p{N},]|\p{L}\.) *$/u;

export function newTail(): Tail {
  const element = document.createElement('div');
  element.className = 'md-tail';
  let shown = '';
  /** The last text node, if it shows the end of `shown` unchanged and is not in a link. */
  let last: Text | undefined;

  function clear(): void {
    shown = '';
    last = undefined;
    element.replaceChildren();
  }

  return {
    element,
    clear,
    append(text) {
      if (last === undefined || !text.startsWith(shown)) return false;
      const fresh = text.slice(shown.length);
      if (!words.test(fresh) || !wordAtEnd.test(shown)) return false;
      const space = shown.slice(withoutTrailing(shown, ' ').length);
      last.appendData(last.data.endsWith(' ') ? fresh : space + fresh);
      shown = text;
      return true;
    },
    show(text, env) {
      const completed = completeMarkdown(text);
      patch(element, toFragment(renderBlocks(completed, newEnv(env.references)).join('')));
      shown = text;
      last = completed.startsWith(text.trimEnd()) ? lastText(element) : undefined;
    },
    showBlock(block) {
      clear();
      element.append(block);
    },
  };
}

/** @returns the last text node, unless it is in a link */
function lastText(root: Element): Text | undefined {
  let node: Node | null = root;
  while (node !== null && !(node instanceof Text)) {
    node = node.lastChild;
    // Skip the line ends between blocks.
    while (node instanceof Text && node.data.trim() === '' && node.previousSibling !== null)
      node = node.previousSibling;
  }
  return node?.parentElement?.closest('[data-href]') ? undefined : (node ?? undefined);
}
