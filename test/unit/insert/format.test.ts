import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatSql } from '../../../src/insert/sql/formatSql.ts';
import { lexSql } from '../../../src/insert/sql/lex.ts';
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

  it("is unchanged if it can't be parsed", () => {
    for (const sql of ["SELECT '", 'SELECT {{ x }} ((', '\u0000']) assert.equal(formatSql(sql, SPACES), sql);
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
