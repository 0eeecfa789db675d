/** Runs in the test page: the renderer, and loops over it that would be slow from outside. */
import { createMarkdown, type MarkdownHandle } from '../../../webview/markdown/createMarkdown.ts';
import { highlightSql } from '../../../webview/markdown/highlight.ts';
import { toFragment } from '../../../webview/markdown/sanitize.ts';

/** A renderer in its own element. */
export interface Rendered {
  container: HTMLElement;
  handle: MarkdownHandle;
  opened: string[];
}

export function newRenderer(): Rendered {
  const container = document.createElement('div');
  document.body.append(container);
  const opened: string[] = [];
  const handle = createMarkdown(container, { onLink: (href) => opened.push(href) });
  return { container, handle, opened };
}

/** @returns the HTML of the blocks without their groups */
export function blocksHtml(container: HTMLElement): string {
  return [...container.querySelectorAll('.md-group > *')].map((block) => block.outerHTML).join('\n');
}

/** Renders texts as the successive steps of one growing answer; the last one is final. */
export function stream(steps: readonly string[]): Rendered {
  const rendered = newRenderer();
  for (const [index, step] of steps.entries()) rendered.handle.update(step, index === steps.length - 1);
  return rendered;
}

/** @returns the HTML of the finished blocks after these steps */
function outcome(steps: readonly string[]): string {
  const rendered = stream(steps);
  const html = blocksHtml(rendered.container);
  rendered.container.remove();
  rendered.handle.dispose();
  return html;
}

/**
 * Compares text that is streamed in two parts, and letter by letter, with the same text rendered at once.
 * @param first the first position at which the text is cut in two
 * @param step the distance to the next one
 * @returns the first position with a difference: `-1` for letter by letter, `undefined` if all are equal
 */
export function firstDifference(text: string, first: number, step: number): number | undefined {
  const expected = outcome([text]);
  const prefixes = Array.from({ length: text.length }, (_, length) => text.slice(0, length));
  if (outcome([...prefixes, text]) !== expected) return -1;
  for (let at = first; at < text.length; at += step) if (outcome([text.slice(0, at), text]) !== expected) return at;
  return undefined;
}

/** @returns whether the text streamed in these steps, and then completed, equals the text rendered at once */
export function sameInSteps(text: string, cuts: readonly number[]): boolean {
  return outcome([...cuts.map((cut) => text.slice(0, cut)), text]) === outcome([text]);
}

/** @returns the HTML of a text rendered at once */
export function html(text: string): string {
  const { container, handle } = stream([text]);
  const result = blocksHtml(container);
  handle.dispose();
  container.remove();
  return result;
}

const elements = new Set(
  'A BLOCKQUOTE BR CODE DIV EM H1 H2 H3 H4 H5 H6 HR LI OL P PRE S SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(' '),
);
const attributes = new Set('class data-href dir role start tabindex title'.split(' '));

/**
 * Renders an answer grapheme by grapheme, then clicks each element and presses Enter on it.
 * @returns what an answer must not contain: other elements, other attributes, and opened URLs that are not allowed
 */
export function offences(text: string): string[] {
  const step = Math.max(1, Math.ceil(text.length / 8));
  const rendered = newRenderer();
  const found: string[] = [];
  for (let length = step; length < text.length + step; length += step) {
    rendered.handle.update(text.slice(0, length), false);
    found.push(...foreign(rendered.container));
  }
  rendered.handle.update(text, true);
  found.push(...foreign(rendered.container));
  for (const element of rendered.container.querySelectorAll<HTMLElement>('*')) {
    element.click();
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  }
  for (const address of rendered.opened) if (!/^(https?|mailto):/.test(address)) found.push(`opened ${address}`);
  rendered.handle.dispose();
  rendered.container.remove();
  return found;
}

/** @returns what an answer must not contain, of HTML as the renderer would output it if it failed to escape the text */
export function unsanitized(html: string): string[] {
  const container = document.body.appendChild(document.createElement('div'));
  container.append(toFragment(html));
  const found = foreign(container);
  container.remove();
  return found;
}

function foreign(container: HTMLElement): string[] {
  const found: string[] = [];
  for (const element of container.querySelectorAll('*')) {
    if (!elements.has(element.tagName)) found.push(`<${element.tagName}>`);
    for (const { name } of element.attributes) if (!attributes.has(name)) found.push(`${element.tagName}[${name}]`);
  }
  return found;
}

const api = {
  newRenderer,
  blocksHtml,
  stream,
  html,
  firstDifference,
  sameInSteps,
  offences,
  unsanitized,
  highlightSql,
};
export type MarkdownPage = typeof api;
Object.assign(window, { markdown: api });
