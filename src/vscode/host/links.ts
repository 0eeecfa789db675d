/** Links in answers. Where they lead was decided by a model, so they may only leave the editor in plain sight. */
import * as vscode from 'vscode';

const ALLOWED = new Set(['http', 'https', 'mailto']);

/** Opens a web or mail address; any other is not followed. VS Code itself asks about sites that are not trusted. */
export async function openLink(href: string): Promise<boolean> {
  if (!URL.canParse(href)) return false;
  const uri = vscode.Uri.parse(href, true);
  return ALLOWED.has(uri.scheme) && vscode.env.openExternal(uri);
}
