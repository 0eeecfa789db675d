/** Members that a query names, as far as its text tells. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { QueryMembers } from '../../../../src/model/lint/queryMembers.ts';

describe('a query', () => {
  const members = ['orders', 'orders.net', 'orders.gross', 'customers.net', 'customers.count'];
  const cases: [title: string, sql: string, used: string[], possible?: string[]][] = [
    ['qualified', 'SELECT MEASURE(orders.net) FROM orders', ['orders', 'orders.net']],
    ['quoted, in any case', 'select "Orders"."NET" from `orders`', ['orders', 'orders.net']],
    [
      'after an alias',
      'SELECT o.net, c.count FROM orders AS o JOIN customers c ON o.id = c.id',
      ['orders', 'orders.net', 'customers.count'],
    ],
    ['of the table with the alias only', 'SELECT o.gross FROM orders o, customers c', ['orders', 'orders.gross']],
    ['without its table', 'SELECT MEASURE(net) FROM orders', ['orders', 'orders.net']],
    [
      'in the columns of a function',
      "SELECT EXTRACT(YEAR FROM orders.net), DATE_TRUNC('month', gross) FROM orders",
      ['orders', 'orders.net', 'orders.gross'],
    ],
    ['as one of all columns', 'SELECT orders.* FROM orders', ['orders', 'orders.net', 'orders.gross']],
    ['as one of all columns of a subquery', 'SELECT * FROM (SELECT net FROM orders) AS t', ['orders', 'orders.net']],
    ['not by a count of rows', 'SELECT COUNT(*), 2 * 3 FROM orders', ['orders']],
    [
      'not by a name for a column',
      'SELECT MEASURE(net) / 2 AS gross FROM orders ORDER BY gross',
      ['orders', 'orders.net'],
    ],
    ['also if a column has its name', 'SELECT MEASURE(net) / 2 AS net FROM orders', ['orders', 'orders.net']],
    [
      'not by the name of a column of a subquery',
      'SELECT t.gross, gross FROM (SELECT net AS gross FROM orders) t',
      ['orders', 'orders.net'],
    ],
    [
      'not by the name of a column of a WITH query',
      'WITH t AS (SELECT net AS gross FROM orders) SELECT x.gross, gross FROM t x',
      ['orders', 'orders.net'],
    ],
    [
      'in a subquery of a condition',
      'SELECT 1 FROM customers WHERE id IN (SELECT gross FROM orders WHERE orders.id = customers.net)',
      ['orders', 'orders.gross', 'customers.net'],
    ],
    [
      'perhaps, in a subquery with another table',
      'SELECT (SELECT MAX(gross) FROM customers) FROM orders',
      ['orders'],
      ['orders', 'orders.gross'],
    ],
    [
      'not in literals and comments',
      "SELECT 'gross', net -- orders.gross\n/* gross */ FROM orders",
      ['orders', 'orders.net'],
    ],
    ['not as a part of another name', 'SELECT net_total, gross2 FROM orders', ['orders']],
    ['not of another table', 'SELECT net FROM customers', ['customers.net']],
    [
      'in each query of a union',
      'SELECT net FROM orders UNION ALL SELECT count FROM customers',
      ['orders', 'orders.net', 'customers.count'],
    ],
    [
      'perhaps, if several tables may have it',
      'SELECT net FROM orders, customers',
      ['orders'],
      ['orders', 'orders.net', 'customers.net'],
    ],
    [
      'perhaps, if a subquery may have it',
      'SELECT net FROM orders JOIN (SELECT 1) t',
      ['orders'],
      ['orders', 'orders.net'],
    ],
    ['not as a type', 'SELECT CAST(net AS gross), id::gross FROM orders', ['orders', 'orders.net']],
  ];
  for (const [title, sql, used, possible = used] of cases)
    it(`names a member ${title}`, () => {
      const query = new QueryMembers(sql);
      assert.deepEqual(
        [members.filter((each) => query.uses(each)), members.filter((each) => query.mayUse(each))],
        [used, possible],
      );
    });
});
