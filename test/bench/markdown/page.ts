/** Runs in the page of the benchmark: streams an answer into a renderer, one update per painted frame. */
import { createMarkdown } from '../../../webview/markdown/createMarkdown.ts';

export interface Renderer {
  /** @returns `false` if there is nothing to paint */
  update(text: string, settled: boolean): unknown;
}
type NewRenderer = (container: HTMLElement, text: string, deltas: number) => Renderer;

/** The unavoidable work: appending the prepared blocks when they are due. */
function limit(container: HTMLElement, text: string): Renderer {
  const whole = document.createElement('div');
  const due: { at: number; block: Element }[] = [];
  const handle = createMarkdown(whole, { onLink: () => undefined });
  const step = 200;
  for (let length = step; length < text.length; length += step) {
    handle.update(text.slice(0, length), false);
    for (const block of [...whole.querySelectorAll('.md-group > *')].slice(due.length)) due.push({ at: length, block });
  }
  handle.update(text, true);
  for (const block of [...whole.querySelectorAll('.md-group > *')].slice(due.length)) {
    due.push({ at: text.length, block });
  }
  let next = 0;
  let group = document.createElement('div');
  container.classList.add('md');
  return {
    update(now) {
      const before = next;
      for (let entry = due[next]; entry !== undefined && entry.at <= now.length; entry = due[++next]) {
        if (next % 16 === 0) {
          group.classList.add('md-finished');
          group = container.appendChild(document.createElement('div'));
          group.className = 'md-group';
        }
        group.append(entry.block);
      }
      return next > before;
    },
  };
}

/** The unavoidable painting of each update: appends the words as plain text and skips finished paragraphs. */
function bareWords(container: HTMLElement): Renderer {
  container.classList.add('md');
  let shown = 0;
  let group = container.appendChild(document.createElement('div'));
  let words: Text | undefined;
  const startParagraph = (): Text => {
    if (group.childElementCount === 16) {
      group.className = 'md-finished';
      group = container.appendChild(document.createElement('div'));
    }
    const started = document.createTextNode('');
    group.appendChild(document.createElement('p')).append(started);
    return started;
  };
  return {
    update(text) {
      const [first = '', ...others] = text.slice(shown).split('\n\n');
      words ??= startParagraph();
      words.appendData(first);
      for (const other of others) (words = startParagraph()).appendData(other);
      shown = text.length;
    },
  };
}

/** The part of a text that has arrived with a delta. */
const arrived = (text: string, deltas: number, delta: number): string =>
  text.slice(0, Math.round((text.length * delta) / deltas));

interface Change {
  redo(): void;
  undo(): void;
}

function changeOf({
  type,
  target,
  addedNodes,
  removedNodes,
  nextSibling,
  attributeName,
  oldValue,
}: MutationRecord): Change {
  if (type === 'characterData' && target instanceof Text) {
    const { data } = target;
    return { redo: () => (target.data = data), undo: () => (target.data = oldValue ?? '') };
  }
  if (type === 'attributes' && target instanceof Element && attributeName !== null) {
    const value = target.getAttribute(attributeName);
    const set = (to: string | null): void =>
      to === null ? target.removeAttribute(attributeName) : target.setAttribute(attributeName, to);
    return { redo: () => set(value), undo: () => set(oldValue) };
  }
  const [added, removed] = [[...addedNodes], [...removedNodes]];
  const replace = (old: readonly Node[], by: readonly Node[]): void => {
    for (const node of old) target.removeChild(node);
    for (const node of by) target.insertBefore(node, nextSibling);
  };
  return { redo: () => replace(removed, added), undo: () => replace(added, removed) };
}

/** The elements of ours without parsing and sanitizing: repeats the changes that ours has made to the page before. */
function readyElements(container: HTMLElement, text: string, deltas: number): Renderer {
  const handle = createMarkdown(container, { onLink: () => undefined });
  const records = new MutationObserver(() => undefined);
  records.observe(container, {
    ...{ subtree: true, childList: true, attributes: true, characterData: true },
    ...{ attributeOldValue: true, characterDataOldValue: true },
  });
  const changes = Array.from({ length: deltas }, (_, index): Change[] => {
    handle.update(arrived(text, deltas, index + 1), index + 1 === deltas);
    return records.takeRecords().map(changeOf);
  });
  records.disconnect();
  for (const change of changes.flat().reverse()) change.undo();
  let next = 0;
  return {
    update(now) {
      for (; next < deltas && arrived(text, deltas, next + 1).length <= now.length; next++)
        for (const change of changes[next] ?? []) change.redo();
    },
  };
}

const renderers: Record<string, NewRenderer> = {
  ours: (container) => createMarkdown(container, { onLink: () => undefined }),
  'ready elements': readyElements,
  'bare words': bareWords,
  limit,
};

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** One channel for all frames, because closing discarded channels takes time. */
const { port1: here, port2: there } = new MessageChannel();

/** Runs in its own task, because the browser counts only that as script time. @returns the result of the function */
function inTask<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => {
    here.onmessage = () => resolve(act());
    there.postMessage(undefined);
  });
}

/** Resolves after the current frame is painted. */
const painted = (): Promise<void> => inTask(() => undefined);

let current: { renderer: Renderer; text: string; deltas: number } | undefined;

const markdownBench = {
  /** Prepares a renderer for an answer, below the one before, as in a conversation. */
  start(name: string, text: string, deltas: number): void {
    const container = document.body.appendChild(document.createElement('div'));
    const renderer = renderers[name]?.(container, text, deltas);
    if (renderer === undefined) throw new Error(`No renderer ${name}`);
    current = { renderer, text, deltas };
  },
  /**
   * Streams the deltas from `from` to `to` and scrolls to the end, like a conversation.
   * @returns the milliseconds of work for each frame: update, layout and paint, without the time until the browser
   *   starts the frame, which it does at once or at its next tick
   */
  async stream(from: number, to: number): Promise<number[]> {
    const frames: number[] = [];
    if (current === undefined) return frames;
    const { renderer, text, deltas } = current;
    for (let delta = from + 1; delta <= to; delta++) {
      const now = arrived(text, deltas, delta);
      let started = 0;
      const isShown = await inTask(() => {
        started = performance.now();
        return renderer.update(now, delta === deltas) !== false;
      });
      if (!isShown) continue;
      document.scrollingElement?.scrollTo(0, 1e9);
      const updating = performance.now() - started;
      await nextFrame();
      const begun = performance.now();
      await painted();
      frames.push(updating + performance.now() - begun);
    }
    return frames;
  },
};

export type MarkdownBenchPage = typeof markdownBench;
Object.assign(window, { renderers, markdownBench });
