/** Caches the demo database in one file, so that only the first start builds it. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Next to the downloaded editor: ignored by version control, kept between runs. */
const folder = join(import.meta.dirname, '..', '..', '..', '.vscode-test', 'sandbox');

/** Sources of the database; a change to any of them causes a rebuild. */
const sources = ['schema.sql', 'seed.ts', 'vocabulary.ts', 'calendar.ts', 'random.ts', '../../support/random.ts'];

/** Sources of how it is queried. */
const querying = ['client.ts', 'databaseProcess.ts', 'database.ts', 'cache.ts', '../semantic/query.ts'];

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(engineVersion());
  for (const name of files) hash.update(await readFile(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 16);
}

function engineVersion(): string {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@electric-sql/pglite');
  return String((require(join(entry, '..', '..', 'package.json')) as { version: unknown }).version);
}

/** @returns the path of the cache file for the current sources and the version of the engine */
export const cachePath = async (): Promise<string> => join(folder, `shop-${await digestOf(sources)}.tar.gz`);

/** @returns the path of the file with results of queries */
export const resultsPath = async (): Promise<string> =>
  join(folder, `results-${await digestOf([...sources, ...querying])}.ndjson`);

/** @returns the cached file, or `undefined` if it does not exist */
export async function readCache(path: string): Promise<Blob | undefined> {
  try {
    return new Blob([new Uint8Array(await readFile(path))], { type: 'application/x-gzip' });
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that no other process reads a partial file. Removes older versions. */
export async function writeCache(path: string, dump: Blob): Promise<void> {
  await mkdir(folder, { recursive: true });
  const aside = `${path}.${process.pid}.${Date.now()}.tmp`;
  await writeFile(aside, new Uint8Array(await dump.arrayBuffer()));
  await rename(aside, path);
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (name.startsWith('shop-') && name.endsWith('.tar.gz') && other !== path) await rm(other, { force: true });
  }
}
