/** The process of the demo database: runs the statements that `client.ts` sends. */
import type { Results } from '@electric-sql/pglite';
import { openDatabase } from './database.ts';
import type { QueryResult, Reply, Request, Value } from './client.ts';

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

const reply = (message: Reply): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
// Ctrl+C in a terminal also reaches this process, which its parent still needs.
process.on('SIGINT', () => undefined);
const database = await openDatabase(() => reply({ type: 'building' }));
process.on('message', ({ id, statements }: Request) => {
  const run = database.transaction(async (transaction) => {
    for (const statement of statements.slice(0, -1)) await transaction.exec(statement);
    return transaction.query<unknown[]>(statements.at(-1) ?? '', [], { rowMode: 'array', parsers });
  });
  run.then(
    (results) => reply({ type: 'result', id, result: asResult(results) }),
    (failure: Error) => reply({ type: 'failed', id, message: failure.message }),
  );
});
reply({ type: 'ready' });
