/** Opens the demo database in PostgreSQL (PGlite). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { cachePath, readCache, writeCache } from './cache.ts';
import { makeTables, type Cell, type SeedTable } from './seed.ts';

const csvCell = (cell: Cell): string => {
  if (cell === null) return '';
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

async function fill(database: PGlite, { name, rows }: SeedTable): Promise<void> {
  const blob = new Blob([rows.map((row) => row.map(csvCell).join(',')).join('\n')]);
  await database.query(`COPY raw.${name} FROM '/dev/blob' WITH (FORMAT csv)`, [], { blob });
}

async function build(): Promise<PGlite> {
  const database = await PGlite.create();
  await database.exec(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'));
  for (const table of makeTables()) await fill(database, table);
  await database.exec('ANALYZE');
  return database;
}

/**
 * Opens the database in memory, from the cache file if there is one.
 * @param onBuild called before the database is built, which takes some seconds
 */
export async function openDatabase(onBuild?: () => void): Promise<PGlite> {
  const path = await cachePath();
  const kept = await readCache(path);
  if (kept) {
    try {
      return await PGlite.create({ loadDataDir: kept });
    } catch {
      // Ignore a damaged cache file.
    }
  }
  onBuild?.();
  const database = await build();
  // If the cache can't be written, the next start builds the database again.
  await writeCache(path, await database.dumpDataDir('gzip')).catch(() => undefined);
  return database;
}
