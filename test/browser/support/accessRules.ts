/**
 * Checks a page with axe-core: WCAG 2.2 AA including the size of targets. Beside these, controls show the focus, and
 * names that are cut off end with an ellipsis.
 */
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

/** The controls of the page; those of the toolkit have styles of their own. */
const CONTROLS = ':is(button, summary, input, textarea, select, [tabindex]):not(:disabled, main)';

/** @returns the controls that look the same with the focus */
async function unseen(page: Page): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  const force = async (selector: string, forcedPseudoClasses: string[]): Promise<void> => {
    const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
    const states = nodeIds.map((nodeId) => cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }));
    // A control may have gone meanwhile.
    await Promise.allSettled(states);
  };
  const usual = await page.evaluateHandle(looksOf, CONTROLS);
  await force(`:has(> ${CONTROLS}):not(${CONTROLS})`, ['focus-within']);
  await force(CONTROLS, ['focus', 'focus-visible', 'focus-within']);
  const focused = await page.evaluateHandle(looksOf, CONTROLS);
  await cdp.detach();
  return page.evaluate(
    ([before, now]) =>
      [...before].flatMap(([control, look]) => (now.get(control) === look ? [`no focus: ${look}`] : [])),
    [usual, focused] as const,
  );
}

/** Runs in the page. @returns what could tell that a control has the focus, for each visible one that can't have it yet */
function looksOf(controls: string): Map<Element, string> {
  const found = new Map<Element, string>();
  for (const control of document.querySelectorAll(controls)) {
    if (!control.checkVisibility() || control.parentElement!.contains(document.activeElement)) continue;
    const parts = [control, control.parentElement!].map((element) => {
      const { outlineStyle, outlineColor, borderColor, backgroundColor } = getComputedStyle(element);
      return [outlineStyle === 'none' ? '' : outlineColor, borderColor, backgroundColor].join();
    });
    found.set(control, `${control.outerHTML.slice(0, 100)} ${parts.join(' | ')}`);
  }
  return found;
}

/** Runs in the page. @returns lines of text that would be cut off without an ellipsis, or have one that never shows */
function cutOff(): string[] {
  return [...document.querySelectorAll('main *')].flatMap((element) => {
    if (!element.checkVisibility() || element.matches('svg *, .visually-hidden')) return [];
    const { overflowX, textOverflow, whiteSpace } = getComputedStyle(element);
    const has = [overflowX === 'hidden' || overflowX === 'clip', whiteSpace === 'nowrap', textOverflow === 'ellipsis'];
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE);
    return (has[2] || (hasText && has[0] && has[1])) && has.includes(false)
      ? [`is cut off without an ellipsis: ${element.localName}.${element.className}`]
      : [];
  });
}

/** Fails unless the page keeps the rules in each kind of theme. */
export async function keepsAccessRules(page: Page, editor: { setTheme(theme: Theme): Promise<void> }): Promise<void> {
  await editor.setTheme('dark');
  const found = [...(await unseen(page)), ...(await page.evaluate(cutOff))];
  for (const theme of Object.keys(themes) as Theme[]) {
    await editor.setTheme(theme);
    for (const violation of await violations(page)) found.push(`${theme}: ${violation}`);
  }
  assert.deepEqual(found, []);
}
