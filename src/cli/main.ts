/** The process of `analytics-chat`. Exit codes 0 done, 1 something failed, 2 could not ask, 130 interrupted. */
import { Output } from './output.ts';
import { run } from './program.ts';

/** Version in package.json, inserted by the build. */
declare const PRODUCT_VERSION: string;

const output = new Output(process);

/** The first signal aborts running answers on the service, the second one exits at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    output.note('Stopping the answers on the service… Press Ctrl+C again to exit at once.');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return controller.signal;
}

for (const stream of [process.stdout, process.stderr])
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // If the reader has closed the pipe, as `head` does, reports are still written and the exit code still counts.
    if (code === 'EPIPE') return;
    if (stream === process.stdout) output.note(`Can’t write the output: ${message}`);
    process.exit(2);
  });
void run(process.argv.slice(2), { output, version: PRODUCT_VERSION, interruption }).then((code) => {
  process.exitCode = code;
});
