/** View types and HTML of webviews, with a Content Security Policy that allows only their own scripts and styles. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { escapeHtml } from '../../shared/text/plainText.ts';
import { readSettings, type Settings } from './settings.ts';

/** Id of the side bar view. */
export const VIEW_ID = 'analyticsChat.chat';

/** View types of the editor tabs, by which VS Code restores them. */
export const PANEL_TYPE = 'analyticsChat.thread';
/** The id stays, so that open comparisons are restored after an update. */
export const RUNS_TYPE = 'analyticsChat.compare';
export const RESULTS_TYPE = 'analyticsChat.results';

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, '');
}

/** Icon of editor tabs. */
export const tabIcon = (extension: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } => ({
  light: vscode.Uri.joinPath(extension, 'media', 'chat-light.svg'),
  dark: vscode.Uri.joinPath(extension, 'media', 'chat-dark.svg'),
});

/** The only folder that webviews may load resources from. */
const webviewRoot = (extension: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(extension, 'dist', 'webview');

/** Base names of the script and style sheet of each page. */
export type PageName = 'main' | 'runs' | 'results';

/**
 * Chunks that each page imports statically, inserted by the build. Preloaded, they arrive together with the entry file
 * instead of after it. A build that watches has none.
 */
declare const PAGE_CHUNKS: Readonly<Record<PageName, readonly string[]>>;

const chunksOf = (entry: PageName): readonly string[] => (typeof PAGE_CHUNKS === 'undefined' ? [] : PAGE_CHUNKS[entry]);

/** The styles of the first paint (`webview/app/first.css`), inserted by the build. A build that watches has none. */
declare const FIRST_STYLES: string;

const firstStyles = (): string => (typeof FIRST_STYLES === 'undefined' ? '' : FIRST_STYLES);

/** Sets the options and the HTML of a webview. */
export function showPage(webview: vscode.Webview, extension: vscode.Uri, entry: PageName): void {
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(extension)] };
  webview.html = pageFor(webview, extension, entry, readSettings().sendKey);
}

/**
 * Collects the messages of a page.
 * @returns a function that stops collecting and returns the messages
 */
export function holdMessages(webview: vscode.Webview): () => readonly unknown[] {
  const held: unknown[] = [];
  const listener = webview.onDidReceiveMessage((message: unknown) => held.push(message));
  return () => {
    listener.dispose();
    return held;
  };
}

/** @returns the HTML of a page, with new nonces on each call */
export function pageFor(
  webview: vscode.Webview,
  extension: vscode.Uri,
  entry: PageName,
  sendKey: Settings['sendKey'],
): string {
  const address = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extension), file)).toString();
  const scriptNonce = nonce();
  // The UI toolkit detects browser features with a style element; this nonce allows it, but no script.
  const styleNonce = nonce();
  const policy = [
    `default-src 'none'`,
    // These directives do not fall back to `default-src`.
    `base-uri 'none'`,
    `form-action 'none'`,
    `script-src 'nonce-${scriptNonce}'`,
    `style-src ${webview.cspSource} 'nonce-${styleNonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src data: blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta property="csp-nonce" content="${styleNonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(t('Analytics Chat'))}</title>
<style nonce="${styleNonce}">${firstStyles()}</style>
</head>
<body>
<div id="root">${entry === 'main' ? chatPlaceholder(sendKey) : ''}</div>
<script nonce="${scriptNonce}">${loader(address(`${entry}.css`), [`${entry}.js`, ...chunksOf(entry)].map(address))}</script>
</body>
</html>`;
}

/**
 * The elements of the chat view that don't depend on its state, so that the user can type before the code is loaded.
 * `webview/app/main.tsx` continues with them.
 */
const chatPlaceholder = (sendKey: Settings['sendKey']): string =>
  `<main aria-busy="true"><h1 class="visually-hidden">${escapeHtml(t('Analytics Chat'))}</h1>` +
  `<div class="conversation"></div><div class="composer"><div class="where"></div><div class="box">` +
  `<textarea rows="1" data-send-key="${sendKey}" aria-label="${escapeHtml(t('Message'))}" placeholder="${escapeHtml(t('Ask about your data…'))}">` +
  `</textarea><div class="box-actions"></div></div></div></main>`;

/**
 * @param code the entry file and the chunks that it imports
 * @returns a script that loads a page's styles and code after the `load` event, for which VS Code waits before it shows
 *   a page. The message field gets the first focus of the page; if the user sends the message before the code is
 *   loaded, the script marks the field with `data-sent`
 */
const loader = (styles: string, code: readonly string[]): string => `{
const { nonce } = document.currentScript;
const link = (properties) => document.head.append(Object.assign(document.createElement('link'), properties));
addEventListener('load', () => {
  const code = ${quoted(code)};
  const run = () => import(code[0]);
  link({ rel: 'stylesheet', href: ${quoted(styles)}, onload: run, onerror: run });
  for (const href of code) link({ rel: 'modulepreload', href, nonce });
}, { once: true });
const field = document.querySelector('textarea');
const takeFocus = () => document.activeElement === document.body && field?.focus();
if (document.hasFocus()) takeFocus();
addEventListener('focus', takeFocus, { once: true });
field?.addEventListener('keydown', (event) => {
  const { key, keyCode, shiftKey, altKey, isComposing, target } = event;
  if (key !== 'Enter' || isComposing || keyCode === 229 || !target.closest('[aria-busy]')) return;
  const modified = event.ctrlKey || event.metaKey;
  if (target.dataset.sendKey === 'modEnter' ? !modified : shiftKey || altKey || modified) return;
  event.preventDefault();
  target.dataset.sent = '';
});
}`;

/** @returns a literal that can't end the script element */
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
