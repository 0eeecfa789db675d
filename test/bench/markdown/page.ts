/** Runs in the benchmark's page: streams an answer into a renderer, one update a painted frame. */
import { createMarkdown } from '../../../webview/markdown/index.ts';

export interface Renderer {
  /** Returns `false` when there is nothing to paint. */
  update(text: string, settled: boolean): unknown;
  dispose(): void;
}
type NewRenderer = (container: HTMLElement, text: string) => Renderer;

/** What cannot be avoided: the finished blocks appended when they are due, made beforehand, and nothing else. */
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

const renderers: Record<string, NewRenderer> = {
  ours: (container) => createMarkdown(container, { onLink: () => undefined }),
  limit,
};

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Resolves after the frame that is being made is painted. */
function painted(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(undefined);
  });
}

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
   * Streams the deltas after `from`, up to `to`, following the end as a conversation does.
   * @returns the length in ms of each frame's work: the update, its layout and its paint
   */
  async stream(from: number, to: number): Promise<number[]> {
    const frames: number[] = [];
    if (current === undefined) return frames;
    const { renderer, text, deltas } = current;
    for (let delta = from + 1; delta <= to; delta++) {
      const started = performance.now();
      if (renderer.update(text.slice(0, Math.round((text.length * delta) / deltas)), delta === deltas) === false)
        continue;
      document.scrollingElement?.scrollTo(0, 1e9);
      await nextFrame();
      await painted();
      frames.push(performance.now() - started);
    }
    return frames;
  },
};

export type MarkdownBenchPage = typeof markdownBench;
Object.assign(window, { renderers, markdownBench });
