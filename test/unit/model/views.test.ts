/** The names of members of views, as the compiler of the data model makes them. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { affectedBy, dependentsIn } from '../../../src/model/dependents.ts';
import { membersIn, qualified } from '../../../src/model/members.ts';
import { Resolver } from '../../../src/model/resolve.ts';
import { findDefinition, usedMembers } from '../../../src/model/usedMembers.ts';

const CUBES = `cubes:
  - name: users
    measures: [{name: count, type: count}]
    dimensions: [{name: city, sql: city}, {name: country, sql: country}]
    segments: [{name: active, sql: a}]
    joins: [{name: orders, sql: x}]
    hierarchies: [{name: places, levels: ["{CUBE.country}", users.city, other.x]}]
  - name: generated
    dimensions:
      {{ all() }}
`;
const named = (view: string): string => {
  const text = `${CUBES}views:\n  - name: sales\n    cubes:\n      - ${view}\n`;
  const resolver = new Resolver(membersIn({ path: 'model/a.yml', text }));
  return ['sales', 'sales_users', 'sales_u']
    .flatMap((owner) => resolver.membersOf(owner).map(({ name }) => qualified({ owner, name })))
    .join(' ');
};

describe('the members of a view', () => {
  const cases: [view: string, expected: string][] = [
    ['{join_path: orders.users, prefix: true, includes: [{name: count, alias: user_count}]}', 'sales.users_user_count'],
    ['{join_path: orders.users, prefix: true, alias: u, includes: [count]}', 'sales.u_count'],
    ['{join_path: orders.users, alias: u, includes: [count]}', 'sales.count'],
    ['{join_path: users, prefix: true, includes: [count, city], excludes: [city]}', 'sales.users_count'],
    ['{join_path: users, includes: [{name: count, alias: c}, city], excludes: [count]}', 'sales.city'],
    ['{join_path: users, includes: [{name: count, alias: c}], excludes: [c]}', 'sales.c'],
    ['{join_path: users, includes: "*", excludes: [places, count]}', 'sales.city sales.country sales.active'],
    ['{join_path: users, prefix: true, includes: [places]}', 'sales.users_places sales.users_country sales.users_city'],
    ['{join_path: users, split: true, includes: [count]}', 'sales_users.count'],
    [
      '{join_path: users, split: true, alias: u, includes: "*", excludes: [places, city, country]}',
      'sales_u.count sales_u.active',
    ],
    ['{join_path: generated, includes: [id]}', 'sales.id'],
  ];
  for (const [view, expected] of cases) it(`${view} are ${expected}`, () => assert.equal(named(view), expected));

  it('that a template generates are found in the view, and those of a cube in the cube', () => {
    const cubes = '      - {join_path: generated, includes: [id]}\n';
    const all = cubes.replace('includes: [id]', 'prefix: true, includes: "*"');
    const text = `${CUBES}views:\n  - name: sales\n    cubes:\n${cubes}  - name: all\n    cubes:\n${all}`;
    const members = membersIn({ path: 'model/a.yml', text });
    const definitionsOf = (name: string): string[] => findDefinition(members, name).map((each) => qualified(each));
    assert.deepEqual(definitionsOf('sales.id'), ['sales.id']);
    assert.deepEqual(definitionsOf('generated.id'), ['generated']);
    assert.deepEqual(definitionsOf('users.id'), []);
    assert.deepEqual(definitionsOf('all.generated_id'), ['generated']);
    assert.deepEqual([definitionsOf('all.id'), definitionsOf('sales.name')], [[], []]);
    assert.ok(affectedBy('generated', dependentsIn(members)).has('sales.id'));
  });

  it('are found at once in cubes and views that extend and include themselves', () => {
    const many = (line: string): string => line.repeat(300);
    const text =
      `cubes:\n${many('  - {name: a, extends: a, measures: [{name: m, type: sum}]}\n')}` +
      `views:\n  - name: v\n    cubes:\n${many('      - {join_path: v, includes: "*"}\n      - {join_path: a, includes: "*"}\n')}`;
    const file = { path: 'model/a.yml', text };
    assert.equal(findDefinition(membersIn(file), 'v.zz').length, 0);
    assert.ok(usedMembers([file], ['select v.m from v']).length >= 300);
    const chain = Array.from({ length: 3000 }, (_, n) => `  - {name: c${n}, extends: c${n + 1}}\n`).join('');
    assert.ok(dependentsIn(membersIn({ path: 'model/a.yml', text: `cubes:\n${chain}` })).size > 0);
  });
});
