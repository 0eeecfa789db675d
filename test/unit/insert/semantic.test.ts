import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hiddenCharacters } from '../../../src/insert/sql/hazards.ts';
import { isSemanticSql } from '../../../src/insert/sql/semantic.ts';

const known = new Set(['orders', 'Order Items']);

describe('semantic SQL', () => {
  for (const sql of [
    'SELECT MEASURE(count) FROM x',
    'select measure ( "count" ) from x',
    'SELECT status, count(*) FROM orders GROUP BY 1',
    'SELECT 1 FROM x JOIN ORDERS ON true',
    'SELECT 1 FROM x, orders o',
    'SELECT 1 FROM orders AS o',
    'SELECT 1 FROM orders JOIN (SELECT 1) b ON true',
    'SELECT orders.status FROM x',
    'SELECT "Order Items"."count" FROM y',
    'WITH a AS (SELECT 1 FROM orders) SELECT * FROM a',
    'WITH a(orders) AS (SELECT 1) SELECT * FROM orders',
  ]) {
    it(`is detected: ${sql}`, () => assert.equal(isSemanticSql(sql, known), true));
  }

  for (const sql of [
    "SELECT 'MEASURE(x)' -- MEASURE(x)",
    'SELECT measure FROM x',
    'SELECT dbo.measure(x) FROM y',
    'SELECT 1 FROM raw.orders',
    'SELECT raw.orders.id FROM raw.orders',
    'SELECT orders FROM x',
    'SELECT 1 FROM "ORDERS"',
    'WITH orders AS (SELECT 1) SELECT orders.a FROM orders',
    'WITH a AS (SELECT 1), orders AS MATERIALIZED (SELECT 1) SELECT * FROM orders',
    'with recursive orders(a) as (select 1) select * from orders',
    'WITH a (b) AS (SELECT 1), orders (a, "c") AS NOT MATERIALIZED (SELECT 1) SELECT * FROM orders',
    '$$ MEASURE(x) FROM orders $$',
  ]) {
    it(`is distinguished from warehouse SQL: ${sql}`, () => assert.equal(isSemanticSql(sql, known), false));
  }

  it('is distinguished from tables only by known names', () => {
    assert.equal(isSemanticSql('SELECT 1 FROM orders'), false);
  });
});

describe('hidden characters', () => {
  it('are reported by their code points, each kind once', () => {
    assert.deepEqual(hiddenCharacters('a\u202eb\u2066c\u200bd\u0007'), [
      { code: 'bidirectionalCharacters', detail: 'U+202E, U+2066' },
      { code: 'invisibleCharacters', detail: 'U+200B' },
      { code: 'controlCharacters', detail: 'U+0007' },
    ]);
  });

  it('are found among tag characters, which can encode whole messages', () => {
    assert.equal(hiddenCharacters('SELECT 1\u{e0041}')[0]?.detail, 'U+E0041');
  });

  it('are not reported for visible text: line ends, tabs, letters of any script, emoji', () => {
    const emoji =
      '\u{1f469}\u200d\u{1f4bb} \u2764\ufe0f \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
    assert.deepEqual(hiddenCharacters(`SELECT '日本 é ${emoji}'\r\n\t`), []);
  });
});
