/**
 * Renders Markdown incrementally while it streams. A block is finished once the next one starts on a complete line; an
 * update renders only the block that is still open, so its cost does not grow with the text.
 */
import { allowedAddress } from '../../src/shared/text/plainText.ts';
import { newGroups } from './groups.ts';
import { keepSelection } from './keepSelection.ts';
import { lineStart, openFence, openTable, type OpenBlock } from './openBlocks.ts';
import { newEnv, outline, renderBlocks } from './parser.ts';
import { toFragment } from './sanitize.ts';
import { newSource } from './source.ts';
import { newTail } from './tail.ts';

interface MarkdownOptions {
  /** Called when a link is opened, with an `http`, `https` or `mailto` address. */
  onLink(href: string): void;
}

export interface MarkdownHandle {
  /**
   * Renders `text`. Incremental if it continues the text of the last call; any other text is rendered from its start.
   * @param settled whether the text is complete; until then, unfinished emphasis, links and tables are rendered as if
   *   they were closed
   */
  update(text: string, settled: boolean): void;
  /** Empties the container and removes the listeners. */
  dispose(): void;
}

/**
 * An open block longer than this (in characters) is rendered only after it has grown by `growth`, a fraction of its
 * length, or after `pause` milliseconds.
 */
const longTail = 8192;
const growth = 1 / 32;
const pause = 200;

/** @param container element that only the renderer changes; it gets the class `md` */
export function createMarkdown(container: HTMLElement, options: MarkdownOptions): MarkdownHandle {
  const tail = newTail();
  const groups = newGroups(container, () => (tail.element.parentNode === container ? tail.element : null));
  const stopLinks = serveLinks(container, (href) => options.onLink(href));
  container.classList.add('md');

  let source = newSource();
  let env = newEnv();
  let last: Element | undefined;
  let open: OpenBlock | undefined;
  let pending = '';
  let settledText: string | undefined;
  let shownLength = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function reset(): void {
    source = newSource();
    env = newEnv();
    last = undefined;
    open = undefined;
    pending = '';
    settledText = undefined;
    stopTimer();
    groups.clear();
    tail.clear();
    container.append(tail.element);
  }

  function finish(element: Element): void {
    last = element;
    groups.append(element);
  }

  function commit(text: string): void {
    for (const element of [...toFragment(renderBlocks(text, env).join('')).children]) finish(element);
  }

  /**
   * Feeds the pending text to the open block.
   * @returns whether the block has ended
   */
  function feedOpen(block: OpenBlock, settled: boolean): boolean {
    const { length, closed } = block.feed(pending, settled);
    pending = pending.slice(length);
    if (closed) {
      finish(block.element);
      open = undefined;
    }
    return closed;
  }

  /** Renders the blocks that are complete in the pending text and removes them from it. */
  function advance(settled: boolean): void {
    for (;;) {
      if (open !== undefined && !feedOpen(open, settled)) return;
      const length = settled ? pending.length : finishedLength(pending, env.references);
      if (length > 0) commit(pending.slice(0, length));
      pending = pending.slice(length);
      const started = openFence(pending) ?? openTable(pending, env);
      if (started === undefined) return;
      pending = pending.slice(started.length);
      open = started.block;
      tail.showBlock(open.element);
    }
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
    shownLength = 0;
  }

  /** Renders the pending text. A long open block is throttled, so that the total cost stays linear in its length. */
  function show(fresh: string): void {
    const waits = pending.length > longTail && pending.length - shownLength < pending.length * growth;
    if (open === undefined && waits) {
      timer ??= setTimeout(() => showNow(), pause);
      return;
    }
    showNow(fresh);
  }

  function showNow(fresh = '\n'): void {
    stopTimer();
    const advances = open !== undefined || fresh.includes('\n') || pending.length > longTail;
    if (advances || !tail.append(pending))
      change(() => {
        if (advances) advance(false);
        if (open === undefined && !tail.append(pending)) tail.show(pending, env);
      });
    shownLength = pending.length;
  }

  /** Runs `act` and restores a selection inside the elements that it replaces. */
  function change(act: () => void): void {
    keepSelection(container, tail.element, () => last, act);
  }

  /** Renders the text again if it has link definitions, which also apply to the blocks above them. */
  function applyDefinitions(text: string): void {
    if (Object.keys(env.references).length === 0) return;
    groups.clear();
    commit(text);
  }

  reset();
  return {
    update(text, settled) {
      if (settledText !== undefined) {
        if (text === settledText) return;
        reset();
      }
      let fresh = source.read(text, settled);
      if (fresh === undefined) {
        reset();
        fresh = source.read(text, settled) ?? '';
      }
      if (fresh === '' && !settled) return;
      pending += fresh;
      if (!settled) return show(fresh);
      stopTimer();
      change(() => {
        advance(true);
        applyDefinitions(text);
        tail.element.remove();
      });
      settledText = text;
    },
    dispose() {
      stopLinks();
      stopTimer();
      container.classList.remove('md');
      container.replaceChildren();
    },
  };
}

/** Token types of blocks that end with their own last line. */
const complete = new Set(['heading_open', 'hr']);
/** Token types of blocks that a blank line ends. */
const endedByBlank = new Set(['paragraph_open', 'reference_definition', 'table_open']);

/** @returns the length of the blocks at the start of `text` that later text cannot change */
function finishedLength(text: string, known: ReturnType<typeof newEnv>['references']): number {
  const lines = text.lastIndexOf('\n') + 1;
  if (lines === 0) return 0;
  const whole = text.slice(0, lines);
  const last = outline(whole, known).at(-1);
  const endsBlank = /(?:^|\n)[ \t]*\n$/.test(whole);
  if (last === undefined) return endsBlank ? lines : 0;
  if (complete.has(last.type) || (endsBlank && endedByBlank.has(last.type))) return lines;
  return lineStart(whole, last.line);
}

/**
 * Opens links on click and on Enter. VS Code opens every `a[href]` that is clicked in a webview, including the `vscode:`
 * addresses of other extensions, so links have no `href`: the address is in `data-href`, for this handler.
 * @param root contains the links
 * @param onLink called with an allowed address
 * @returns a function that removes the listeners
 */
function serveLinks(root: HTMLElement, onLink: (href: string) => void): () => void {
  const open = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('[data-href]') : null;
    const address = allowedAddress(link?.getAttribute('data-href') ?? '');
    if (address === undefined) return;
    event.preventDefault();
    onLink(address);
  };
  const openOnEnter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.isComposing) open(event);
  };
  root.addEventListener('click', open);
  root.addEventListener('keydown', openOnEnter);
  return () => {
    root.removeEventListener('click', open);
    root.removeEventListener('keydown', openOnEnter);
  };
}
