/** Rules of insertions that concern what runs, each pinned by a test. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { applyEdits, planInsertion } from '../../../src/insert/plan.ts';
import { compareYaml } from '../../../src/insert/yaml/verifyYaml.ts';
import { jinjaAt, rawForJinja } from '../../../src/shared/text/jinja.ts';
import { parseYaml, renderJinja } from './readBack.ts';

/** Inserts at `‸`. @returns the file and the codes of the warnings */
function insert(marked: string, languageId: string, fileName: string, sql: string, asComment = false) {
  const start = marked.indexOf('‸');
  const document = { text: marked.replace('‸', ''), languageId, fileName };
  const options = { tabSize: 2, insertSpaces: true, eol: '\n', asComment } as const;
  const { edits, warnings } = planInsertion({
    document,
    selections: [{ start, end: start }],
    sql,
    mode: 'insert',
    options,
  });
  const details = warnings.map(({ detail }) => detail);
  return { file: applyEdits(document.text, edits), codes: warnings.map(({ code }) => code), details };
}

describe('inserted SQL', () => {
  it('is reported for hidden characters, also in comments and as a comment', () => {
    for (const hidden of ['\u061c', '\u200e', '\u202e', '\u2066'])
      for (const asComment of [false, true])
        assert.deepEqual(insert('‸', 'sql', 'a.sql', `SELECT 1 -- ${hidden}x`, asComment).codes, [
          'bidirectionalCharacters',
        ]);
  });

  it('is reported for several statements where one runs: templates of code and data models', () => {
    const several = 'SELECT 1; SELECT 2';
    const model = 'cubes:\n  - name: a\n    measures:\n      - name: b\n        sql: ‸\n';
    assert.ok(insert('const q = `‸`;', 'javascript', 'a.js', several).codes.includes('multipleStatements'));
    assert.ok(insert(model, 'yaml', 'a.yml', several).codes.includes('multipleStatements'));
    assert.deepEqual(insert('‸', 'sql', 'a.sql', several).codes, []);
  });

  it('is reported at the top level of a file of cubes or views', () => {
    for (const list of ['cubes', 'views'])
      for (const text of [`‸${list}:\n  - name: a\n`, `‸\n${list}:\n  - name: a\n`])
        assert.ok(insert(text, 'yaml', 'a.yml', 'SELECT 1').codes.includes('rootKey'), text);
  });

  it('is reported next to the table of a cube, but not as a comment and not in other files', () => {
    const of = (list: string): string => `${list}:\n  - name: a\n    sql_table: b\n    sql: ‸\n`;
    const codes = (list: string, asComment: boolean): string[] =>
      insert(of(list), 'yaml', 'a.yml', 'SELECT 1', asComment).codes;
    assert.deepEqual(codes('cubes', false), ['duplicateKey']);
    assert.deepEqual([codes('cubes', true), codes('jobs', false)], [[], []]);
  });

  it('is reported if it replaces an end of a list, also in a file with errors next to it', () => {
    for (const list of ['[c, d];', '[c?: d];']) {
      const text = `type A = {\n  b: ${list}\n};\n`;
      const { warnings } = planInsertion({
        document: { text, languageId: 'typescript', fileName: 'a.ts' },
        selections: [{ start: text.indexOf('c'), end: text.indexOf(';') + 1 }],
        sql: 'SELECT 1',
        mode: 'replace',
        options: { tabSize: 2, insertSpaces: true, eol: '\n' },
      });
      assert.ok(warnings.map(({ code }) => code).includes('unfittedPlace'), list);
    }
  });

  it('is reported with the name of the key that it conflicts with', () => {
    for (const [text, fileName, details] of [
      ["cube('a', { sql_table: 'b', ‸ });", 'a.js', ['sql_table']],
      ["view('a', { ‸ });", 'a.js', ['views']],
      ["const a = { sql: 'b', ‸ };", 'a.js', ['sql']],
      ['cubes:\n  - name: a\n    sql_table: b\n    sql: ‸\n', 'a.yml', ['sql_table']],
      ['cubes:\n  - name: a\n    sqlTable: b\n    sql: ‸\n', 'a.yml', ['sql_table']],
      ['views:\n  - name: a\n    sql: ‸\n', 'a.yml', ['views']],
      ['a:\n  sql: b\n  ‸\n', 'a.yml', ['sql']],
      ['cubes:\n  - name: a\n    sql_table: ‸\n', 'a.yml', ['sql_table']],
    ] as const) {
      const written = insert(text, fileName.endsWith('js') ? 'javascript' : 'yaml', fileName, 'SELECT 1');
      assert.deepEqual(written.details, details, text);
    }
  });

  it('is written by one edit where several would touch, because editors may order those differently', () => {
    const document = { text: 'run([b]);', languageId: 'javascript', fileName: 'a.js' };
    const options = { tabSize: 2, insertSpaces: true, eol: '\n' } as const;
    const plan = planInsertion({ document, selections: [{ start: 6, end: 6 }], sql: 'a "b"', mode: 'insert', options });
    assert.deepEqual(plan.edits, [{ start: 6, end: 6, text: ', `a "b"`' }]);
  });

  it('is verified in a long program as in a short one, of which only a part is parsed again', () => {
    const part = 'def f_N(a):\n    q = run("‸")\n    return [q, a]\n\n\n';
    const parts = Array.from({ length: 100 }, (_, at) => part.replace('N', String(at)));
    for (const at of [0, 50, 99]) {
      const marked = parts.map((text, index) => (index === at ? text : text.replace('‸', ''))).join('');
      const { file, codes } = insert(marked, 'python', 'a.py', 'SELECT "a"');
      assert.deepEqual([file, codes], [marked.replace('‸', 'SELECT \\"a\\"'), []]);
    }
  });

  it('of several cursors is reported for an error only in a file that had none', () => {
    const warnings = (before: string, after: string) => compareYaml(before, after).map(({ code }) => code);
    assert.deepEqual(warnings('a: 1\n', 'a: [\n'), ['unfittedPlace']);
    assert.deepEqual(warnings('a: [\n', 'a: [1\n'), []);
    assert.deepEqual(warnings('sql: a\n', 'sql: a\nsql: b\n'), ['duplicateKey']);
    assert.deepEqual(warnings('sql: a\nsql: b\n', 'sql: a\nsql: b\nsql: c\n'), []);
  });

  it('is reported in a view of a long file, of which only the lines around the cursor are parsed', () => {
    for (const view of [
      'views:\n  - name: a\n    ‸\n',
      'views:\n- name: a\n  ‸\n',
      'views:\n  - name: a\n# b\n    ‸\n',
      'views:\n  - name: a\n    cubes: [\n]\n    ‸\n',
    ])
      assert.deepEqual(insert(view + '# c\n'.repeat(3000), 'yaml', 'a.yml', 'SELECT 1').details, ['views'], view);
  });

  it('is reported beside a key of the same name that is far away in a long file, of which only a part is parsed', () => {
    const list = `    b:\n${'      - c: d\n        e: f\n'.repeat(1000)}`;
    for (const mapping of [`    sql: g\n${list}    ‸\n    h: i\n`, `${list}    ‸\n    h: i\n${list}    sql: g\n`])
      for (const text of [`a:\n  j:\n${mapping}`, `a:\n  - j: k\n${mapping}  - l: m\n`])
        assert.deepEqual(insert(text, 'yaml', 'a.yml', 'SELECT 1').codes, ['duplicateKey'], text.replaceAll(list, ''));
  });

  it('is never inserted without a question into a program that takes too long to parse', () => {
    const space = ' '.repeat(2_000_000);
    for (const [languageId, text] of [
      ['javascript', 'const a = ‸;'],
      ['python', 'a = ‸'],
      ['markdown', 'Text ‸'],
    ] as const) {
      assert.deepEqual(insert(text, languageId, '', 'SELECT 1').codes, [], languageId);
      assert.deepEqual(insert(text + space, languageId, '', 'SELECT 1').codes, ['unfittedPlace'], languageId);
    }
  });

  it('as a comment conflicts with no key, and starts its own line', () => {
    const above = insert('‸cubes:\n  - name: a\n', 'yaml', 'a.yml', 'SELECT 1', true);
    assert.equal(above.file, '# SELECT 1\ncubes:\n  - name: a\n');
    assert.deepEqual(above.codes, []);
    assert.equal(insert('SELECT 1 ‸', 'sql', 'a.sql', 'SELECT 2', true).file, 'SELECT 1 \n-- SELECT 2');
    assert.equal(insert('  ‸', 'sql', 'a.sql', 'SELECT 2', true).file, '  -- SELECT 2');
  });

  it('is reported in a bytes literal of Python only if it has other characters than ASCII', () => {
    for (const [literal, sql, codes] of [
      ['b"‸"', 'SELECT 1', []],
      ['b"‸"', "SELECT 'é'", ['unfittedPlace']],
      ['"‸"', "SELECT 'é'", []],
    ] as const)
      assert.deepEqual(insert(`q = ${literal}\n`, 'python', 'a.py', sql).codes, codes, literal + sql);
  });

  it('with characters that YAML must escape is quoted, and reads back', () => {
    for (const sql of ["SELECT '\u0001'", "SELECT\n  '\u0085'", 'SELECT \'\u2028\' AS "a"'])
      for (const fileName of ['config/a.yml', 'model/a.yml']) {
        const { file } = insert('a:\n  sql: ‸\n  title: b\n', 'yaml', fileName, sql);
        assert.deepEqual(parseYaml(file), { a: { sql, title: 'b' } }, file);
      }
  });

  it('leaves the quotes of a flow value with Jinja in it, whose expressions would change with them', () => {
    for (const value of [`'{{ x("a") }} ‸'`, `"‸ {{ x('a') }}"`]) {
      const written = insert(`cubes: [{ name: a, sql: ${value} }]\n`, 'yaml', 'model/a.yml', 'SELECT 1');
      const [before = '', after = ''] = value.split('‸');
      assert.ok(written.file.includes(before) && written.file.includes(after), written.file);
      assert.deepEqual(written.codes, ['unfittedPlace']);
    }
  });

  it('is not ended by any form of the tag that ends raw text', () => {
    for (const tag of ['{% endraw %}', '{%- endraw -%}', '{%+ endraw %}']) {
      const sql = `SELECT '${tag}'`;
      assert.equal(renderJinja(rawForJinja(sql)), sql);
      const inRaw = insert('{% raw %}\n‸\n{% endraw %}', 'jinja-sql', 'models/a.sql', sql);
      assert.deepEqual(inRaw.codes, ['insideJinja'], tag);
      assert.equal(jinjaAt(`{% raw %}{{ x }}${tag} `, 100), undefined, tag);
    }
    assert.equal(jinjaAt('{% raw %}{{ x }} {%+ endraw %}', 12), 'raw');
  });

  it('stays in its comment or literal of JavaScript despite Unicode line ends', () => {
    for (const lineEnd of ['\u2028', '\u2029']) {
      const commented = insert('‸\nrun();', 'javascript', 'a.js', `SELECT 1${lineEnd}stop();`, true).file;
      const lines = commented.split(/[\n\u2028\u2029]/).filter((line) => line.includes('stop'));
      assert.ok(lines.length === 1 && lines[0]?.startsWith('//'), commented);
      const quoted = insert('run("‸");', 'javascript', 'a.js', `SELECT '${lineEnd}'`).file;
      assert.ok(!quoted.includes(lineEnd), 'older engines end the literal at it');
    }
  });
});
