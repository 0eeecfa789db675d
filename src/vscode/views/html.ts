/** The page that a webview shows: one script, one style sheet, and a policy that allows nothing else. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, '');
}

/** The icon of tabs. */
export const tabIcon = (extension: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } => ({
  light: vscode.Uri.joinPath(extension, 'media', 'chat-light.svg'),
  dark: vscode.Uri.joinPath(extension, 'media', 'chat-dark.svg'),
});

/** The only folder that a webview may read. */
const webviewRoot = (extension: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(extension, 'dist', 'webview');

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Names of the scripts and style sheets that make the pages. */
type Entry = 'main' | 'compare' | 'results';

/** Lets a webview run a page, and shows it. */
export function showPage(webview: vscode.Webview, extension: vscode.Uri, entry: Entry): void {
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(extension)] };
  webview.html = pageFor(webview, extension, entry);
}

/** @returns the HTML of a webview, with a nonce of its own */
export function pageFor(webview: vscode.Webview, extension: vscode.Uri, entry: Entry): string {
  const address = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extension), file)).toString();
  const once = nonce();
  // The controls test the browser with a style element; this lets that element in, and no script.
  const styleOnce = nonce();
  const policy = [
    `default-src 'none'`,
    // These two do not fall back to `default-src`.
    `base-uri 'none'`,
    `form-action 'none'`,
    `script-src 'nonce-${once}'`,
    `style-src ${webview.cspSource} 'nonce-${styleOnce}'`,
    `font-src ${webview.cspSource}`,
    `img-src data: blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta property="csp-nonce" content="${styleOnce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(t('Analytics Chat'))}</title>
<link rel="stylesheet" href="${escaped(address(`${entry}.css`))}">
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${once}" src="${escaped(address(`${entry}.js`))}"></script>
</body>
</html>`;
}
