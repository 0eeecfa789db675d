/** How cells are formatted: one format for a whole column. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { displayOf, formatNumber, timeForm } from '../../../../src/shared/results/display.ts';

const columnOf = (cells: readonly unknown[]) => cells.map((cell) => [cell]);

describe('the times of a column', () => {
  const shown = (...cells: unknown[]): string[] => {
    const form = timeForm(columnOf(cells), 0);
    return cells.filter((cell) => typeof cell === 'string').map(form);
  };

  it('are days if all of them are midnights', () => {
    const midnights = ['2024-01-01T00:00:00', '2024-01-02 00:00', '2024-01-03T00:00:00.000', '2024-01-04'];
    assert.deepEqual(shown(...midnights), ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']);
    assert.deepEqual(shown(null, '', '2024-01-01T00:00:00'), ['', '2024-01-01']);
    for (const other of ['2024-01-01T10:00:00', '2024-01-01T00:00:00Z', 'x2024-01-01', '2024-01-01T00:00:00 x'])
      assert.deepEqual(shown('2024-01-01T00:00:00', other)[0], '2024-01-01 00:00:00', other);
  });

  it('lose zero fractions unless one has another fraction', () => {
    assert.deepEqual(shown('2024-01-01T10:00:00.000Z', '2024-01-01T10:00:01.0+02:00', '10:00:00.00'), [
      ...['2024-01-01 10:00:00Z', '2024-01-01 10:00:01+02:00', '10:00:00'],
    ]);
    assert.deepEqual(shown('2024-01-01 10:00:00.000 Europe/Berlin', '2024-01-01 10:00:00.000 -0800'), [
      ...['2024-01-01 10:00:00 Europe/Berlin', '2024-01-01 10:00:00 -0800'],
    ]);
    for (const fraction of ['.5', '.05', '.0005', '.500'])
      assert.equal(shown('2024-01-01T10:00:00.000', `2024-01-01T10:00:00${fraction}`)[0], '2024-01-01 10:00:00.000');
  });

  it('keep other text, and have the format of the first two hundred', () => {
    assert.deepEqual(shown('on 2024-01-01T10:00', '2024-01-01Today', '1:00.0 h'), [
      ...['on 2024-01-01T10:00', '2024-01-01Today', '1:00.0 h'],
    ]);
    const days = Array.from({ length: 199 }, () => '2024-01-01T00:00:00');
    assert.equal(shown(...days, '2024-01-01T10:00:00')[0], '2024-01-01 00:00:00');
    const more = shown(...days, days[0], '2024-01-01T10:00:00', 'on 2024-01-01T00:00', '2024-01-01T00:00 x');
    assert.equal(more[0], '2024-01-01');
    assert.deepEqual(more.slice(200), ['2024-01-01 10:00:00', 'on 2024-01-01T00:00', '2024-01-01 00:00 x']);
  });
});

describe('the numbers of a column', () => {
  const shown = (name: string, cells: readonly unknown[]): string[] =>
    cells.map(displayOf({ name, type: '', kind: 'number' }, 0, columnOf(cells), 'en'));

  it('have the same number of decimal places, and separators unless they name things', () => {
    assert.deepEqual(shown('amount', [1234.5, '7.250', null, 'n/a', '1e9']), ['1,234.500', '7.250', '', 'n/a', '1e9']);
    for (const name of ['id', 'order_id', 'orderId', 'orders.year', 'Zip', 'postal code', 'SKUs'])
      assert.deepEqual(shown(name, [1234]), ['1234'], name);
    for (const name of [
      ...['zipcode', 'phone', 'customer_no', 'order_number', 'customerid', 'orders.skuCode', 'date_sk', 'C_CUSTKEY'],
      ...['id_customer', 'code_postal', 'numéro client', 'Kundennummer', 'artikelnr', 'policynumber', 'ssn', 'ean13'],
      ...['created_at', 'epoch_ms', 'unix_time', 'order_id_1', 'customer_id:1', 'gl_account', 'cusip'],
    ])
      assert.deepEqual(shown(name, [1234567]), ['1234567'], name);
    for (const name of [
      'paid',
      'valid',
      'years_old',
      'idea',
      'amountid',
      'id_count',
      'turkey',
      'sumnumber',
      'number',
      'total_number',
      'distinct_customer_ids',
    ])
      assert.deepEqual(shown(name, [1234]), ['1,234'], name);
    assert.deepEqual(shown('unit_key', [1234.5]), ['1,234.5']);
  });

  it('have no separators if they are years, months or days', () => {
    assert.deepEqual(shown('period', [202401, null, 20240131]), ['202401', '', '20240131']);
    for (const [name, cell] of [
      ...(['fy', 'Geschäftsjahr', 'année', 'year_built'] as const).map((each) => [each, 2024] as const),
      ...(['monat', 'cohort', 'calmonth', 'last_order_month'] as const).map((each) => [each, 202401] as const),
      ...(['ds', 'orderdate', 'last_order_date', 'month_start'] as const).map((each) => [each, 20240131] as const),
      ['dateHour', 2024013123],
      ['fiscper', 2024012],
    ] as const)
      assert.deepEqual(shown(name, [cell]), [String(cell)], name);
    for (const [name, cell] of [
      ['month', 202413_0],
      ['revenue', 202401],
      ['umsatz_vorjahr', 2024],
      ['month_start', 202401],
      ['year_built', 202401],
      ['revenue_last_year', 2024],
      ['orders_per_month', 202401],
    ] as const)
      assert.match(shown(name, [cell])[0]!, /,/, name);
  });

  it('are shown as sent if one of their column has more than a hundred decimal places', () => {
    const huge = `0.${'1'.repeat(101)}`;
    assert.deepEqual(shown('amount', ['1.5', huge]), ['1.5', huge]);
  });

  it('have every digit, up to a hundred decimal places', () => {
    assert.equal(formatNumber('12345678901234567890.10', 'en'), '12,345,678,901,234,567,890.10');
    assert.equal(formatNumber('1234.5', 'de', false, 2), '1234,50');
    const long = `0.${'1'.repeat(100)}`;
    assert.deepEqual([formatNumber(long, 'en'), formatNumber(`${long}1`, 'de')], [long, `${long}1`]);
  });
});

describe('other cells', () => {
  it('are cut after 400 characters, and null is empty', () => {
    const show = displayOf({ name: 'a', type: '', kind: 'string' }, 0, [], 'en');
    assert.deepEqual([show(null), show({ a: 1 }), show('x'.repeat(400))], ['', '{"a":1}', 'x'.repeat(400)]);
    assert.equal(show('x'.repeat(401)), `${'x'.repeat(400)}…`);
    assert.equal(show('2024-01-01T00:00:00'), '2024-01-01T00:00:00');
    const time = displayOf({ name: 'a', type: '', kind: 'time' }, 0, [], 'en');
    assert.equal(time('x'.repeat(401)), `${'x'.repeat(400)}…`);
  });
});
