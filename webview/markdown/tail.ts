import { mend } from './mend.ts';
import { newEnv, renderBlocks, type Env } from './parser.ts';
import { patch } from './patch.ts';
import { toFragment } from './sanitize.ts';
import { withoutTrailing } from '../../src/shared/text/trim.ts';

/** What is shown of the text that is not finished yet. */
interface Tail {
  readonly element: HTMLElement;
  /**
   * @param text all of the unfinished text
   * @param env link definitions so far
   */
  show(text: string, env: Env): void;
  /** Shows a block that is kept up to date by others. */
  showBlock(block: Element): void;
  clear(): void;
}

/** Words that mean nothing in Markdown, wherever they stand behind a word. */
const words = /^[\p{L}\p{N} ,]+$/u;
const wordAtEnd = /[\p{L}\p{N},] *$/u;

/** An element for the end of an answer. */
export function newTail(): Tail {
  const element = document.createElement('div');
  element.className = 'md-tail';
  let shown = '';
  /** The text node at the end, while nothing of `shown` is left out in it. */
  let last: Text | undefined;

  function clear(): void {
    shown = '';
    last = undefined;
    element.replaceChildren();
  }

  /** Most of what comes are plain words: these are appended where the text ends. */
  function append(text: string): boolean {
    if (last === undefined || !text.startsWith(shown)) return false;
    const fresh = text.slice(shown.length);
    if (!words.test(fresh) || !wordAtEnd.test(shown)) return false;
    const space = shown.slice(withoutTrailing(shown, ' ').length);
    last.appendData(last.data.endsWith(' ') ? fresh : space + fresh);
    shown = text;
    return true;
  }

  return {
    element,
    clear,
    show(text, env) {
      if (append(text)) return;
      const mended = mend(text);
      patch(element, toFragment(renderBlocks(mended, newEnv(env.references)).join('')));
      shown = text;
      last = mended.startsWith(text.trimEnd()) ? lastText(element) : undefined;
    },
    showBlock(block) {
      clear();
      element.append(block);
    },
  };
}

/** @returns the text at the very end, unless it belongs to a link */
function lastText(root: Element): Text | undefined {
  let node: Node | null = root;
  while (node !== null && !(node instanceof Text)) {
    node = node.lastChild;
    // The line ends between blocks.
    while (node instanceof Text && node.data.trim() === '' && node.previousSibling !== null)
      node = node.previousSibling;
  }
  return node?.parentElement?.closest('[data-href]') ? undefined : (node ?? undefined);
}
