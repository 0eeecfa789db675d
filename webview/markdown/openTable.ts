import { completeLine } from './complete.ts';
import { lineStart, type OpenBlock } from './openFence.ts';
import { longTable, newEnv, outline, renderBlocks, rowsPerBody, type Env } from './parser.ts';
import { patch } from './patch.ts';
import { toFragment } from './sanitize.ts';

/** Two lines, the second of which can be a delimiter row. */
const opening = /^[^\n]*\n[|: \t-]*\n/;

/**
 * Starts the incremental rendering of a table: each finished row is rendered once, parsed under the table's header.
 * @param text an open block
 * @param env the link definitions so far
 * @returns the open block and the length of its header; `undefined` if `text` does not start with a complete header
 */
export function openTable(text: string, env: Env): { block: OpenBlock; length: number } | undefined {
  const head = opening.exec(text)?.[0];
  if (head === undefined) return undefined;
  const [block] = outline(head, env.references);
  if (block?.type !== 'table_open' || block.line !== 0) return undefined;
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

  function append(row: Element): void {
    if (rows % rowsPerBody === 0) body = undefined;
    if (body === undefined) {
      body = document.createElement('tbody');
      body.setAttribute('role', 'rowgroup');
      body.append('\n');
      table.append(body, '\n');
    }
    body.append(row, '\n');
    rows += 1;
    if (rows > longTable) table.className = 'md-long';
  }

  /** @returns the row elements of `lines` */
  function rendered(lines: string): Element[] {
    const html = renderBlocks(bareHead + lines, newEnv(env.references))[0] ?? '';
    const start = html.indexOf('<tbody');
    return start < 0 ? [] : [...toFragment(`<table>${html.slice(start)}`).querySelectorAll('tr')];
  }

  function showUnfinished(text: string): void {
    const [row] = text.trim() === '' ? [] : rendered(completeLine(text));
    if (row && unfinishedRow) return patch(unfinishedRow, row);
    unfinishedRow?.remove();
    unfinishedRow = row;
    if (row) (body ?? table).append(row);
  }

  return {
    element: wrapper,
    feed(text, settled) {
      const whole = settled ? text : text.slice(0, text.lastIndexOf('\n') + 1);
      let length = 0;
      if (whole !== '') {
        const end = (outline(head + whole, env.references)[0]?.end ?? 2) - 2;
        const lines = whole.split('\n').length - (whole.endsWith('\n') ? 1 : 0);
        length = end >= lines ? whole.length : lineStart(whole, end);
        unfinishedRow?.remove();
        unfinishedRow = undefined;
        if (length > 0) for (const row of rendered(whole.slice(0, length))) append(row);
      }
      const closed = settled || length < whole.length;
      if (!closed) showUnfinished(text.slice(length));
      return { length, closed };
    },
  };
}
