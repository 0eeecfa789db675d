/** Highlights code with highlight.js, limited to the languages that are common in answers about data. */
import hljs from 'highlight.js/lib/core';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from '../../src/shared/text/plainText.ts';
import { toFragment } from './sanitize.ts';

for (const [name, language] of Object.entries({ javascript, json, python, sql, yaml })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(['bigquery', 'dbt', 'duckdb', 'mysql', 'pgsql', 'postgres', 'postgresql', 'snowflake', 'sqlite'], {
  languageName: 'sql',
});
hljs.registerAliases(['ts', 'tsx', 'typescript'], { languageName: 'javascript' });

/** Length in characters from which a chunk ends at the next line end. Chunks are highlighted one by one. */
const chunkLength = 2048;
/** Longest line, in characters, that is highlighted: longer lines are data rather than code. */
const longestLine = 8192;

/**
 * Splits code into chunks that are highlighted independently. A boundary depends only on the text before it, so code
 * that is still growing has the same chunks as when it is complete.
 * @returns the chunks in order; joined, they equal `code`
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

/** @returns the end offset of the chunk that starts at `from`, or `undefined` while that chunk is incomplete */
export function chunkEnd(code: string, from: number): number | undefined {
  const newline = code.indexOf('\n', from + chunkLength - 1);
  return newline === -1 || newline + 1 === code.length ? undefined : newline + 1;
}

/**
 * @param code one chunk
 * @param language the name given in the Markdown; code in an unknown language is only escaped
 * @returns HTML with highlight.js classes; the text is escaped
 */
export function highlightChunk(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined || hasLongLine(code)) return escapeHtml(code);
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

function hasLongLine(code: string): boolean {
  return code.length > longestLine && code.split('\n').some((line) => line.length > longestLine);
}

/** Chunks per `.md-part`, the element that the browser skips while it is off-screen. */
export const chunksPerPart = 2;

/** @returns the HTML of all code: one element per chunk, grouped into `.md-part` elements */
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
 * @returns sanitized nodes to append to `pre` or `code.hljs`; their text content equals `sql`
 */
export function highlightSql(sql: string): DocumentFragment {
  return toFragment(highlightCode(sql, 'sql'));
}
