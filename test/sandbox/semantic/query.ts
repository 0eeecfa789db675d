/** Runs semantic SQL and formats the result as in 2.7. */
import type { PGlite, Results, Transaction } from '@electric-sql/pglite';
import { compileSql } from './compile.ts';
import type { Model } from './model.ts';
import type { RowFilter } from './relation.ts';

export type Value = string | number | boolean | null;
export interface SchemaColumn {
  name: string;
  column_type: string;
}
export interface QueryResult {
  schema: SchemaColumn[];
  data: Value[][];
}

const OID = { bool: 16, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701, numeric: 1700 } as const;
const TIME = { date: 1082, timestamp: 1114, timestamptz: 1184 } as const;
const numbers: readonly number[] = [OID.int8, OID.int2, OID.int4, OID.float4, OID.float8, OID.numeric];
const times: readonly number[] = Object.values(TIME);

/** Returns a number if it is exact, otherwise the digits as a string. */
function exactNumber(text: string): Value {
  const number = Number(text);
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return String(number) === plain || text.includes('e') ? number : text;
}

/** Formats `2024-01-31 09:30:00` as `2024-01-31T09:30:00.000`, and a date as midnight of that day. */
function isoTime(text: string): string {
  const [day = '', clock = '00:00:00'] = text.replace(/\+00$/, '').split(' ');
  const [whole = '', fraction = ''] = clock.split('.');
  return `${day}T${whole}.${fraction.slice(0, 3).padEnd(3, '0')}`;
}

const parsers = Object.fromEntries([
  ...numbers.map((oid) => [oid, exactNumber]),
  ...times.map((oid) => [oid, isoTime]),
]) as Record<number, (text: string) => Value>;

function columnType(oid: number): string {
  if (numbers.includes(oid)) return 'number';
  if (times.includes(oid)) return 'time';
  return oid === OID.bool ? 'boolean' : 'string';
}

const asValue = (cell: unknown): Value =>
  cell === null || typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? cell
    : JSON.stringify(cell);

function asResult({ fields, rows }: Results<unknown[]>): QueryResult {
  return {
    schema: fields.map(({ name, dataTypeID }) => ({ name, column_type: columnType(dataTypeID) })),
    data: rows.map((row) => row.map(asValue)),
  };
}

const fetchRows = async (target: PGlite | Transaction, sql: string): Promise<QueryResult> =>
  asResult(await target.query<unknown[]>(sql, [], { rowMode: 'array', parsers }));

/** Runs `work` in a read-only transaction in which table names must be qualified with their schema. */
async function readOnly<T>(database: PGlite, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.exec(`SET TRANSACTION READ ONLY; SET LOCAL search_path = pg_catalog; SET LOCAL timezone = 'UTC'`);
    return work(transaction);
  });
}

/** Results by compiled SQL. */
export type KnownResults = Map<string, QueryResult>;
/** Larger results are not kept. */
const MAX_KNOWN_ROWS = 1000;

/** Queries one branch of the data model with the permissions of one user. */
export class QueryEngine {
  readonly #database: PGlite;
  readonly #model: Model;
  readonly #filters: readonly RowFilter[];
  readonly #known: KnownResults;

  /** @param known results of earlier queries, which never change because the data doesn't; the engine adds its own */
  constructor(database: PGlite, model: Model, filters: readonly RowFilter[], known: KnownResults = new Map()) {
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
    const result = await readOnly(this.#database, (transaction) => fetchRows(transaction, compiled));
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
    await readOnly(this.#database, (transaction) =>
      transaction.exec(`DECLARE ${cursor} NO SCROLL CURSOR WITH HOLD FOR ${compiled}`),
    );
    try {
      for (let isFirst = true; ; isFirst = false) {
        const page = await fetchRows(this.#database, `FETCH ${size} FROM ${cursor}`);
        if (isFirst && page.data.length < size) this.#known.set(compiled, page);
        yield page;
        if (page.data.length < size) return;
      }
    } finally {
      await this.#database.exec(`CLOSE ${cursor}`);
    }
  }
}

let cursorCount = 0;
