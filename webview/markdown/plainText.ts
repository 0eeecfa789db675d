/** Extracts the visible text of Markdown, for searching. */
import { allowedAddress } from '../../src/shared/text/links.ts';
import { tokensOf, type Token } from './parser.ts';

/** @returns the visible text, with line ends between blocks and at hard breaks only */
export function plainText(markdown: string): string {
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
