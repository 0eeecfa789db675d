/**
 * Parses and renders Markdown: CommonMark with GFM tables and strikethrough, without HTML but `<br>`. Also extracts its
 * visible text, for searching.
 */
import MarkdownIt from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { allowedAddress, escapeHtml } from '../../src/shared/text/plainText.ts';
import { highlightCode } from './highlight.ts';

/** Environment of a parse: the link definitions so far, and the tag of the link that is being rendered. */
export interface Env {
  [key: string | symbol]: unknown;
  references: Record<string, { title: string; href: string }>;
  link?: 'a' | 'span';
  /** Number of rows rendered in the table's body; `undefined` in its header. */
  row?: number;
}

/**
 * @param known definitions of earlier text; they are not changed, and take precedence over later ones of the same name
 */
export function newEnv(known: Env['references'] | null = null): Env {
  return { references: Object.create(known) as Env['references'] };
}

/**
 * In text without spaces between words, CommonMark leaves `**` beside punctuation as it is: `**注意：**収入`. Agents mean
 * emphasis there. The plugin changes only emphasis beside Chinese, Japanese and Korean characters.
 */
const md = new MarkdownIt({ html: false, linkify: true }).use(cjkFriendly);
type Token = ReturnType<typeof md.parse>[number];

md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// Parse every address as a link: the renderer decides which links can be opened.
md.validateLink = () => true;

/** Agents write line breaks in cells of tables as HTML, for which Markdown has no other form. */
md.inline.ruler.before('html_inline', 'line_break', (state, silent) => {
  const tag = /^<br ?\/?>/i.exec(state.src.slice(state.pos, state.pos + 6))?.[0];
  if (tag === undefined) return false;
  if (!silent) state.push('hardbreak', 'br', 0);
  state.pos += tag.length;
  return true;
});

/** Rows with more empty cells at their end are rendered without them. */
const mostEmptyCells = 16;

/** The parser adds the cells that a row lacks: a short table of many columns would have tens of thousands of them. */
md.core.ruler.after('block', 'short_rows', (state) => {
  const kept: Token[] = [];
  for (const token of state.tokens) {
    if (token.type === 'tr_close') {
      let end = kept.length;
      while (kept[end - 1]?.type === 'td_close' && kept[end - 2]?.content === '') end -= 3;
      if (kept.length - end > mostEmptyCells * 3) kept.length = end;
    }
    kept.push(token);
  }
  state.tokens = kept;
});

const rules = md.renderer.rules;

function linkTag(address: string): string {
  const href = escapeHtml(address);
  return `<a class="md-link" role="link" tabindex="0" title="${href}" data-href="${href}">`;
}

rules.link_open = (tokens, index, _options, env) => {
  const address = allowedAddress(String(tokens[index]?.attrGet('href') ?? ''));
  (env as Env).link = address === undefined ? 'span' : 'a';
  return address === undefined ? '<span class="md-unlinked">' : linkTag(address);
};
rules.link_close = (_tokens, _index, _options, env) => {
  const tag = (env as Env).link ?? 'a';
  delete (env as Env).link;
  return `</${tag}>`;
};

// Answers never load anything remote: an image becomes a link to its address.
rules.image = (tokens, index, options, env) => {
  const token = tokens[index];
  const alt = escapeHtml(md.renderer.renderInlineAsText(token?.children ?? [], options, env));
  const address = allowedAddress(String(token?.attrGet('src') ?? ''));
  if (address === undefined || (env as Env).link !== undefined) return `<span class="md-image">${alt}</span>`;
  return `${linkTag(address)}${alt === '' ? escapeHtml(address) : alt}</a>`;
};

rules.fence = (tokens, index) => {
  const token = tokens[index];
  return fenceHtml(token?.content ?? '', languageOf(token?.info ?? ''));
};
rules.code_block = (tokens, index) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;

// The direction of a list or a quote, and so the side of its markers, follows its first letter.
for (const type of ['bullet_list_open', 'ordered_list_open', 'blockquote_open'])
  rules[type] = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet('dir', 'auto');
    return renderer.renderToken(tokens, index, options);
  };

/** Rows per `tbody`: the browser skips the bodies of a long table that are off-screen. */
export const rowsPerBody = 100;
/** Tables with more rows are laid out row by row, in columns of equal width. */
export const longTable = 100;

rules.table_open = (tokens, index) => {
  let rows = 0;
  for (let at = index; tokens[at]?.type !== 'table_close'; at++) if (tokens[at]?.type === 'tr_open') rows += 1;
  const kind = rows - 1 > longTable ? ' class="md-long"' : '';
  return `<div class="md-table" dir="auto" tabindex="0"><table role="table"${kind}>\n`;
};
rules.table_close = () => '</table></div>\n';
rules.thead_open = (_tokens, _index, _options, env) => {
  delete (env as Env).row;
  return '<thead role="rowgroup">\n';
};
rules.tbody_open = (_tokens, _index, _options, env) => {
  (env as Env).row = 0;
  return '<tbody role="rowgroup">\n';
};
rules.tr_open = (_tokens, _index, _options, env) => {
  const row = (env as Env).row;
  if (row === undefined) return '<tr role="row">\n';
  (env as Env).row = row + 1;
  const nextBody = row > 0 && row % rowsPerBody === 0 ? '</tbody>\n<tbody role="rowgroup">\n' : '';
  return `${nextBody}<tr role="row">\n`;
};
rules.th_open = (tokens, index) => cellTag('th', tokens[index]);
rules.td_open = (tokens, index) => cellTag('td', tokens[index]);

/** Replaces the parser's `style` attribute for the alignment, which the Content Security Policy forbids, by a class. */
function cellTag(tag: string, token: Token | undefined): string {
  const align = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
  const role = tag === 'th' ? 'columnheader' : 'cell';
  return `<${tag} role="${role}"${align === undefined ? '' : ` class="md-${align}"`}>`;
}

/** @returns the language in a fence's info string, in lower case; empty if there is none */
export function languageOf(info: string): string {
  return (md.utils.unescapeAll(info).trim().split(/\s+/)[0] ?? '').toLowerCase();
}

/** @returns the HTML of a fenced block, highlighted */
export function fenceHtml(code: string, language: string): string {
  return `<pre tabindex="0"><code class="hljs">${highlightCode(code, language)}</code></pre>\n`;
}

/** A top-level block; `line` is its first line and `end` the line after its last one, counted from 0. */
interface Block {
  type: string;
  line: number;
  end: number;
}

/**
 * @param text complete lines
 * @param known link definitions of earlier text
 * @returns the top-level blocks, including link definitions; inline content is not parsed
 */
export function outline(text: string, known: Env['references']): Block[] {
  const tokens: Token[] = [];
  md.block.parse(text, md, newEnv(known), tokens);
  return tokens
    .filter((token) => token.level === 0 && token.nesting >= 0 && token.map !== null)
    .map((token) => ({ type: token.type, line: token.map?.[0] ?? 0, end: token.map?.[1] ?? 0 }));
}

/** @returns whether a text, possibly cut in the middle of a line, ends in a fenced code block that is still open */
export function endsInFence(text: string): boolean {
  const tokens: Token[] = [];
  md.block.parse(text, md, newEnv(), tokens);
  const last = tokens.findLast(({ nesting }) => nesting >= 0);
  if (last?.type !== 'fence' || last.map === null) return false;
  const lines = last.content.split('\n').length - (/(?:^|\n)$/.test(last.content) ? 1 : 0);
  // An open block has its opening line but no closing one.
  return last.map[1] - last.map[0] === lines + 1;
}

/** @returns the tokens of a complete Markdown text */
const tokensOf = (text: string): Token[] => md.parse(text, newEnv());

/**
 * @param text Markdown
 * @param env receives the link definitions of `text`
 * @returns the HTML of each top-level block
 */
export function renderBlocks(text: string, env: Env): string[] {
  const tokens = md.parse(text, env);
  const blocks: string[] = [];
  let from = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.level > 0 || token.nesting > 0) continue;
    blocks.push(md.renderer.render(tokens.slice(from, index + 1), md.options, env));
    from = index + 1;
  }
  return blocks;
}

/** @returns the visible text, with line ends between blocks and at hard breaks only */
export function visibleText(markdown: string): string {
  const parts: string[] = [];
  for (const token of tokensOf(markdown)) {
    if (token.type === 'inline') parts.push(inlineText(token.children ?? []));
    else parts.push('\n', token.content);
  }
  return parts.join('');
}

function inlineText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('');
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'softbreak':
      return ' ';
    case 'hardbreak':
      return '\n';
    case 'image':
      // An image is rendered as a link, labeled by its description or its address.
      return inlineText(token.children ?? []) || (allowedAddress(String(token.attrGet('src') ?? '')) ?? '');
    default:
      return token.content;
  }
}
