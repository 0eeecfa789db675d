/** Renders code blocks and tables that are still open, without rendering their finished lines again. */
import { completeLine } from './complete.ts';
import { chunkEnd, chunksPerPart, highlightChunk } from './highlight.ts';
import { fenceHtml, languageOf, longTable, newEnv, outline, renderBlocks, rowsPerBody, type Env } from './parser.ts';
import { patch, toFragment } from './sanitize.ts';

/** A block at the end of the text, which later text can extend. */
export interface OpenBlock {
  readonly element: HTMLElement;
  /**
   * @param text the text after the part that has been consumed
   * @param settled whether `text` reaches the end of the answer
   * @returns the consumed length of `text`, and whether the block ends there
   */
  feed(text: string, settled: boolean): { length: number; closed: boolean };
}

/** @returns the offset of the start of a line, counted from 0 */
export function lineStart(text: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count++) at = text.indexOf('\n', at) + 1;
  return at;
}

const opening = /^(`{3,}(?=[^`\n]*\n)|~{3,}(?!~))([^\n]*)\n/;

/**
 * Starts the incremental rendering of a fenced code block: an update highlights only the chunk that its lines belong
 * to.
 * @param text a block without indentation
 * @returns the open block and the length of its first line; `undefined` if `text` does not start with an opening fence
 */
export function openFence(text: string): { block: OpenBlock; length: number } | undefined {
  const match = opening.exec(text);
  if (match === null) return undefined;
  const [line, marker = '', info = ''] = match;
  return { block: fenceBlock(marker, languageOf(info)), length: line.length };
}

function fenceBlock(marker: string, language: string): OpenBlock {
  const closing = new RegExp(`^ {0,3}${marker}${marker[0]}*[ \\t]*$`);
  const mayClose = new RegExp(`^ {0,3}${marker[0]}*[ \\t]*$`);
  const element = toFragment(fenceHtml('', language)).firstElementChild as HTMLElement;
  const code = element.querySelector('code') as HTMLElement;
  const unfinishedLine = document.createTextNode('');
  let chunk = '';
  let chunkElement: HTMLElement | undefined;
  let part: HTMLElement | undefined;

  function color(): void {
    for (let end = chunkEnd(chunk, 0); end !== undefined; end = chunkEnd(chunk, 0)) {
      fill(chunk.slice(0, end));
      chunk = chunk.slice(end);
      chunkElement = undefined;
    }
    if (chunk !== '') fill(chunk);
  }

  function fill(text: string): void {
    chunkElement ??= newChunk();
    unfinishedLine.remove();
    // Without `<p>`, the parser drops a leading form feed.
    patch(chunkElement, toFragment(`<p>${highlightChunk(text, language)}`).firstChild as Element);
  }

  function newChunk(): HTMLElement {
    if (part === undefined || part.childElementCount >= chunksPerPart) part = appendSpan(code, 'md-part');
    return appendSpan(part, 'md-chunk');
  }

  /** Shows the last line while it has no line end, unless it may become the closing fence. */
  function showUnfinished(text: string): void {
    unfinishedLine.data = mayClose.test(text) ? '' : text;
    const parent = chunkElement ?? code;
    if (unfinishedLine.parentNode !== parent || parent.lastChild !== unfinishedLine) parent.append(unfinishedLine);
  }

  return {
    element,
    feed(text, settled) {
      let from = 0;
      let closed = false;
      let lines = '';
      for (let end = text.indexOf('\n'); end !== -1 && !closed; end = text.indexOf('\n', from)) {
        const line = text.slice(from, end);
        closed = closing.test(line);
        if (!closed) lines += `${line}\n`;
        from = end + 1;
      }
      if (settled && !closed) {
        closed = true;
        // Ignore a last line of spaces only.
        const rest = text.slice(from);
        if (!closing.test(rest) && /[^ \t]/.test(rest)) lines += rest;
        from = text.length;
      }
      chunk += lines;
      if (lines !== '') color();
      if (closed) unfinishedLine.remove();
      else showUnfinished(text.slice(from));
      return { length: from, closed };
    },
  };
}

function appendSpan(parent: HTMLElement, name: string): HTMLElement {
  const span = document.createElement('span');
  span.className = name;
  parent.append(span);
  return span;
}

/** Two lines, the second of which can be a delimiter row. */
const tableOpening = /^[^\n]*\n[|: \t-]*\n/;

/**
 * Starts the incremental rendering of a table: each finished row is rendered once, parsed under the table's header.
 * @param text an open block
 * @param env the link definitions so far
 * @returns the open block and the length of its header; `undefined` if `text` does not start with a complete header
 */
export function openTable(text: string, env: Env): { block: OpenBlock; length: number } | undefined {
  const head = tableOpening.exec(text)?.[0];
  if (head === undefined) return undefined;
  const [block] = outline(head, env.references);
  if (block?.type !== 'table_open') return undefined;
  return { block: tableBlock(head, env), length: head.length };
}

function tableBlock(head: string, env: Env): OpenBlock {
  const wrapper = toFragment(renderBlocks(head, newEnv(env.references)).join('')).firstElementChild as HTMLElement;
  const table = wrapper.querySelector('table') as HTMLTableElement;
  /** The header without text, under which rows are parsed. */
  const bareHead = `|${' |'.repeat(table.querySelectorAll('th').length)}${head.slice(head.indexOf('\n'))}`;
  let body: HTMLElement | undefined;
  let rows = 0;
  let unfinishedRow: Element | undefined;

  /** Shows a row in place of the unfinished one, if there is one. */
  function show(row: Element): Element {
    if (unfinishedRow === undefined) return row;
    patch(unfinishedRow, row);
    return unfinishedRow;
  }

  function append(row: Element): void {
    const shown = show(row);
    unfinishedRow = undefined;
    if (rows % rowsPerBody === 0) body = undefined;
    if (body === undefined) {
      body = document.createElement('tbody');
      body.setAttribute('role', 'rowgroup');
      body.append('\n');
      table.append(body, '\n');
    }
    if (shown.parentNode !== body) body.append(shown);
    body.append('\n');
    rows += 1;
    if (rows > longTable) table.className = 'md-long';
  }

  function showUnfinished(row: Element | undefined): void {
    if (row === undefined) unfinishedRow?.remove();
    else if (unfinishedRow === undefined) (body ?? table).append(row);
    unfinishedRow = row && show(row);
  }

  /** @returns the row of each line in `lines`, up to the end of the table */
  function rendered(lines: string): Element[] {
    if (lines.trim() === '') return [];
    const html = renderBlocks(bareHead + lines, newEnv(env.references))[0] ?? '';
    const start = html.indexOf('<tbody');
    return start < 0 ? [] : [...toFragment(`<table>${html.slice(start)}`).querySelectorAll('tr')];
  }

  return {
    element: wrapper,
    feed(text, settled) {
      const whole = settled ? text : text.slice(0, text.lastIndexOf('\n') + 1);
      const lines = whole.split('\n').length - (whole === '' || whole.endsWith('\n') ? 1 : 0);
      const found = rendered(whole + completeLine(text.slice(whole.length)));
      for (const row of found.slice(0, lines)) append(row);
      const closed = settled || found.length < lines;
      showUnfinished(closed ? undefined : found[lines]);
      return { length: found.length < lines ? lineStart(whole, found.length) : whole.length, closed };
    },
  };
}
