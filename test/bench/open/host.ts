/** Runs in the page before its own code: stands in for the host and observes what a reader would see. */
import type { ToWebview } from '../../../src/shared/protocol/chat.ts';

export interface OpenBenchPage {
  isReady: boolean;
  /** @returns milliseconds until the end of the thread is visible, and until the chart above it is */
  open(snapshot: ToWebview, end: string): Promise<{ end: number; chart: number }>;
  /** @returns milliseconds until the page is painted with another width */
  resize(width: number): Promise<number>;
}

declare global {
  interface Window {
    openBench: OpenBenchPage;
  }
}

/** Must be self-contained, because its source is sent to the page. */
export function standIn(): void {
  const PATIENCE = 240_000;
  const bench: OpenBenchPage = {
    isReady: false,
    async open(snapshot, end) {
      await frame();
      const start = performance.now();
      window.postMessage(snapshot, '*');
      await until(() => isInSight([...document.querySelectorAll('.turn:last-child .prose')].at(-1), end));
      const shown = performance.now() - start;
      await until(() => isInSight(document.querySelector('.turn:last-child [role=img][aria-label^=Chart]'), ''));
      return { end: shown, chart: performance.now() - start };
    },
    async resize(width) {
      await frame();
      const start = performance.now();
      document.body.style.width = `${width}px`;
      await frame();
      await frame();
      return performance.now() - start;
    },
  };
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  /** Waits for the frame after the one that contains it, so that it is painted. */
  const until = async (isSo: () => boolean): Promise<void> => {
    for (const start = performance.now(); !isSo(); await frame())
      if (performance.now() - start > PATIENCE) throw new Error('What should be shown is not.');
    await frame();
  };
  const isInSight = (element: Element | null | undefined, text: string): boolean => {
    const log = document.querySelector('.log')?.getBoundingClientRect();
    const box = element?.getBoundingClientRect();
    if (!element || !log || !box || box.height === 0 || !element.textContent.includes(text)) return false;
    const y = Math.min(box.bottom, log.bottom) - 4;
    return box.bottom <= log.bottom && element.contains(document.elementFromPoint(box.left + 4, y));
  };
  Object.assign(window, {
    openBench: bench,
    acquireVsCodeApi: () => ({
      postMessage: ({ type }: { type: string }) => (bench.isReady ||= type === 'ready'),
      setState: () => undefined,
      getState: () => undefined,
    }),
  });
}
