/** What the pages of the tests are served with. */
export const ORIGIN = 'https://webview.test';
export const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** The parts of `vscode` that the HTML of a page and its view use. */
export const pageEditor = {
  l10n: {},
  env: { language: 'en' },
  Uri: { joinPath: (base: string, ...parts: string[]) => [base, ...parts].join('/') },
};
