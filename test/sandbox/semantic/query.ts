/** Runs semantic SQL and returns the result as in 2.7. */
import type { Database, QueryResult } from '../data/client.ts';
import type { KnownResults } from '../data/results.ts';
import { compileSql } from './compile.ts';
import type { Model } from './model.ts';
import type { RowFilter } from './relation.ts';

/** Statements that begin a read-only transaction, in which table names must be qualified with their schema. */
const READ_ONLY = ['SET TRANSACTION READ ONLY', 'SET LOCAL search_path = pg_catalog', "SET LOCAL timezone = 'UTC'"];

/** Larger results are not kept. */
const MAX_KNOWN_ROWS = 5000;

/** Queries one branch of the data model with the permissions of one user. */
export class QueryEngine {
  readonly #database: Database;
  readonly #model: Model;
  readonly #filters: readonly RowFilter[];
  readonly #known: KnownResults;

  /** @param known results of earlier queries, which never change because the data doesn't; the engine adds its own */
  constructor(database: Database, model: Model, filters: readonly RowFilter[], known: KnownResults = new Map()) {
    this.#database = database;
    this.#model = model;
    this.#filters = filters;
    this.#known = known;
  }

  /** @throws SemanticError, or an error of PostgreSQL */
  async run(sql: string): Promise<QueryResult> {
    const compiled = compileSql(sql, this.#model, this.#filters);
    const known = this.#known.get(compiled);
    if (known) return known;
    const result = await this.#database.run(...READ_ONLY, compiled);
    if (result.data.length <= MAX_KNOWN_ROWS) this.#known.set(compiled, result);
    return result;
  }

  /**
   * Same as `run`, but in pages; the first may be empty but has the schema. Does not block other queries between pages.
   */
  async *pages(sql: string, size: number): AsyncGenerator<QueryResult, void, undefined> {
    const compiled = compileSql(sql, this.#model, this.#filters);
    const known = this.#known.get(compiled);
    if (known && known.data.length < size) {
      yield known;
      return;
    }
    const cursor = `rows_${(cursorCount += 1)}`;
    await this.#database.run(...READ_ONLY, `DECLARE ${cursor} NO SCROLL CURSOR WITH HOLD FOR ${compiled}`);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const page = await this.#database.run(`FETCH ${size} FROM ${cursor}`);
        if (isFirst && page.data.length < size) this.#known.set(compiled, page);
        yield page;
        if (page.data.length < size) return;
      }
    } finally {
      await this.#database.run(`CLOSE ${cursor}`);
    }
  }
}

let cursorCount = 0;
