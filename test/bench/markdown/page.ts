/** Runs in the page of the benchmark: streams an answer into a renderer, one update per painted frame. */
import { createMarkdown } from '../../../webview/markdown/createMarkdown.ts';

export interface Renderer {
  /** @returns `false` if there is nothing to paint */
  update(text: string, settled: boolean): unknown;
  dispose(): void;
}
type NewRenderer = (container: HTMLElement, text: string) => Renderer;

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
    dispose: () => undefined,
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
    dispose: () => undefined,
  };
}

const renderers: Record<string, NewRenderer> = {
  ours: (container) => createMarkdown(container, { onLink: () => undefined }),
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
  /** Prepares a renderer for an answer. */
  start(name: string, text: string, deltas: number): void {
    current?.renderer.dispose();
    document.body.replaceChildren();
    const container = document.body.appendChild(document.createElement('div'));
    const renderer = renderers[name]?.(container, text);
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
      const now = text.slice(0, Math.round((text.length * delta) / deltas));
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
