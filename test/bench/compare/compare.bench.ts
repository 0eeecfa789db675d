/**
 * Compares two results of 100,000 rows; measured against a join in PostgreSQL, a line diff, and reading both results
 * once: the rows of one into a map, those of the other to look them up, with keys and equality written for this data.
 */
import { PGlite } from '@electric-sql/pglite';
import { diffArrays } from 'diff';
import { compareTables } from '../../../src/compare/compareTables.ts';
import { cellText } from '../../../src/shared/results/cells.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { compared, type Profile, type Result } from '../result.ts';
import { inFunctions } from '../support/cpu.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const ROUNDS = 5;
const columns = [
  { name: 'day', type: 'time' },
  { name: 'customer', type: 'string' },
  { name: 'revenue', type: 'number' },
  { name: 'units', type: 'number' },
];

/** @param shift added to the revenue in every hundredth row */
const tableWith = (shift: number): ResultTable => ({
  columns,
  rows: Array.from({ length: ROWS }, (_, row) => [
    `2024-01-${String((row % 28) + 1).padStart(2, '0')}`,
    `customer ${row}`,
    (row * 1.25 + (row % 100 === 0 ? shift : 0)).toFixed(2),
    row % 17,
  ]),
  totalRows: ROWS,
});

export default async function bench(): Promise<Result[]> {
  const [left, right] = [tableWith(0), tableWith(1)];
  const database = await PGlite.create();
  for (const [name, { rows }] of [
    ['l', left],
    ['r', right],
  ] as const) {
    await database.exec(`CREATE TABLE ${name} (day date, customer text, revenue numeric, units int)`);
    await database.query(
      `INSERT INTO ${name} SELECT (x->>0)::date, x->>1, (x->>2)::numeric, (x->>3)::int FROM jsonb_array_elements($1::jsonb) x`,
      [JSON.stringify(rows)],
    );
  }
  const ways: Record<string, () => unknown> = {
    ours: () => changedBy(compareTables([left, right], undefined).counts.changed),
    'reading both once': () => changedBy(readBoth(left, right)),
    'full outer join in PGlite': async () =>
      changedBy(
        (
          await database.query(
            'SELECT l.*, r.* FROM l FULL OUTER JOIN r USING (day, customer) WHERE (l.revenue, l.units) IS DISTINCT FROM (r.revenue, r.units)',
          )
        ).rows.length,
      ),
    'line diff (diff)': () =>
      changedBy(
        diffArrays(lines(left), lines(right)).reduce((sum, { added, value }) => sum + (added ? value.length : 0), 0),
      ),
  };
  const samples: Record<string, number[]> = { ours: [] };
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [name, work] of Object.entries(ways)) {
      const start = performance.now();
      await work();
      if (round >= 0) (samples[name] ??= []).push(performance.now() - start);
    }
  await database.close();
  const profile: Profile = {
    unit: 'µs a row',
    of: {
      ours: await inFunctions(() => compareTables([left, right], undefined).rows.length),
      'reading both once': await inFunctions(() => (readBoth(left, right), ROWS)),
    },
  };
  return [{ ...compared(`two results of ${ROWS.toLocaleString('en')} rows, 1 % changed`, 'ms', samples), profile }];
}

function changedBy(count: number): void {
  if (count !== Math.ceil(ROWS / 100)) throw new Error(`${count} rows changed`);
}

const lines = ({ rows }: ResultTable): string[] => rows.map((row) => row.join('\t'));

function readBoth(left: ResultTable, right: ResultTable): number {
  const keyOf = (row: readonly unknown[]): string => `${cellText(row[0])}\n${cellText(row[1])}`;
  const rows = new Map<string, readonly unknown[]>();
  for (const row of left.rows) rows.set(keyOf(row), row);
  let changed = 0;
  for (const row of right.rows) {
    const before = rows.get(keyOf(row));
    if (before?.[2] !== row[2] || before?.[3] !== row[3]) changed += 1;
  }
  return changed;
}
