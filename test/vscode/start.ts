import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoIdentities } from '../sandbox/identities.ts';
import { loadModelFiles } from '../sandbox/semantic/branchFiles.ts';
import { startSandbox } from '../sandbox/server.ts';
import { makeDemoRepository, publishDemoRepository } from './demoRepository.ts';
import { exec } from './exec.ts';
import { openBrowser } from './openBrowser.ts';
import { editorUrl } from './page.ts';
import { node24, repoRoot } from './paths.ts';
import { startServer } from './server.ts';
import { copyWorkspace, removeWorkspace } from './workspace.ts';

const usage = 'npm start -- [--port PORT] [--service-url CHAT_API_URL] [--no-open]';

const PARENT_CHECK_MS = 500;
const log = (line: string) => console.error(line);

interface Service {
  chatApiUrl: string;
  apiKey: string;
  dataQueryUrl?: string;
  stop?: () => Promise<void>;
}

/** The service given by the user, or else the sandbox. Its key is ANALYTICS_CHAT_API_KEY if set. */
async function findService(url: string | undefined, policies: string): Promise<Service> {
  const apiKey = process.env['ANALYTICS_CHAT_API_KEY'] || undefined;
  return url === undefined
    ? startSandbox({ apiKey, policies, flaky: true, onBuild: () => log('Building the demo data, once…') })
    : { chatApiUrl: url, apiKey: apiKey ?? 'development' };
}

/** Waits for SIGINT or SIGTERM, or for the end of the parent npm process, which does not forward every signal. */
function stopSignal(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    if (process.env['npm_lifecycle_event'] !== undefined) {
      setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS);
    }
  });
}

function readOptions() {
  try {
    const options = { port: { type: 'string' }, 'service-url': { type: 'string' }, open: { type: 'boolean' } } as const;
    const { values } = parseArgs({ options, allowNegative: true });
    const port = Number(values.port ?? 0);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new Error(`--port takes a port number, not "${values.port}".`);
    }
    return { port, serviceUrl: values['service-url'], open: values.open ?? true };
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: ${usage}`);
    process.exit(2);
  }
}

const options = readOptions();

log('Building the extension…');
await exec(node24, ['esbuild.mjs'], { cwd: repoRoot });
log(options.serviceUrl === undefined ? 'Starting the sandbox service…' : `Using the service at ${options.serviceUrl}`);
const workspace = copyWorkspace('model');
const policies = join(workspace, 'policies.yml');
// The sandbox reads the copy, so that changes of row-level security can be tried out.
if (options.serviceUrl === undefined)
  copyFileSync(join(repoRoot, 'test', 'sandbox', 'model', 'policies.yml'), policies);
const service = await findService(options.serviceUrl, policies);
const branches = await loadModelFiles();
// Access tests name the sandbox's identities.
if (options.serviceUrl === undefined) {
  mkdirSync(join(workspace, '.analytics-chat'));
  copyFileSync(join(repoRoot, 'test', 'sandbox', 'access.yml'), join(workspace, '.analytics-chat', 'access.yml'));
}
if (makeDemoRepository(workspace, branches)) publishDemoRepository(workspace);
else log('Git is not installed, so the demo has no repository.');
/** Settings for the sandbox only; another service has its own branches and users. */
const sandboxSettings = {
  'analyticsChat.dataQueryUrl': service.dataQueryUrl,
  'analyticsChat.branches': [...branches.keys()],
  'analyticsChat.identities': demoIdentities,
};
log('Starting VS Code…');
const server = await startServer({
  port: options.port,
  settings: service.dataQueryUrl === undefined ? {} : sandboxSettings,
  env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: service.apiKey },
});

const url = editorUrl(server, { workspace, extensions: [repoRoot] });
console.log(`Open ${url}`);
if (options.open) {
  openBrowser(url);
}

await stopSignal();
await server.stop();
await service.stop?.();
removeWorkspace(workspace);
process.exit(0);
