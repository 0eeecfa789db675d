import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatSql } from '../../../src/insert/sql/formatSql.ts';
import { lexSql } from '../../../src/shared/text/lexSql.ts';
import { hostileSql, runs, tidySql } from './arbitrarySql.ts';

const SPACES = { tabSize: 2, insertSpaces: true };

describe('formatted SQL', () => {
  it('has the line breaks and indentation of the file, and keeps the case of keywords', () => {
    const sql = "select a, MEASURE(orders.count) from orders where x = 'a  b' group by 1";
    assert.equal(
      formatSql(sql, { tabSize: 4, insertSpaces: true }),
      "select\n    a,\n    MEASURE(orders.count)\nfrom\n    orders\nwhere\n    x = 'a  b'\ngroup by\n    1",
    );
    assert.match(formatSql(sql, { tabSize: 4, insertSpaces: false }), /^select\n\ta,/);
  });

  it('has no space in calls of functions that the formatter does not know: MySQL rejects it', () => {
    for (const [sql, formatted] of [
      ['select DATE_ADD(a, interval 1 day)', 'select\n  DATE_ADD(a, interval 1 day)'],
      ['select a in(1)', 'select\n  a in (1)'],
      ['select f (a), g(b(c))', 'select\n  f (a),\n  g(b(c))'],
    ] as const)
      assert.equal(formatSql(sql, SPACES), formatted);
  });

  it("is unchanged if it can't be parsed", () => {
    for (const sql of ["SELECT '", 'SELECT {{ x }} ((', '\u0000']) assert.equal(formatSql(sql, SPACES), sql);
  });

  it('is unchanged if more than white space between tokens would change', () => {
    for (const sql of [
      'SELECT a &@~ b FROM t',
      'FROM t |> WHERE a > 1',
      'SELECT a // b FROM t',
      'SELECT a ** 2, b == c FROM t',
      'SELECT a ?@ b, c <<#>> d FROM t',
      "SELECT a = 'b'\n'c' FROM t",
      "SELECT N'a' FROM t",
      "SELECT r'\\d', b FROM t",
      "SELECT _utf8'a' FROM t",
      'SELECT `a b` FROM t',
      "SELECT 'it\\'s  a' FROM t",
      'SELECT a # b\nFROM t',
      'SELECT a FROM t WHERE b = :c AND d = @e',
    ])
      assert.equal(formatSql(sql, SPACES), sql);
    assert.equal(
      formatSql("select E'\\n', a::int, b->>'c', -1", SPACES),
      "select\n  E'\\n',\n  a::int,\n  b ->> 'c',\n  -1",
    );
  });

  it('differs only in white space between tokens', () => {
    const code = (sql: string): string =>
      lexSql(sql)
        .filter(({ kind }) => kind !== 'space')
        .map(({ start, end }) => sql.slice(start, end).trimEnd())
        .join('');
    fc.assert(
      fc.property(fc.oneof(hostileSql, tidySql), (sql) => {
        assert.equal(code(formatSql(sql, SPACES)), code(sql));
      }),
      runs,
    );
  });
});
