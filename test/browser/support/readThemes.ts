/**
 * Writes themes.json: VS Code's default styles of webviews, and the variables of four of its themes that they and the
 * pages use.
 * Run it after an update of the editor: `node test/browser/support/readThemes.ts`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { innerFrame } from '../../support/chat.ts';
import { openChat } from '../../e2e/support/chat.ts';
import { quickInput, quickPickItem, runCommand } from '../../e2e/support/editor.ts';
import { closeAll, launch } from '../../e2e/support/launch.ts';
import { repoRoot } from '../../vscode/paths.ts';

/** In the order of `NAMES` in themes.ts. */
const names = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'];

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

const themes: string[][] = [];
for (const name of names) {
  await runCommand(page, 'Preferences: Color Theme');
  await quickInput(page).fill(name);
  await quickPickItem(page, name).click();
  await chat.view.locator(`body[data-vscode-theme-name="${name}"]`).waitFor();
  const read = (names: string[]): string[] => {
    const style = getComputedStyle(document.documentElement);
    return names.map((name) => style.getPropertyValue(name).trim());
  };
  themes.push(await frame.evaluate(read, variables));
}
const rows = variables.flatMap((name, at) => {
  const values = themes.map((theme) => theme[at] ?? '');
  if (values.every((value) => value === '')) return [];
  return [[name, new Set(values).size === 1 ? values[0] : values]];
});
const json = JSON.stringify({ defaultStyles, variables: Object.fromEntries(rows) as unknown });
writeFileSync(join(import.meta.dirname, 'themes.json'), await format(json, { parser: 'json', printWidth: 120 }));
await closeAll();
