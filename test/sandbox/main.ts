/** Runs the sandbox standalone. See README.md for its options. */
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';

const { values } = parseArgs({
  options: {
    ...{ port: { type: 'string' }, pace: { type: 'string' }, key: { type: 'string' } },
    ...{ flaky: { type: 'boolean' }, errors: { type: 'string' }, seed: { type: 'string' } },
  },
});

const sandbox = await startSandbox({
  port: Number(values.port ?? 0),
  ...(values.pace === undefined ? {} : { pace: Number(values.pace) }),
  flaky: values.flaky === true,
  ...(values.errors === undefined ? {} : { errors: { share: Number(values.errors), seed: Number(values.seed ?? 1) } }),
  ...(values.key === undefined ? {} : { apiKey: values.key }),
  onBuild: () => console.log('Building the shop; this happens once…'),
});
console.log(`Chat API URL    ${sandbox.chatApiUrl}`);
console.log(`Data query URL  ${sandbox.dataQueryUrl}`);
console.log(`API key         ${sandbox.apiKey}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
