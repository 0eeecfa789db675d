import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { format, parseArgs, stripVTControlCharacters } from 'node:util';
import { addResults, LANE_NAME, type TestTime } from '../../lanes/results.ts';
import { SKIPPED } from '../../support/skipUnlessCi.ts';
import { launchBrowser } from '../chromium.ts';
import { newContext, runSuite } from '../page.ts';
import { startServer } from '../server.ts';
import { suiteMark } from './suiteMark.ts';
import { webHostSettings } from '../webHost.ts';

const SUITE_TIMEOUT_MS = 10 * 60_000;
const KEPT_LOG_LINES = 100;
/** Log lines that this editor always writes without internet access, and that never explain a failure. */
const noise = /AgentHost|vscode-sqlite3\.node|open-vsx\.org|\[Service Worker\]|connection token|Creating a socket/;

/** Prints the report of the suite, and keeps the last other log lines for the report of a failure. */
class SuiteReport {
  readonly #log: string[] = [];
  #times: TestTime[] = [];

  add(line: string): void {
    if (line.includes(suiteMark)) {
      const text = stripVTControlCharacters(line.replace(suiteMark, ''));
      if (text.trim() !== '') console.log(`${process.env[LANE_NAME] ?? 'tests'}: ${text}`);
      const [, title, milliseconds] = /^\s*✔ (.*) \((\d+)ms\)/.exec(text) ?? [];
      if (title !== undefined) this.#times.push({ title, milliseconds: Number(milliseconds) });
      const [, count, outcome] = /^\s*(\d+) (passing|failing|pending)/.exec(text) ?? [];
      if (outcome === undefined) return;
      const countOf = (wanted: string): number => (outcome === wanted ? Number(count) : 0);
      const counts = { passed: countOf('passing'), failed: countOf('failing'), skipped: countOf('pending') };
      addResults(counts, this.#times);
      this.#times = [];
    } else if (line.includes(SKIPPED)) {
      console.log(line);
    } else if (!noise.test(line)) {
      this.#log.push(line);
    }
  }

  log(): string {
    return this.#log.slice(-KEPT_LOG_LINES).join('\n');
  }
}

/**
 * Runs the suite in the browser-based editor, with the arguments that `@vscode/test-electron` passes to a desktop VS
 * Code.
 * @returns the exit code of the suite
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      extensionDevelopmentKind: { type: 'string' },
      'disable-workspace-trust': { type: 'boolean' },
    },
  });
  const tests = values.extensionTestsPath;
  const extensions = values.extensionDevelopmentPath;
  if (typeof tests !== 'string' || !Array.isArray(extensions)) {
    throw new Error('Both --extensionDevelopmentPath=… and --extensionTestsPath=… are needed.');
  }
  const [extension, ...others] = extensions.map(String);
  if (extension === undefined) throw new Error('No extension is under development.');
  const dataDir = mkdtempSync(join(tmpdir(), 'vscode-data-'));
  // The browser supports one extension under development; install the others.
  for (const folder of others)
    cpSync(folder, join(dataDir, 'extensions', `${basename(folder)}-0.0.1`), { recursive: true });
  const server = await startServer({
    dataDir,
    trusted: values['disable-workspace-trust'] === true,
    settings: values.extensionDevelopmentKind === 'web' ? webHostSettings([extension]) : {},
  });
  try {
    const browser = await launchBrowser();
    try {
      const report = new SuiteReport();
      const page = { workspace: positionals[0], extensions: [extension], tests };
      const suite = runSuite(await newContext(browser), server, page, (args) => report.add(format(...args)));
      const exitCode = await withinTime(suite).catch((error: Error) => {
        console.error(`${error.message}\nThe server's log:\n${server.output()}`);
        return 1;
      });
      if (exitCode !== 0) {
        console.error(`The editor's log:\n${report.log()}`);
      }
      return exitCode;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The suite did not end in time.')), SUITE_TIMEOUT_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

process.exitCode = await main();
