import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { LoggerInterface } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { parse } from 'yaml';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Database, QueryResult } from '../../sandbox/data/client.ts';
import type { KnownResults } from '../../sandbox/data/results.ts';
import { useWarehouse } from '../../sandbox/service/warehouse.ts';
import { ask, chatIdOf, finalOf, queryOf, startFast, type Line } from './support.ts';

interface Question {
  ask: string;
  sql: string;
  chart?: string;
  branch?: string;
}

const file = join(import.meta.dirname, '..', '..', 'fixtures', 'sandbox', 'questions.yml');
const { tables, questions } = parse(await readFile(file, 'utf8')) as {
  tables: Record<string, string>;
  questions: Question[];
};

/** Numbers rounded to cents and times to seconds, to compare two computations. */
function plain(value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return value.slice(0, 19);
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

function chartOf(vegaSpec: string | undefined): string | undefined {
  if (vegaSpec === undefined) return undefined;
  const spec = JSON.parse(vegaSpec) as { mark?: { type: string }; vconcat?: unknown };
  return spec.vconcat ? 'vconcat' : spec.mark?.type;
}

/** Vega-Lite's warnings about a specification. */
function warningsOf(vegaSpec: string): unknown[] {
  const warnings: unknown[] = [];
  const logger: LoggerInterface = {
    level: () => logger,
    error: (...args) => (warnings.push(...args), logger),
    warn: (...args) => (warnings.push(...args), logger),
    info: () => logger,
    debug: () => logger,
  } as LoggerInterface;
  const spec = { ...(JSON.parse(vegaSpec) as object), data: { values: [] } };
  compile(spec as TopLevelSpec, { logger });
  // Vega-Lite warns about every chart with container width whose height depends on its bars.
  return warnings.filter((warning) => !String(warning).startsWith('Dropping "fit-y"'));
}

describe('sandbox: questions', () => {
  let sandbox: Sandbox;
  let database: Database;
  let known: KnownResults;
  let release: () => void;
  const inExpected = (sql: string): Promise<QueryResult> => database.run('SET LOCAL search_path = expected', sql);
  let created: Promise<void> | undefined;
  async function create(): Promise<void> {
    await database.run('CREATE SCHEMA expected');
    for (const [name, sql] of Object.entries(tables)) await inExpected(`CREATE TABLE ${name} AS ${sql}`);
    await database.run('ANALYZE');
  }
  /** Runs SQL on the tables of the fixture, which the agent can't see. */
  async function compute(sql: string): Promise<QueryResult> {
    const all = [...Object.entries(tables).flat(), sql].join('\n');
    const kept = known.get(all);
    if (kept) return kept;
    await (created ??= create());
    const result = await inExpected(sql);
    known.set(all, result);
    return result;
  }
  before(async () => {
    [sandbox, { database, known, release }] = await Promise.all([startFast(), useWarehouse()]);
  });
  after(async () => {
    await sandbox.stop();
    if (created) await database.run('DROP SCHEMA expected CASCADE');
    release();
  });

  it('are at least 60, all different', () => {
    const asked = new Set(questions.map(({ ask: text, branch = '' }) => `${text} ${branch}`));
    assert.ok(asked.size >= 60);
    assert.equal(asked.size, questions.length);
  });

  for (const { ask: input, sql, chart, branch } of questions)
    it(branch === undefined ? input : `${input} (${branch})`, async () => {
      const lines = await ask(sandbox, { input, ...(branch === undefined ? {} : { activeBranchName: branch }) });
      const { data, totalRows, vegaSpec } = queryOf(lines);
      const { data: rows } = await compute(sql);
      assert.ok(rows.length > 0);
      assert.equal(totalRows, rows.length);
      assert.deepEqual(
        data.map((row) => row.map(plain)),
        rows.slice(0, 100).map((row) => row.map(plain)),
      );
      assert.equal(chartOf(vegaSpec), chart);
      if (vegaSpec !== undefined) assert.deepEqual(warningsOf(vegaSpec), []);
      assert.ok(finalOf(lines).length > 20);
    });

  const answer = async (body: object): Promise<Line[]> => ask(sandbox, body);

  it('are answered with the figures in text', async () => {
    const year = finalOf(await answer({ input: 'revenue by month in 2024' }));
    assert.match(year, /Revenue came to \*\*\$5,\d{3},\d{3}\*\* in 2024/);
    assert.match(year, /Highest:\*\* December 2024/);
    assert.match(finalOf(await answer({ input: 'orders by day in 2024' })), /first 100 of \*\*366\*\* rows/);
    assert.match(finalOf(await answer({ input: 'revenue 2024 vs 2023' })), /rose from .*2023.* to .*2024.*\+28\.4 %/);
  });

  it('may be incomplete follow-ups', async () => {
    const chatId = chatIdOf(await answer({ input: 'revenue by month in 2024' }));
    const region = queryOf(await answer({ chatId, input: 'by region' }));
    assert.match(region.sqlQuery, /sales\.region[\s\S]*MEASURE\(sales\.revenue\)[\s\S]*'2024-01-01'/);
    const against = queryOf(await answer({ chatId, input: 'against 2023' }));
    assert.deepEqual(
      against.data.slice(0, 2).map(([, period]) => period),
      ['2023', '2024'],
    );
    const germany = queryOf(await answer({ chatId, input: 'only Germany, by month in 2023' }));
    assert.match(germany.sqlQuery, /'Germany'/);
    assert.equal(germany.data.length, 12);
    await answer({ chatId, input: 'orders in 2024' });
    const lastYear = queryOf(await answer({ chatId, input: 'compared to last year' }));
    assert.deepEqual(
      lastYear.data.map(([period]) => period),
      ['2023', '2024'],
    );
  });

  for (const [input, missing] of [
    ["What's the weather in Berlin?", 'weather'],
    ['revenue by supplier', 'supplier'],
    ['gross margin by month', 'margin'],
    ['tell me a joke', 'joke'],
  ] as const)
    it(`are rejected honestly if they can't be answered: ${input}`, async () => {
      const lines = await answer({ input });
      assert.ok(!lines.some(({ toolCall }) => toolCall?.name === 'svcSqlApi'));
      assert.match(finalOf(lines), new RegExp(`nothing in the data model for .*“${missing}”`));
      assert.match(finalOf(lines), /What I can use:[\s\S]*Revenue[\s\S]*Region/);
    });

  it('are answered with a list of the ignored words', async () => {
    assert.match(finalOf(await answer({ input: 'wholesale revenue in 2024' })), /could not use “wholesale”/);
  });

  it("are rejected if their members don't fit together", async () => {
    const lines = await answer({ input: 'refunds by promo code' });
    assert.ok(!lines.some(({ toolCall }) => toolCall?.name === 'svcSqlApi'));
    assert.match(finalOf(lines), /“Refunds” cannot be combined with “Promo code”/);
  });

  it('can ask for the definition of a measure on the branch', async () => {
    const input = 'how is revenue defined?';
    assert.match(finalOf(await answer({ input })), /Cancelled orders do not count; returns are not taken off/);
    assert.match(finalOf(await answer({ input, activeBranchName: 'dev-net-revenue' })), /less refunds/);
  });

  it("can ask for the agent's capabilities", async () => {
    assert.match(finalOf(await answer({ input: 'what can you do?' })), /Measures:.*Revenue/);
  });
});
