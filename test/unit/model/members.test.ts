/** The forms in which a model file may define its members, and to which of them a change belongs. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isModelFile, membersIn, qualified } from '../../../src/model/members.ts';
import { changes, JS, YAML } from './support.ts';

const named = (text: string, path = YAML): string[] =>
  membersIn({ path, text }).map((member) => `${member.kind} ${qualified(member)}`);
const edit = (text: string, from: string, to: string, path = YAML): string[] =>
  changes(text, text.replace(from, to), path);

describe('a model file', () => {
  for (const path of [
    'a.yml',
    'a.yaml',
    'a.YML',
    'a.yml.jinja',
    'a.yaml.jinja2',
    'a.yml.j2',
    'a.js',
    'a.cjs',
    'a.mjs',
    'a.ts',
    'a.jinja',
  ])
    it(`may be ${path}`, () => assert.ok(isModelFile(path)));
  for (const path of ['a.json', 'a.tsx', 'a.md', 'a.yml.bak', 'ayml', 'a.xjs', 'a.sql.j2'])
    it(`is not ${path}`, () => assert.equal(isModelFile(path), false));

  it('may define cubes and their members by key', () => {
    const text = 'cubes:\n  orders:\n    measures:\n      count: {type: count}\n  returns: {sql_table: r}\n';
    assert.deepEqual(named(text), ['cube orders', 'measure orders.count', 'cube returns']);
    assert.deepEqual(edit(text, 'type: count', 'type: sum'), ['changed orders.count']);
    assert.deepEqual(edit(text, 'count:', 'number:'), ['renamed orders.count → orders.number']);
  });

  it('has no cube without a name', () =>
    assert.deepEqual(named('cubes:\n  - sql_table: x\n  - {name: a}\n'), ['cube a']));

  it('may have any other keys, which belong to the cube', () => {
    for (const key of ['constructor', 'meta', 'title']) {
      const text = `cubes:\n  - name: a\n    ${key}: x\n`;
      assert.deepEqual([named(text), edit(text, ': x', ': y')], [['cube a'], ['changed a']]);
    }
  });

  it('may define a list of members by a template, which belongs to the cube', () => {
    const text = 'cubes:\n  - name: a\n    measures: {{ all() }}\n';
    assert.deepEqual([named(text), edit(text, 'all()', 'none()')], [['cube a'], ['changed a']]);
    const item = 'cubes:\n  - name: a\n    measures:\n      - {{ revenue() }}\n      - {name: b, type: sum}\n';
    assert.deepEqual(named(item), ['cube a', 'measure a.b']);
    assert.deepEqual(edit(item, 'revenue', 'net'), ['changed a']);
    assert.deepEqual(edit(item, '      - {{ revenue() }}\n', ''), ['changed a']);
  });

  it('may define a member twice, in the branches of a template', () => {
    const text =
      'cubes:\n  - name: a\n    measures:\n      {% if x %}\n      - {name: n, sql: one}\n      {% else %}\n      - {name: n, sql: two}\n      {% endif %}\n';
    assert.deepEqual(edit(text, 'sql: one', 'sql: other'), ['changed a.n']);
    assert.deepEqual(edit(text, 'sql: two', 'sql: other'), ['changed a.n']);
    assert.deepEqual(edit(text, '      - {name: n, sql: two}\n', ''), ['removed a.n']);
  });

  it('may have template tags, which concern the cube that they are in, or all of them', () => {
    const cube = (name: string): string => `  - name: ${name}\n    {% if ${name} %}\n    title: x\n    {% endif %}\n`;
    const text = `{% set all = 1 %}\ncubes:\n${cube('a')}${cube('b')}`;
    assert.deepEqual(edit(text, 'if b', 'if c'), ['changed b']);
    assert.deepEqual(edit(text, 'all = 1', 'all = 2'), []);
    const guarded = `{% if x %}\n${text}{% endif %}\n`;
    assert.deepEqual(edit(guarded, 'if x', 'if y'), ['changed a', 'changed b']);
    assert.deepEqual(edit(`${text}{# note #}\n`, '# note #', '# other #'), []);
  });
});

describe('a view', () => {
  const view = (cubes: string): string => `views:\n  - name: v\n    cubes:\n${cubes}`;
  const path = '      - join_path: orders\n';

  it('may prefix members with the cube or its alias', () => {
    const include = '        includes: [id]\n';
    for (const [options, name] of [
      ['        prefix: true\n', 'v.orders_id'],
      ['        prefix: true\n        alias: o\n', 'v.o_id'],
      ['        prefix: false\n        alias: o\n', 'v.id'],
    ] as const)
      assert.deepEqual(named(view(path + options + include)), ['view v', `include ${name}`]);
  });

  it('may include a member as text or as a map, with options', () => {
    const plain = view(`${path}        includes:\n          - id\n`);
    assert.deepEqual(changes(plain, plain.replace('- id', '- name: id'), YAML), []);
    assert.deepEqual(changes(plain, plain.replace('- id', '- {name: id, title: Key}'), YAML), ['changed v.id']);
    assert.deepEqual(changes(plain, plain.replace('- id', '- {title: Key}'), YAML), ['removed v.id']);
    assert.deepEqual(changes(plain, plain.replace('orders', 'old_orders'), YAML), ['changed v', 'changed v.id']);
  });

  it('may rename a member by a template, which belongs to this member', () => {
    const item = (name: string): string =>
      `          - name: ${name}\n            {% if ${name} %}\n            alias: my_${name}\n            {% endif %}\n`;
    const text = view(`${path}        includes:\n${item('a')}${item('b')}`);
    assert.deepEqual(edit(text, 'if a', 'if x'), ['changed v.my_a']);
    assert.deepEqual(edit(text, 'if b', 'if x'), ['changed v.my_b']);
  });

  it('changes with the members that it includes as a whole', () => {
    const all = view(`${path}        includes: "*"\n        excludes: [id]\n`);
    assert.deepEqual(edit(all, '[id]', '[id, status]'), ['changed v']);
    assert.deepEqual(edit(all, '"*"', '[id, status]'), ['changed v', 'added v.status']);
  });

  it('has no members of a cube without a path', () =>
    assert.deepEqual(named(view('      - includes: [id]\n')), ['view v']));

  it('is not a cube of the same name or content', () => {
    const cube = 'cubes:\n  - name: a\n    title: x\n';
    assert.deepEqual(edit(cube, 'cubes', 'views'), ['changed a']);
    assert.deepEqual(changes(cube, cube.replace('cubes', 'views').replace('name: a', 'name: b'), YAML), [
      ...['added b', 'removed a'],
    ]);
  });

  it('and cubes with the same content are paired with one former one each', () => {
    const cube = (name: string): string => `  - name: ${name}\n    measures: [{name: n, type: count}]\n`;
    const two = (...names: string[]): string => `cubes:\n${names.map(cube).join('')}`;
    assert.deepEqual(changes(two('a', 'b'), two('c', 'd'), YAML), ['renamed a → c', 'renamed b → d']);
    assert.deepEqual(changes(two('a'), two('c', 'd'), YAML), ['renamed a → c', 'added d', 'added d.n']);
    const of = (...names: string[]): string => two(...names).replace('name: n', 'name: own');
    assert.deepEqual(changes(of('a', 'other'), two('b', 'other'), YAML), [
      ...['added b', 'added b.n', 'removed a', 'removed a.own'],
    ]);
  });
});

describe('a JavaScript model', () => {
  it('defines cubes by calls with a name and an object', () => {
    for (const text of [
      "other.cube('a', { measures: { n: {} } });",
      "cubes('a', { measures: { n: {} } });",
      'cube(name, { measures: { n: {} } });',
      "cube('a');",
      'cube();',
    ])
      assert.deepEqual(named(text, JS), [], text);
    assert.deepEqual(named("if (x) { cube(/* the */ 'a', /* body */ { measures: { n: {} } }); }", JS), [
      ...['cube a', 'measure a.n'],
    ]);
  });

  it('may have comments between the elements of a list', () => {
    const text = "view('v', { cubes: [{ join_path: a, includes: [/* one */ 'id', // two\n 'name'] }] });";
    assert.deepEqual(named(text, JS), ['view v', 'include v.id', 'include v.name']);
  });

  it('has the position of a quoted name behind the quote', () => {
    const text = "cube('a', { measures: { 'n': {} } });";
    assert.deepEqual(
      membersIn({ path: JS, text }).map(({ offset }) => text.slice(offset, offset + 1)),
      ['a', 'n'],
    );
  });

  it('changes with a computed key', () => {
    const text = "cube('a', { [key]: 1, measures: { n: {} } });";
    assert.deepEqual(named(text, JS), ['cube a', 'measure a.n']);
    assert.deepEqual(edit(text, '[key]', '[other]', JS), ['changed a']);
  });
});
