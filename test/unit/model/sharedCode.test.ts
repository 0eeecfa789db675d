/** Members and changes of models that are written with templates and shared code. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { membersIn, qualified, treeOf } from '../../../src/model/members.ts';
import { compareVersions } from '../../../src/model/versions.ts';
import type { SourceFile } from '../../../src/shared/text/sourceFile.ts';
import { changesIn } from './support.ts';

const YAML = 'model/orders.yml';
/** The names of the members in a file; a cube or view of which not all members are known ends in an ellipsis. */
const named = (text: string, path = YAML): string =>
  membersIn({ path, text })
    .map((member) => `${qualified(member)}${member.isPartial ? '…' : ''}`)
    .join(' ');
const COUNT = '      - name: count\n        type: count\n';

describe('members that are written out are found, and no others', () => {
  const head = 'cubes:\n  - name: orders\n    sql_table: orders\n';
  const cases: [title: string, text: string, expected: string][] = [
    [
      'a comment with a hash',
      `{# see ticket #42 #}\n${head}    measures:\n${COUNT}      - {name: total, type: sum, sql: amount}\n`,
      'orders orders.count orders.total',
    ],
    [
      'a comment over several lines with braces',
      `{# one } two }}\n  #3 {%% \n#}\n${head}    measures:\n${COUNT}`,
      'orders orders.count',
    ],
    [
      'a percent sign in a statement',
      `{% set like = '%%test%%' %}\n${head}    measures:\n${COUNT}`,
      'orders orders.count',
    ],
    ['the end of a tag in a string', `{% set end = '%}' %}\n${head}    measures:\n${COUNT}`, 'orders orders.count'],
    [
      'braces in the argument of a call',
      `{%- import 'm.jinja' as m -%}\n${head}    measures:\n      {{ m.to_date('revenue', '{CUBE}."amount"') }}\n${COUNT}`,
      'orders… orders.count',
    ],
    [
      'braces within braces in the argument of a call',
      `${head}    measures:\n      {{ m.count({ 'a': { 'b': [1] }}) }}\n${COUNT}`,
      'orders… orders.count',
    ],
    ['a bracket without an end', `${head}    measures:\n      {{ m.count( }}\n${COUNT}`, 'orders… orders.count'],
    [
      'a call over several lines',
      `${head}    measures:\n      {{ m.to_date(\n        'revenue',\n        '}}'\n      ) }}\n${COUNT}`,
      'orders… orders.count',
    ],
    [
      'calls between members',
      `${head}    dimensions:\n      {{ dim('id', 'number') }}\n      {{ dim('status') }}\n      - name: created_at\n        sql: created_at\n    measures:\n${COUNT}`,
      'orders… orders.created_at orders.count',
    ],
    [
      'calls at the start of a line',
      `${head}    dimensions:\n{{ dim('id') }}\n      - name: created_at\n        sql: created_at\n{{ dim('status') }}\n    measures:\n${COUNT}`,
      'orders… orders.created_at orders.count',
    ],
    [
      'a macro in the file',
      `{%- macro dim(column, type='string') -%}\n      - name: {{ column }}\n        type: {{ type }}\n{% endmacro -%}\n\n${head}    dimensions:\n      {{ dim('id', 'number') }}\n`,
      'orders…',
    ],
    [
      'a call as the first line of a cube',
      `{% set model = dbt_model('shop.orders') %}\ncubes:\n  - {{ model.as_cube() }}\n    dimensions:\n      {{ model.as_dimensions(skip=['note']) }}\n    measures:\n${COUNT}`,
      'orders… orders.count',
    ],
    ['a call as an item', `${head}    measures:\n      - {{ revenue() }}\n${COUNT}`, 'orders… orders.count'],
    [
      'a call in a scalar over several lines',
      `${head}    measures:\n      - name: total\n        sql: a +\n          {{ rate() }}\n          + b\n${COUNT}`,
      'orders orders.total orders.count',
    ],
    [
      'statements in a block scalar',
      `${head}    measures:\n      - name: total\n        sql: >\n          {% if x %}\n          a\n        {% else %}\n          b\n          {% endif %}\n${COUNT}`,
      'orders orders.total orders.count',
    ],
    [
      'a block that sets a variable',
      `{% set text %}\ncubes: x\n{% endset %}\n${head}    measures:\n${COUNT}`,
      'orders orders.count',
    ],
    [
      'a loop over members',
      `${head}    measures:\n      {%- for kind in kinds %}\n      - name: {{ kind }}_count\n        type: count\n      {%- endfor %}\n${COUNT}`,
      'orders… orders.{{ kind }}_count orders.count',
    ],
  ];
  for (const [title, text, expected] of cases) it(title, () => assert.equal(named(text), expected));

  const total = '      - name: total\n        sql: ';
  const values: [title: string, value: string][] = [
    ['a call over several lines', '{{ f(\n          "a"\n        ) }}\n'],
    ['a call over several lines in quotes', '"{{ f(\n          \'a\'\n        ) }}"\n'],
    ['a call over several lines and text behind it', '{{ f(\n          "a"\n          ) }} + 1\n'],
    ['statements at the start of lines', '|\n          a\n{% if x %}\n          + b\n{% endif %}\n'],
    ['a statement at the start of the first line', '>\n{% if x %}\n          a\n{% endif %}\n'],
    ['a comment over several lines', '|\n          a\n          {# b\n c #}\n          + d\n'],
    ['an expression at the start of a line', '|\n          a\n{{ b }}\n          + c\n'],
  ];
  for (const [title, value] of values)
    it(`in a value: ${title}`, () => {
      const text = `${head}    measures:\n${total}${value}${COUNT}`;
      assert.equal(named(text), 'orders orders.total orders.count');
      assert.equal(treeOf({ path: YAML, text }).error, undefined);
    });

  it('next to an expression in a value or a comment, which generates no members', () => {
    for (const line of ['sql_table: "{{ schema }}.orders"', 'public: {{ isPublic }}', '# {{ dimensions() }}'])
      assert.equal(
        named(`cubes:\n  - name: orders\n    ${line}\n    measures:\n${COUNT}`),
        'orders orders.count',
        line,
      );
    const view =
      'views:\n  - name: v\n    cubes:\n      - join_path: orders\n        includes:\n          - {{ names }}\n';
    assert.equal(named(view), 'v…');
  });

  const code: [title: string, text: string, expected: string][] = [
    ['a spread', "cube('a', { ...base, measures: { ...more, n: {} } })", 'a… a.n'],
    [
      'Object.assign',
      "cube('a', Object.assign({}, base, { measures: Object.assign({ m: {} }, more, { n: {} }) }))",
      'a… a.m a.n',
    ],
    ['a variable as the definition', "cube('a', options)", 'a…'],
    ['a variable as the list', "cube('a', { measures: common, dimensions: { n: {} } })", 'a… a.n'],
    ['computed keys', "cube('a', { measures: { [`${x}_count`]: {}, n: {} } })", 'a… a.n'],
    ['a function', "const make = (name) => cube(name, { measures: { n: {} } }); make('a'); cube('b', {})", 'b'],
    ['a template as the name', 'cube(`${x}_orders`, {}); cube(`b`, { measures: { n: {} } })', 'b b.n'],
  ];
  for (const [title, text, expected] of code)
    it(`next to ${title}`, () => assert.equal(named(text, 'model/a.js'), expected));
});

/** Changes of two versions of several files, and the files that can't be followed. */
const compared = (before: Record<string, string>, after: Record<string, string>): string[] => {
  const files = (texts: Record<string, string>): SourceFile[] =>
    Object.entries(texts).map(([path, text]) => ({ path: `model/${path}`.replace('model/../', ''), text }));
  const [old, now] = [files(before), files({ ...before, ...after })];
  const { unfollowed } = compareVersions(old, now);
  return [
    ...changesIn(old, now),
    ...unfollowed.map(
      ({ path, reason, line }) => `? ${path.replace('model/', '')} ${reason}${line === undefined ? '' : ` ${line}`}`,
    ),
  ];
};

describe('a change of shared code', () => {
  const macros =
    '{% macro dim(name) %}- name: {{ prefix() }}{{ name }}{% endmacro %}\n{% macro prefix() %}x_{% endmacro %}\n{% macro other() %}y{% endmacro %}\n';
  const cube = (start: string, member: string): string =>
    `${start}\ncubes:\n  - name: orders\n    dimensions:\n      ${member}\n${COUNT}  - name: users\n    measures:\n${COUNT}`;
  const factory =
    "const make = (name) => cube(name, { sql_table: name, measures: { n: { sql: `a` } } });\nmake('orders');\n";
  const js = (start: string, sql: string): string =>
    `${start}\ncube('orders', { measures: { revenue: { sql: ${sql} }, count: {} } });\ncube('users', { measures: { count: {} } });`;
  const shared =
    "export const amount = '${CUBE}.amount';\nexport const other = 1, same = 2;\nconst rate = 3;\nexport function net() { return rate; }\n";
  const cases: [title: string, before: Record<string, string>, after: Record<string, string>, expected: string[]][] = [
    [
      'in an imported file concerns the member that uses it',
      { 'orders.js': js("import { amount } from './shared';", 'amount'), 'shared.js': shared },
      { 'shared.js': shared.replace('.amount', '.net_amount') },
      ['changed orders.revenue'],
    ],
    [
      'that is not used concerns no member',
      { 'orders.js': js("import { amount } from './shared';", 'amount'), 'shared.js': shared },
      { 'shared.js': shared.replace('other = 1', 'other = 5') },
      [],
    ],
    [
      'in another name of the import, or behind a function, concerns the member too',
      { 'cubes/orders.js': js("import { net as own } from '../shared.js';", '`${own()} * 2`'), 'shared.js': shared },
      { 'shared.js': shared.replace('rate = 3', 'rate = 4') },
      ['changed orders.revenue'],
    ],
    [
      'in a namespace concerns the members that use this part of it',
      { 'cubes/orders.js': js("import * as s from './shared';", 's.amount'), 'shared.js': shared },
      { 'shared.js': shared.replace('other = 1', 'other = 5') },
      [],
    ],
    [
      'in a required file concerns the member',
      {
        'orders.js': js("const { amount } = require('./shared');", 'amount'),
        'shared.js': "module.exports = { amount: 'a' };",
      },
      { 'shared.js': "module.exports = { amount: 'b' };" },
      ['changed orders.revenue'],
    ],
    ...["'a'", '`a`', '() => "a"'].map((value): [string, Record<string, string>, Record<string, string>, string[]] => [
      `in a default export concerns the member: ${value}`,
      { 'orders.js': js("import amount from './shared';", 'amount'), 'shared.js': `export default ${value};` },
      { 'shared.js': `export default ${value.replace('a', 'b')};` },
      ['changed orders.revenue'],
    ]),
    [
      'in a variable that is a property by its own name concerns the cube',
      {
        'orders.js': "import { measures } from './shared/index';\ncube('orders', { sql_table: 'a', measures });",
        'shared/index.ts': 'export const measures = { n: { sql: `a` } };',
      },
      { 'shared/index.ts': 'export const measures = { n: { sql: `b` } };' },
      ['changed orders'],
    ],
    [
      'in a variable of the same file that is a property by its own name concerns the cube',
      { 'orders.js': "const sql = 'a';\ncube('orders', { sql, measures: {} });" },
      { 'orders.js': "const sql = 'b';\ncube('orders', { sql, measures: {} });" },
      ['changed orders'],
    ],
    [
      'in a file that is exported again concerns the member',
      {
        'orders.js': js("import { amount } from './index';", 'amount'),
        'index.js': "export * from './shared';",
        'shared.js': shared,
      },
      { 'shared.js': shared.replace('.amount', '.net_amount') },
      ['changed orders.revenue'],
    ],
    [
      'that is only a comment concerns nothing',
      { 'orders.js': js("import { amount } from './shared';", 'amount'), 'shared.js': shared, 'factory.js': factory },
      { 'shared.js': `// note\n${shared}`, 'factory.js': `/* note */ ${factory}` },
      [],
    ],
    [
      'in a spread concerns the cube',
      {
        'orders.js':
          js('', '1').replace('measures: { revenue', '...base, measures: { revenue') +
          "\nimport { base } from './base';",
        'base.js': 'export const base = { title: 1 };',
      },
      { 'base.js': 'export const base = { title: 2 };' },
      ['changed orders'],
    ],
    [
      'in a function that defines cubes is not followed',
      { 'factory.js': factory, 'users.js': "cube('users', {});" },
      { 'factory.js': factory.replace('`a`', '`b`') },
      ['? factory.js code'],
    ],
    [
      'in the calls of such a function is not followed',
      { 'factory.js': factory },
      { 'factory.js': `${factory}make('users');` },
      ['? factory.js code'],
    ],
    [
      'in a file that such a function uses is not followed',
      { 'factory.js': `import { amount } from './shared';\n${factory.replace('`a`', 'amount')}`, 'shared.js': shared },
      { 'shared.js': shared.replace('.amount', '.net') },
      ['? shared.js code'],
    ],
    [
      'in a file that nothing imports is not followed',
      { 'orders.js': js('', '1'), 'shared.js': shared },
      { 'shared.js': shared.replace('.amount', '.net') },
      ['? shared.js code'],
    ],
    [
      'in a statement of an imported file is not followed',
      { 'orders.js': js("import { amount } from './shared';", 'amount'), 'shared.js': shared },
      { 'shared.js': `${shared}register(1);` },
      ['? shared.js code'],
    ],
    [
      'in an imported macro concerns the cube that uses it',
      { 'orders.yml': cube("{% import 'm.jinja' as m %}", "{{ m.dim('id') }}"), 'm.jinja': macros },
      { 'm.jinja': macros.replace('x_', 'z_') },
      ['changed orders'],
    ],
    [
      'in a macro that is imported by its name concerns the member that uses it',
      {
        'cubes/orders.yml': cube("{% from 'm.jinja' import other as f, dim %}", '- {name: id, sql: "{{ f() }}"}'),
        'm.jinja': macros,
      },
      { 'm.jinja': macros.replace('}y{', '}yy{') },
      ['changed orders.id'],
    ],
    [
      'in the import of a macro concerns the member that uses it, and no other',
      {
        'orders.yml': cube("{% from 'm.jinja' import other as f %}", '- {name: id, sql: "{{ f() }}"}'),
        'm.jinja': macros,
      },
      { 'orders.yml': cube("{% from 'm.jinja' import prefix as f %}", '- {name: id, sql: "{{ f() }}"}') },
      ['changed orders.id'],
    ],
    [
      'in a macro that is not used concerns no member',
      { 'orders.yml': cube("{% import 'm.jinja' as m %}", "{{ m.dim('id') }}"), 'm.jinja': macros },
      { 'm.jinja': macros.replace('}y{', '}yy{') },
      [],
    ],
    [
      'in an included file concerns the cube',
      { 'orders.yml': cube('', "{% include 'part.jinja' %}"), 'part.jinja': '- name: {{ x }}' },
      { 'part.jinja': '- name: {{ y }}' },
      ['changed orders'],
    ],
    [
      'in the text of an included file concerns the cube, but a comment does not',
      {
        'orders.yml': cube('', "{% include 'part.yml' %}"),
        'users.yml': cube('', "{% include 'other.jinja' %}").replaceAll('orders', 'a').replaceAll('users', 'b'),
        'part.yml': '- name: x',
        'other.jinja': '{# a #}- name: x',
      },
      { 'part.yml': '- name: y', 'other.jinja': '{# b #}- name: x' },
      ['changed orders'],
    ],
    [
      'in a macro that is imported with the context concerns the member that uses it',
      {
        'orders.yml': cube("{% from 'm.jinja' import other with context %}", '- {name: id, sql: "{{ other() }}"}'),
        'm.jinja': macros,
      },
      { 'm.jinja': macros.replace('}y{', '}yy{') },
      ['changed orders.id'],
    ],
    [
      'in Python is not followed',
      { 'orders.yml': cube('', '- {name: id}'), 'globals.py': 'a = 1' },
      { 'globals.py': 'a = 2' },
      ['? globals.py code'],
    ],
    [
      'in data beside the model is not followed',
      { 'orders.yml': cube('', '- {name: id}'), 'rates.json': '1' },
      { 'rates.json': '2' },
      ['? rates.json code'],
    ],
    ['in the configuration is not followed', { 'orders.yml': cube('', '- {name: id}'), '../cube.py': '1' }, {}, []],
    [
      'in a cube whose name is generated is not followed',
      { 'a.yml': 'cubes:\n  - name: {{ x }}\n    title: a\n' },
      { 'a.yml': 'cubes:\n  - name: {{ x }}\n    title: b\n' },
      ['changed {{ x }}', '? a.yml code'],
    ],
    [
      'in generated cubes is not followed',
      { 'a.yml': "cubes:\n  {{ make('a') }}\n" },
      { 'a.yml': "cubes:\n  {{ make('b') }}\n" },
      ['? a.yml code'],
    ],
    [
      'in a file with a syntax error is not followed, and its members are not removed',
      { 'orders.yml': cube('', '- {name: id}') },
      { 'orders.yml': cube('', '- {name: id').replace('name: users', 'name: people') },
      ['? orders.yml syntax 5'],
    ],
    [
      'in JavaScript with a syntax error is not followed',
      { 'orders.js': js('', '1') },
      { 'orders.js': js('', '1 +') },
      ['? orders.js syntax 1'],
    ],
    [
      'in a file with a tag without an end is not followed',
      { 'orders.yml': cube('', '- {name: id}') },
      { 'orders.yml': cube('{% if x', '- {name: id}') },
      ['? orders.yml syntax 0'],
    ],
    [
      'in a file with a key twice is not followed',
      { 'orders.yml': cube('', '- {name: id}') },
      { 'orders.yml': cube('', '- {name: id, sql: a, sql: b}') },
      ['? orders.yml syntax 4'],
    ],
  ];
  for (const [title, before, after, expected] of cases)
    it(title, () => assert.deepEqual(compared(before, after), expected));
});
