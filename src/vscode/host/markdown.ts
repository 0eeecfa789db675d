/** The only place that makes Markdown for VS Code. It is never trusted: `command:` links in it do nothing. */
import * as vscode from 'vscode';
import { plainMarkdown } from '../../shared/text/plainText.ts';

/** @returns Markdown that shows the text as it is, without links */
export const plainMarkdownString = (text: string): vscode.MarkdownString =>
  new vscode.MarkdownString(plainMarkdown(text));

/** @returns a bold title over paragraphs of text, all without links and line breaks */
export function titledMarkdownString(title: string, ...paragraphs: string[]): vscode.MarkdownString {
  const [first, ...rest] = [title, ...paragraphs].map((text) => plainMarkdown(text.replace(/\s+/g, ' ').trim()));
  return new vscode.MarkdownString([`**${first}**`, ...rest.filter(Boolean)].join('\n\n'));
}
