/** Runs the sandbox standalone: `node test/sandbox/main.ts [--port PORT] [--pace MILLISECONDS] [--key KEY] [--flaky]`. */
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, pace: { type: 'string' }, key: { type: 'string' }, flaky: { type: 'boolean' } },
});

const sandbox = await startSandbox({
  port: Number(values.port ?? 0),
  ...(values.pace === undefined ? {} : { pace: Number(values.pace) }),
  flaky: values.flaky === true,
  ...(values.key === undefined ? {} : { apiKey: values.key }),
  onBuild: () => console.log('Building the shop; this happens once…'),
});
console.log(`Chat API URL    ${sandbox.chatApiUrl}`);
console.log(`Data query URL  ${sandbox.dataQueryUrl}`);
console.log(`API key         ${sandbox.apiKey}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
