/** Which files of a data model a changed file may concern. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { relatedFiles } from '../../../src/model/relatedFiles.ts';

const file = (name: string, text: string) => ({ path: `model/${name}`, text });
const cube = (name: string, rest = ''): string => `cubes:\n  - name: ${name}\n    sql_table: public.${name}\n${rest}`;

const orders = file('orders.yml', cube('orders'));
const sales = file(
  'sales.yml',
  'views:\n  - name: sales\n    cubes:\n      - join_path: Orders\n        includes: "*"\n',
);
const report = file('report.yml', cube('report', '    sql: SELECT * FROM {sales.sql()}\n'));
const cities = file('cities.yml', cube('cities'));
const template = file('template.yml', 'cubes:\n{% for name in names %}\n  - name: {{ name }}\n{% endfor %}\n');
const code = file('code.js', 'cube(`customers`, { sql_table: `public.customers` });');
const files = [report, cities, template, orders, code, sales];

describe('the files that a change may concern', () => {
  const paths = ([before, after]: ReturnType<typeof relatedFiles>): string[][] =>
    [before, after].map((each) => each.map(({ path }) => path.slice('model/'.length)));

  it('are those that name its cubes, also through others and in other case, code and templates', () => {
    const changed = { ...orders, text: orders.text.replace('public.', 'core.') };
    const after = files.map((each) => (each === orders ? changed : each));
    const expected = ['report.yml', 'template.yml', 'orders.yml', 'code.js', 'sales.yml'];
    assert.deepEqual(paths(relatedFiles(files, after)), [expected, expected]);
  });

  it('include users of a cube that was removed, and of the new name of one that was renamed', () => {
    const others = files.filter((each) => each !== orders);
    const [, after] = relatedFiles(files, others);
    assert.ok(after.includes(sales) && !after.includes(cities));
    const renamed = [...others, { ...orders, text: cube('cities') }];
    assert.ok(relatedFiles(files, renamed)[1].includes(cities));
  });

  it('are only code and templates if nothing has changed', () => {
    assert.deepEqual(relatedFiles(files, files)[0], [template, code]);
  });
});
