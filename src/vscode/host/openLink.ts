/** Opens links in answers. */
import * as vscode from 'vscode';
import { allowedAddress } from '../../shared/text/links.ts';

/** Opens a web or mail link; VS Code asks before opening untrusted domains. @returns whether it was opened */
export async function openLink(href: string): Promise<boolean> {
  const address = allowedAddress(href);
  return address !== undefined && vscode.env.openExternal(vscode.Uri.parse(address, true));
}
