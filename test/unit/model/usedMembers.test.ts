import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { usedMembers } from '../../../src/model/usedMembers.ts';
import type { SourceFile } from '../../../src/shared/text/sourceFile.ts';
import { applyEdits } from '../../../src/insert/plan.ts';
import { planHint } from '../../../src/insert/hints/planHint.ts';
import { membersIn, qualified } from '../../../src/model/members.ts';
import { loadModelFiles } from '../../sandbox/semantic/branchFiles.ts';

const CUBES = `cubes:
  - name: base
    dimensions: [{ name: id, sql: id, type: number }]
  - name: orders
    extends: base
    measures:
      - { name: revenue, sql: amount, type: sum }
      - { name: count, type: count }
    segments:
      - { name: open, sql: "{CUBE}.open" }
`;
const VIEWS = `
view('sales', {
  cubes: [
    { join_path: orders, includes: '*', excludes: ['count'] },
    { joinPath: () => orders.customers, prefix: true, includes: ['name', { name: 'id', alias: 'customer' }] },
  ],
});
cube(\`customers\`, { dimensions: { name: { sql: \`name\` }, id: { sql: \`id\` } } });
`;
const FILES = [
  { path: 'model/orders.yml', text: CUBES },
  { path: 'model/sales.js', text: VIEWS },
];

const used = (...queries: string[]): string[] =>
  usedMembers(FILES, queries).map(({ name, definition: { owner, name: member, path } }) =>
    [name, member === undefined ? owner : `${owner}.${member}`, path.slice(6)].join(' '),
  );

describe('the members that a query uses', () => {
  it('are found in their cubes, through views, aliases, prefixes and inheritance', () => {
    assert.deepEqual(used('SELECT MEASURE(sales.revenue), customers_name, id, customers_customer FROM sales'), [
      'sales.revenue orders.revenue orders.yml',
      'sales.id base.id orders.yml',
      'sales.customers_name customers.name sales.js',
      'sales.customers_customer customers.id sales.js',
      'sales sales sales.js',
    ]);
  });

  it('are not those in literals and comments, nor those that the view leaves out', () => {
    assert.deepEqual(used("SELECT count, 'revenue' FROM sales -- open"), ['sales sales sales.js']);
  });

  it('are found between the apostrophes of a quoted name and of a literal', () => {
    assert.deepEqual(used(`SELECT 1 AS "Today's", count FROM orders WHERE x = 'a'`), [
      'orders.count orders.count orders.yml',
      'orders orders orders.yml',
    ]);
  });

  it('are those of the cube itself, where it overrides an inherited one', () => {
    const text = `cubes:
  - name: base
    extends: more
    measures: [{ name: n, type: count }]
  - name: more
    extends: base
    measures: [{ name: N, type: sum }, { name: own, type: sum }]
`;
    const found = usedMembers([{ path: 'a.yml', text }], ['SELECT n, own FROM more']);
    assert.deepEqual(
      found.map(({ name, definition }) => `${name} ${qualified(definition)}`),
      ['more.N more.N', 'more.own more.own', 'more.n base.n', 'more more'],
    );
    const other = text.replace('N', 'n');
    assert.deepEqual(
      usedMembers([{ path: 'a.yml', text: other }], ['SELECT n FROM more']).map(
        ({ name, definition }) => `${name} ${qualified(definition)}`,
      ),
      ['more.n more.n', 'more more'],
    );
  });

  it('are listed once for several queries', () => {
    assert.deepEqual(used('SELECT count FROM orders', 'SELECT COUNT, open FROM ORDERS'), [
      'orders.count orders.count orders.yml',
      'orders.open orders.open orders.yml',
      'orders orders orders.yml',
    ]);
  });
});

describe('a hint at any member of the sandbox’s model', () => {
  let files: SourceFile[];
  before(async () => {
    const main = (await loadModelFiles()).get('main') ?? assert.fail();
    files = [...main].map(([path, text]) => ({ path: `model/${path}`, text }));
  });

  it('changes this member only', () => {
    for (const file of files) {
      const members = membersIn(file);
      for (const member of members.filter(({ kind }) => kind !== 'include')) {
        const document = { text: file.text, languageId: 'yaml', fileName: file.path };
        const options = { tabSize: 2, insertSpaces: true, eol: '\n' } as const;
        for (const key of ['description', 'ai_context'] as const) {
          const edits = planHint({ document, at: member.node.start, key, hint: 'Ask sales: now.', options });
          const after = membersIn({ ...file, text: applyEdits(file.text, edits ?? assert.fail(file.path)) });
          const changed = after.filter(({ body }, index) => members[index]?.body !== body);
          assert.deepEqual(
            changed.map(({ owner, name }) => [owner, name]),
            [[member.owner, member.name]],
          );
        }
      }
    }
  });
});
