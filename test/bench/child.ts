/** Runs one benchmark in its own process, so that it doesn't inherit memory or optimized code from another. */
import { pathToFileURL } from 'node:url';
import type { Result } from './result.ts';

const [file = ''] = process.argv.slice(2);
const { default: bench } = (await import(pathToFileURL(file).href)) as { default: () => Promise<readonly Result[]> };
process.send?.(await bench(), () => process.exit());
