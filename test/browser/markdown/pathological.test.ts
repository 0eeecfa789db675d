import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser.ts';
import { pathological } from './pathological.ts';

/** Milliseconds; linear rendering takes far less, quadratic rendering would take minutes. */
const length = 50_000;
const patience = 20_000;

describe('Pathological Markdown', () => {
  let page: Page | undefined;

  /** Renders in a page that is closed if it does not respond in time. */
  async function renders(text: string): Promise<boolean> {
    page ??= (await openMarkdownPage()).page;
    const rendering = page.evaluate((whole) => {
      const steps = Array.from({ length: 25 }, (_, step) => whole.slice(0, (whole.length * step) / 25));
      const { container, handle } = window.markdown.stream([...steps, whole]);
      const isShown = container.childElementCount > 0 || whole.startsWith('[');
      handle.dispose();
      container.remove();
      return isShown;
    }, text);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), patience)));
    const isDone = await Promise.race([rendering.catch(() => false), late]);
    clearTimeout(timer);
    if (!isDone) {
      void page.close().catch(() => undefined);
      page = undefined;
    }
    return isDone;
  }

  for (const [name, make] of Object.entries(pathological)) {
    it(`is rendered in time: ${name}`, async () => {
      assert.ok(await renders(make(length)));
    });
  }
});
