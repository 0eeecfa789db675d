/**
 * Measures what our activation adds to a window of the real VS Code, compared with an empty extension, in the Node and
 * in the web worker extension host. Both are installed from packages, and the times are measured by VS Code. The
 * services, which are started after the activation, are not part of it; `cold` measures when they are needed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runCommand, webview } from '../../e2e/support/editor.ts';
import { launchBrowser } from '../../vscode/chromium.ts';
import { newContext, openEditor } from '../../vscode/page.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { startServer, type EditorServer, type ServerOptions } from '../../vscode/server.ts';
import { median, type Result } from '../result.ts';
import { pack } from '../support/pack.ts';
import { packPeer, type Peer } from '../support/peer.ts';

const WINDOWS = Number(process.env['BENCH_WINDOWS'] ?? 5);
const PATIENCE = 30_000;

const emptyCommand = 'Empty: Run';
const empty: Peer = {
  name: 'empty',
  contributes: { commands: [{ command: 'empty.run', title: emptyCommand }] },
  code: 'exports.activate = () => undefined;',
};
const ids = { ours: 'analytics-chat.analytics-chat', empty: 'bench.empty' };
const inWebWorker = { 'remote.extensionKind': Object.fromEntries(Object.values(ids).map((id) => [id, ['web']])) };

/** Milliseconds, as measured by VS Code. */
interface Times {
  load: number;
  activate: number;
}

/** @returns medians of several windows, each with its own extension host */
export default async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    const ours = join(folder, 'ours.vsix');
    pack(repoRoot, ours);
    const packages = [ours, packPeer(folder, empty)];
    const browser = await launchBrowser();
    try {
      const node = await inHost(browser, { packages });
      const web = await inHost(browser, { packages, settings: inWebWorker });
      return [...node, ...web.map((result) => ({ ...result, name: `${result.name}, web worker host` }))];
    } finally {
      await browser.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function inHost(browser: Browser, options: ServerOptions): Promise<Result[]> {
  const server = await startServer(options);
  try {
    return await measure(browser, server);
  } finally {
    await server.stop();
  }
}

async function measure(browser: Browser, server: EditorServer): Promise<Result[]> {
  const samples: Record<keyof typeof ids, Times[]> = { ours: [], empty: [] };
  for (let round = 0; round <= WINDOWS; round += 1) {
    const context = await newContext(browser);
    const page = await openEditor(context, server, { extensions: [] });
    // The first extension pays for the setup of the host.
    const steps = [() => runCommand(page, 'Analytics Chat: Open Chat'), () => runCommand(page, emptyCommand)];
    for (const step of round % 2 === 0 ? steps : steps.reverse()) await step();
    await webview(page).getByRole('textbox', { name: 'Message' }).waitFor();
    const report = await startupReport(page);
    await context.close();
    // Skip the first window of a server, which is slower.
    if (round === 0) continue;
    for (const name of ['ours', 'empty'] as const) samples[name].push(timesIn(report, ids[name]));
  }
  const of = (name: keyof typeof ids, key: keyof Times): number => median(samples[name].map((times) => times[key]));
  const added = (key: keyof Times): number => of('ours', key) - of('empty', key);
  return [
    { name: 'in activate, over an empty extension', value: added('activate'), unit: 'ms' },
    { name: 'reading the code, over an empty extension', value: added('load'), unit: 'ms' },
    { name: 'in activate, an empty extension', value: of('empty', 'activate'), unit: 'ms' },
  ];
}

/** The text of "Developer: Startup Performance". */
async function startupReport(page: Page): Promise<string> {
  await runCommand(page, 'Developer: Startup Performance');
  const text = page.locator('.editor-group-container.active .monaco-editor');
  await text.getByText('System Info').waitFor();
  // The keyboard focus may not be in the text yet.
  for (const deadline = Date.now() + PATIENCE; Date.now() < deadline;) {
    await text.locator('.view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    if (copied.includes('Extension Activation Stats')) return copied;
  }
  throw new Error('VS Code reports no activations.');
}

/** Reads a line of the table `Extension | Eager | Load Code | Call Activate | …`. */
function timesIn(report: string, id: string): Times {
  const line = report.split('\n').find((text) => text.startsWith(`| ${id} `));
  const [load, activate] = (line ?? '').split('|').slice(3).map(Number);
  if (load === undefined || activate === undefined || !(load >= 0) || !(activate >= 0))
    throw new Error(`VS Code reports no activation of ${id}: ${line}`);
  return { load, activate };
}
