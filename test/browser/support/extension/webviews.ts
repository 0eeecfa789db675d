/** Stubs of VS Code's webviews: each is a page of a browser, with the HTML and the policy that the extension sets. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { repoRoot } from '../../../vscode/paths.ts';
import { defaultStyles, themes } from '../themes.ts';
import { provideVsCodeApi } from '../vscodeApi.ts';
import { EventEmitter, type Uri } from '../../../support/editorValues.ts';

const ORIGIN = 'https://webview.test';
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

export type ThemeName = keyof typeof themes;

/** The default styles and the variables of a theme. */
function styleOf(theme: ThemeName, isTab: boolean): string {
  const variables = Object.entries(themes[theme]).map(([name, value]) => `${name}: ${value};`);
  // VS Code's own page is behind the webview, which is transparent.
  const background = isTab ? '--vscode-editor-background' : '--vscode-sideBar-background';
  return `${defaultStyles} :root { background: var(${background}); ${variables.join(' ')} }`;
}

export class Webview {
  options: unknown;
  readonly cspSource = ORIGIN;
  readonly #context: BrowserContext;
  readonly #problems: string[];
  readonly #received = new EventEmitter<unknown>();
  readonly #isTab: boolean;
  readonly #theme: () => ThemeName;
  #html = '';
  #page: Promise<Page> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly onDidReceiveMessage = this.#received.event;

  constructor(context: BrowserContext, problems: string[], isTab: boolean, theme: () => ThemeName) {
    this.#context = context;
    this.#problems = problems;
    this.#isTab = isTab;
    this.#theme = theme;
  }

  /** The page, once it is loaded. */
  get page(): Promise<Page> {
    return (this.#page ??= this.#open());
  }

  get html(): string {
    return this.#html;
  }

  set html(html: string) {
    this.#html = html;
    if (html !== '') void this.load();
  }

  asWebviewUri(uri: Uri): string {
    return ORIGIN + uri.path;
  }

  postMessage(message: unknown): Promise<boolean> {
    return this.#inOrder(async (page) => {
      if (page.isClosed()) return false;
      await page.evaluate((data) => window.postMessage(data, window.origin), message);
      return true;
    });
  }

  async load(): Promise<void> {
    await this.#inOrder((page) => page.goto(`${ORIGIN}/`));
  }

  /** Unloads the page, as VS Code does with a hidden one. */
  async unload(): Promise<void> {
    await this.#inOrder((page) => page.goto('about:blank'));
  }

  /** Runs an action after those before it: no message is lost to a page that is being loaded or unloaded. */
  #inOrder<Result>(action: (page: Page) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => action(await this.page));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Applies the current theme to the open page. */
  async applyTheme(): Promise<void> {
    const style = styleOf(this.#theme(), this.#isTab);
    const page = await this.page;
    if (!page.url().startsWith(ORIGIN)) return;
    await page.evaluate(setTheme, { style, kind: KINDS[this.#theme()] });
  }

  async close(): Promise<void> {
    await this.#last;
    await (await this.#page)?.close();
  }

  async #open(): Promise<Page> {
    const page = await this.#context.newPage();
    await provideVsCodeApi(
      page,
      (message) => this.#received.fire(message),
      (text) => this.#problems.push(text),
    );
    await page.route('**/*', async (route) => {
      const { origin, pathname } = new URL(route.request().url());
      if (origin !== ORIGIN) {
        this.#problems.push(`request: ${route.request().url()}`);
        return route.abort();
      }
      if (pathname === '/')
        return route.fulfill({
          contentType: 'text/html',
          body: this.#html
            .replace('</head>', `<link id="theme" rel="stylesheet" href="${ORIGIN}/theme.css"></head>`)
            .replace(
              '<body>',
              `<body class="${KINDS[this.#theme()]}" data-vscode-theme-kind="${KINDS[this.#theme()]}">`,
            ),
        });
      if (pathname === '/theme.css')
        return route.fulfill({ contentType: 'text/css', body: styleOf(this.#theme(), this.#isTab) });
      const contentType = TYPES[extname(pathname)] ?? 'application/octet-stream';
      // Only these files are inside `localResourceRoots`.
      if (!pathname.startsWith(join(repoRoot, 'dist', 'webview'))) return route.abort();
      return route.fulfill({ contentType, body: await readFile(pathname) });
    });
    return page;
  }
}

/** The class of the body for each theme. */
const KINDS: Readonly<Record<ThemeName, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  contrast: 'vscode-high-contrast',
  contrastLight: 'vscode-high-contrast-light',
};

/** Runs in the page. VS Code changes the variables of the root and the class of the body. */
function setTheme({ style, kind }: { style: string; kind: string }): void {
  const page = window as { themeSheet?: CSSStyleSheet };
  const sheet = (page.themeSheet ??= new CSSStyleSheet());
  sheet.replaceSync(style);
  // The UI toolkit has style sheets of its own.
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
  document.getElementById('theme')?.remove();
  document.body.dataset.vscodeThemeKind = kind;
  document.body.className = kind;
}
