/** The functions of expressions, in zones before and after UTC. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { draw } from './drawn.ts';

const d = "'2024-01-01'";
const time = "'2024-03-04T05:06:07.008'";
const names = 'year month date day hours minutes seconds milliseconds time toDate quarter week dayofyear'.split(' ');
const cases = {
  [`year(${d})`]: 2024,
  [`month(${d})`]: 0,
  [`date(${d})`]: 1,
  [`day(${d})`]: 1,
  [`hours(${d})`]: 0,
  [`minutes(${d})`]: 0,
  [`hours(${time})`]: 5,
  [`minutes(${time})`]: 6,
  [`seconds(${time})`]: 7,
  [`milliseconds(${time})`]: 8,
  [`time(${d}) == time(datetime(2024, 0, 1))`]: true,
  [`quarter(${d})`]: 1,
  [`week('2024-03-03')`]: 9,
  [`dayofyear(${d})`]: 1,
  [`toDate(${d}) == time(${d})`]: true,
  [`timeFormat(${d}, '%Y-%m-%d %H:%M')`]: '2024-01-01 00:00',
  [`timeFormat(datetime(2024, 1, 3, 4, 5), '%m-%d %H:%M')`]: '02-03 04:05',
  'time(datetime(2024))': 2024,
  [`month(datetime(${d}))`]: 0,
  'isValid(time(datetime(null)))': false,
  ...Object.fromEntries(names.map((name) => [`${name}(null) === null`, true])),
  "format(1700000000000123, ',.12~r')": '1,700,000,000,000,123',
  "format(0.1 + 0.2, ',.12~r')": '0.3',
  "format(1234, ',.2r')": '1,200',
  "format(12, '$,.12~r')": '$12',
};

describe('the functions of expressions', () => {
  const { TZ } = process.env;
  after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  for (const zone of ['America/New_York', 'Asia/Kolkata'])
    it(`read dates without a zone as calendar days in ${zone}, and null as null`, async () => {
      process.env.TZ = zone;
      const calculate = Object.keys(cases).map((expression, at) => ({
        calculate: `'' + (${expression})`,
        as: `f${at}`,
      }));
      const fold = { fold: calculate.map(({ as }) => as) };
      const spec = { transform: [...calculate, fold], mark: 'text', encoding: { text: { field: 'value' } } };
      const table = { columns: [{ name: 'k', type: 'string' }], rows: [['a']], totalRows: 1 };
      const texts = (await draw(spec, table)).items('mark').map(({ text }) => text);
      const list = (values: unknown[]): string[] => values.map((value, at) => `${Object.keys(cases)[at]}: ${value}`);
      assert.deepEqual(list(texts), list(Object.values(cases)));
    });
});
