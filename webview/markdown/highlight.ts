/** Colours for code: highlight.js with the few languages that answers about data are written in. */
import hljs from 'highlight.js/lib/core';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './escape.ts';
import { toFragment } from './sanitize.ts';

for (const [name, language] of Object.entries({ javascript, json, python, sql, yaml })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(['bigquery', 'dbt', 'duckdb', 'mysql', 'pgsql', 'postgres', 'postgresql', 'snowflake', 'sqlite'], {
  languageName: 'sql',
});
hljs.registerAliases(['ts', 'tsx', 'typescript'], { languageName: 'javascript' });

/** A chunk ends with the first line that reaches this many characters, so that long code is coloured piece by piece. */
const chunkLength = 2048;
/** Longer lines are data, not code to be read; they stay plain. */
const longestLine = 8192;

/**
 * Cuts code into the pieces that are coloured independently. A cut depends only on what precedes it, so code that
 * still grows has the same pieces as when it is finished.
 * @returns the pieces in order; together they are `code`
 */
export function chunksOf(code: string): string[] {
  const chunks: string[] = [];
  let from = 0;
  for (;;) {
    const end = chunkEnd(code, from);
    if (end === undefined) break;
    chunks.push(code.slice(from, end));
    from = end;
  }
  if (from < code.length) chunks.push(code.slice(from));
  return chunks;
}

/** @returns where the piece that starts at `from` ends, or `undefined` while it is open */
export function chunkEnd(code: string, from: number): number | undefined {
  const newline = code.indexOf('\n', from + chunkLength - 1);
  return newline === -1 || newline + 1 === code.length ? undefined : newline + 1;
}

/**
 * @param code one piece of code
 * @param language as named in the Markdown; an unknown one leaves the code plain
 * @returns HTML with highlight.js's classes, everything else escaped
 */
export function highlightChunk(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined || hasLongLine(code)) return escapeHtml(code);
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

function hasLongLine(code: string): boolean {
  return code.length > longestLine && code.split('\n').some((line) => line.length > longestLine);
}

/** So many pieces are in one element that the browser skips while it is out of sight. */
export const chunksPerPart = 2;

/** @returns HTML of all of the code: its pieces, each in an element of its own */
export function highlightCode(code: string, language: string): string {
  const chunks = chunksOf(code).map((chunk) => `<span class="md-chunk">${highlightChunk(chunk, language)}</span>`);
  let html = '';
  for (let from = 0; from < chunks.length; from += chunksPerPart) {
    html += `<span class="md-part">${chunks.slice(from, from + chunksPerPart).join('')}</span>`;
  }
  return html;
}

/**
 * @param sql any text
 * @returns safe nodes to append inside `pre` or `code.hljs`; their text is exactly `sql`
 */
export function highlightSql(sql: string): DocumentFragment {
  return toFragment(highlightCode(sql, 'sql'));
}
