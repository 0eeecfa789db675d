/**
 * Writes themes.json: VS Code's default styles of webviews, and the variables of four of its themes that they and the
 * pages use.
 * Run it after an update of the editor: `node test/browser/support/readThemes.ts`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { innerFrame } from '../../support/chat.ts';
import { openChat } from '../../e2e/support/chat.ts';
import { quickInput, quickPickItem, runCommand } from '../../e2e/support/editor.ts';
import { closeAll, launch } from '../../e2e/support/launch.ts';
import { repoRoot } from '../../vscode/paths.ts';

const names = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  contrast: 'Dark High Contrast',
  contrastLight: 'Light High Contrast',
};

const built = globSync('dist/webview/*.{js,css}', { cwd: repoRoot }).map((file) =>
  readFileSync(join(repoRoot, file), 'utf8'),
);
const { page } = await launch();
const chat = await openChat(page);
const frame = await innerFrame(chat);
const defaultStyles = await frame.evaluate(() => document.querySelector('#_defaultStyles')?.textContent ?? '');
const used = new Set([...built, defaultStyles].flatMap((text) => text.match(/--vscode-[a-zA-Z0-9-]+/g) ?? []));
// Behind the pages, which are transparent.
for (const name of ['--vscode-sideBar-background', '--vscode-editor-background']) used.add(name);
const variables = [...used].sort();

const themes: Record<string, Record<string, string>> = {};
for (const [key, name] of Object.entries(names)) {
  await runCommand(page, 'Preferences: Color Theme');
  await quickInput(page).fill(name);
  await quickPickItem(page, name).click();
  await chat.view.locator(`body[data-vscode-theme-name="${name}"]`).waitFor();
  themes[key] = await frame.evaluate((names) => {
    const style = getComputedStyle(document.documentElement);
    const values = names.map((name): [string, string] => [name, style.getPropertyValue(name).trim()]);
    return Object.fromEntries(values.filter(([, value]) => value !== ''));
  }, variables);
}
writeFileSync(join(import.meta.dirname, 'themes.json'), `${JSON.stringify({ defaultStyles, themes }, null, 2)}\n`);
await closeAll();
