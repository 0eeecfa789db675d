/** What happened, in order. */
export type Mark = 'clicked' | 'page' | 'shown' | 'typed' | 'complete';

declare global {
  interface Window {
    /** @param time in Unix milliseconds */
    benchMark(mark: Mark, time: number): void;
  }
}

/**
 * Runs in each frame of the window: reports the click on an icon, and when the composer is shown, whereupon a key is
 * pressed, when it has taken the key, and when the page is complete and has kept what was typed.
 */
export function watchComposer(): void {
  const now = (): number => performance.timeOrigin + performance.now();
  const isTop = window.parent === window;
  /** VS Code's own chat is part of the workbench and has an editor; a webview is a frame in a frame. */
  const find = (): { field: HTMLElement; text: string; startedAt?: number; busy?: boolean } | undefined => {
    const page = isTop ? undefined : document.querySelector<HTMLIFrameElement>('#active-frame')?.contentWindow;
    const field = isTop
      ? document.querySelector<HTMLElement>('.interactive-session :is(.native-edit-context, textarea)')
      : page?.document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]:enabled');
    if (!field?.checkVisibility()) return undefined;
    if ('value' in field && page) {
      const busy = page.document.querySelector('[aria-busy]') !== null;
      return { field, text: String(field.value), startedAt: page.performance.timeOrigin, busy };
    }
    return { field, text: document.querySelector('.interactive-session .view-lines')?.textContent ?? '' };
  };
  let isShown = false;
  const look = (): void => {
    const found = find();
    if (found && !isShown) {
      isShown = true;
      found.field.focus();
      if (found.startedAt !== undefined) window.benchMark('page', found.startedAt);
      window.benchMark('shown', now());
    }
    const isTyped = found?.text.includes('x') === true;
    if (isTyped) window.benchMark('typed', now());
    if (isTyped && !found?.busy) window.benchMark('complete', now());
    else requestAnimationFrame(look);
  };
  const report = ({ timeStamp }: Event): void => window.benchMark('clicked', performance.timeOrigin + timeStamp);
  if (isTop) addEventListener('pointerdown', report, { capture: true });
  requestAnimationFrame(look);
}
