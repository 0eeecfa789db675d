/** The built shop, kept as one file so that only the very first start has to build it. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Beside the downloaded editor: ignored by version control, kept between runs. */
const folder = join(import.meta.dirname, '..', '..', '..', '.vscode-test', 'sandbox');

/** What the shop is made from; when any of it changes, the shop is built anew. */
const sources = ['schema.sql', 'seed.ts', 'vocabulary.ts', 'calendar.ts', 'random.ts', '../../support/random.ts'];

/** @returns the path of the file for the present sources and the given engine version */
export async function cachePath(engine: string): Promise<string> {
  const hash = createHash('sha256').update(engine);
  for (const name of sources) hash.update(await readFile(join(import.meta.dirname, name)));
  return join(folder, `shop-${hash.digest('hex').slice(0, 16)}.tar.gz`);
}

/** @returns the kept file, or `undefined` when there is none yet */
export async function readCache(path: string): Promise<Blob | undefined> {
  try {
    return new Blob([new Uint8Array(await readFile(path))], { type: 'application/x-gzip' });
  } catch {
    return undefined;
  }
}

/** Writes aside and renames, so that another start never reads half a file; older shops are removed. */
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
