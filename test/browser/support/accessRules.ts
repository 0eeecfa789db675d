/** Checks a page with axe-core: WCAG 2.2 AA including the size of targets. */
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { themes } from './themes.ts';

export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // Skipped content outside the viewport has no size.
    const all = new CSSStyleSheet();
    all.replaceSync('* { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, all];
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      rules: { 'target-size': { enabled: true } },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  });
}

type Theme = keyof typeof themes;

/** Fails unless the page keeps the rules in each kind of theme. */
export async function keepsAccessRules(page: Page, editor: { setTheme(theme: Theme): Promise<void> }): Promise<void> {
  const found: string[] = [];
  for (const theme of Object.keys(themes) as Theme[]) {
    await editor.setTheme(theme);
    for (const violation of await violations(page)) found.push(`${theme}: ${violation}`);
  }
  assert.deepEqual(found, []);
}
