/** Runs one benchmark in its own process, so that it doesn't inherit memory or optimized code from another. */
import { pathToFileURL } from 'node:url';
import type { Bench, Result } from './result.ts';

/** A part of the results; the last one is followed by nothing. */
export interface Reported {
  results: readonly Result[];
  isLast: boolean;
}

const report = (part: Reported, sent?: () => void): void => void process.send?.(part, undefined, undefined, sent);

const [file = ''] = process.argv.slice(2);
const { default: bench } = (await import(pathToFileURL(file).href)) as { default: Bench };
const results = await bench((part) => report({ results: part, isLast: false }));
report({ results, isLast: true }, () => process.exit());
