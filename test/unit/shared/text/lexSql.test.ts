import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sqlKey } from '../../../../src/shared/text/lexSql.ts';

describe('the key of SQL', () => {
  const sql = `SELECT name, MEASURE(s.revenue) FROM sales s WHERE name = 'Oslo' AND n > 1`;

  it('is the same for the same tokens', () => {
    for (const same of [
      `${sql} ;\n`,
      sql.toLowerCase().replace('oslo', 'Oslo'),
      `-- Revenue\n${sql.replaceAll(' ', '\n  ')} /* as of now */`,
      sql.replace('n > 1', 'n>1'),
    ])
      assert.equal(sqlKey(same), sqlKey(sql), same);
  });

  it('differs for other literals, names and numbers', () => {
    const others = [
      sql.replace('Oslo', 'oslo'),
      sql.replace('Oslo', 'Oslo '),
      sql.replace('1', '1.0'),
      sql.replace('name,', '"Name",'),
      sql.replace('sales s', 'sales'),
      `${sql}; SELECT 1`,
    ];
    assert.equal(new Set([sql, ...others].map(sqlKey)).size, others.length + 1);
  });
});
