/** Creates all Markdown strings for VS Code. They are never trusted, so `command:` links in them are disabled. */
import * as vscode from 'vscode';
import { plainMarkdown } from '../../shared/text/plainText.ts';

/** @returns Markdown that renders the text literally, without links */
export const plainMarkdownString = (text: string): vscode.MarkdownString =>
  new vscode.MarkdownString(plainMarkdown(text));

/** @returns a bold title followed by paragraphs, all rendered literally with whitespace collapsed */
export function titledMarkdownString(title: string, ...paragraphs: string[]): vscode.MarkdownString {
  const [first, ...rest] = [title, ...paragraphs].map((text) => plainMarkdown(text.replace(/\s+/g, ' ').trim()));
  return new vscode.MarkdownString([`**${first}**`, ...rest.filter(Boolean)].join('\n\n'));
}
