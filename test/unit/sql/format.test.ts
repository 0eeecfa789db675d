import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatSql } from '../../../src/sql/formatSql.ts';
import { lexSql } from '../../../src/sql/lex.ts';
import { hostileSql, runs, tidySql } from './arbitrarySql.ts';

const load = async () => (await import('../../../src/sql/formatter.ts')).formatPostgres;
const SPACES = { tabSize: 2, insertSpaces: true };

describe('formatting', () => {
  it('breaks and indents by the file, and keeps the case of words', async () => {
    const sql = "select a, MEASURE(orders.count) from orders where x = 'a  b' group by 1";
    assert.equal(
      await formatSql(sql, { tabSize: 4, insertSpaces: true }, load),
      "select\n    a,\n    MEASURE(orders.count)\nfrom\n    orders\nwhere\n    x = 'a  b'\ngroup by\n    1",
    );
    assert.match(await formatSql(sql, { tabSize: 4, insertSpaces: false }, load), /^select\n\ta,/);
  });

  it('leaves SQL alone that it cannot read', async () => {
    for (const sql of ["SELECT '", 'SELECT {{ x }} ((', '\u0000'])
      assert.equal(await formatSql(sql, SPACES, load), sql);
  });

  it('changes nothing but white space between tokens', async () => {
    const code = (sql: string): string =>
      lexSql(sql)
        .filter(({ kind }) => kind !== 'space')
        .map(({ start, end }) => sql.slice(start, end).trimEnd())
        .join('');
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostileSql, tidySql), async (sql) => {
        assert.equal(code(await formatSql(sql, SPACES, load)), code(sql));
      }),
      runs,
    );
  });
});
