/** Runs one benchmark in a process of its own, so that none inherits another's memory or optimised code. */
import { pathToFileURL } from 'node:url';
import type { Result } from './result.ts';

const [file = ''] = process.argv.slice(2);
const { default: bench } = (await import(pathToFileURL(file).href)) as { default: () => Promise<readonly Result[]> };
process.send?.(await bench(), () => process.exit());
