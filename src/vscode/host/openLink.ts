/** Opens links in answers. Their targets are model output, so only web and mail addresses are allowed. */
import * as vscode from 'vscode';

const ALLOWED = new Set(['http', 'https', 'mailto']);

/** Opens a web or mail link; VS Code asks before opening untrusted domains. @returns whether it was opened */
export async function openLink(href: string): Promise<boolean> {
  if (!URL.canParse(href)) return false;
  const uri = vscode.Uri.parse(href, true);
  return ALLOWED.has(uri.scheme) && vscode.env.openExternal(uri);
}
