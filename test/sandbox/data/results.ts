/** Keeps results of queries in a file beside the database, so that tests that ask what others have asked start none. */
import { hash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { QueryResult } from './client.ts';

/** Results of SQL, which never change because the data doesn't. */
export interface KnownResults {
  get: (sql: string) => QueryResult | undefined;
  set: (sql: string, result: QueryResult) => void;
}

/** No more is added to a larger file, which each process reads. */
const MOST_BYTES = 16_000_000;

/** The results in a file, to which other processes may add at the same time, and those that this process adds. */
export class KeptResults implements KnownResults {
  readonly #path: string;
  readonly #known = new Map<string, QueryResult>();
  /** Results as JSON, by the digest of their SQL; those of the file that were not asked for. */
  readonly #kept = new Map<string, string>();
  #bytes = 0;

  /** @param path of a file for this version of the data; files of others are removed */
  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    this.#bytes = text.length;
    for (const line of text.split('\n')) {
      const space = line.indexOf(' ');
      this.#kept.set(line.slice(0, space), line.slice(space + 1));
    }
  }

  get(sql: string): QueryResult | undefined {
    return this.#known.get(sql) ?? this.#read(sql);
  }

  set(sql: string, result: QueryResult): void {
    this.#known.set(sql, result);
    const line = `${hash('sha256', sql)} ${JSON.stringify(result)}\n`;
    if (this.#bytes + line.length > MOST_BYTES) return;
    try {
      if (this.#bytes === 0) this.#removeOthers();
      this.#bytes += line.length;
      appendFileSync(this.#path, line);
    } catch {
      // If the file can't be written, the next process queries the database again.
    }
  }

  #read(sql: string): QueryResult | undefined {
    const line = this.#kept.get(hash('sha256', sql));
    if (line === undefined) return undefined;
    try {
      const result = JSON.parse(line) as QueryResult;
      this.#known.set(sql, result);
      return result;
    } catch {
      // A process was ended while it wrote.
      return undefined;
    }
  }

  #removeOthers(): void {
    const folder = dirname(this.#path);
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder))
      if (name.startsWith('results-') && join(folder, name) !== this.#path) rmSync(join(folder, name), { force: true });
  }
}
