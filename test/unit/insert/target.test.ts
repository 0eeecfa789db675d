import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import '../../../src/insert/plan.ts';
import { detectTarget } from '../../../src/insert/detect.ts';
import { readMarks } from './insertCases.ts';

/** Marked text, file, language → kind, data model?, warehouse SQL? */
const rows: readonly (readonly [string, string, string, string, boolean, boolean])[] = [
  ['‸', 'a.sql', 'sql', 'sql', false, false],
  ['‸', 'a.sql', 'postgres', 'sql', false, false],
  ['‸', 'C:\\dbt\\models\\a.sql', 'sql', 'dbtModel', false, true],
  ['{% macro a() %}‸', 'a.sql', 'sql', 'dbtMacro', false, true],
  ['{% macro a() %}{% endmacro %}‸', 'a.sql', 'sql', 'dbtModel', false, true],
  ['‸', 'macros/a.sql', 'sql', 'dbtMacro', false, true],
  ['‸', 'model/a.sql', 'sql', 'sql', false, false],
  ['config { type: "table" }\n‸', 'a.sqlx', 'sqlx', 'sql', false, true],
  ['config { type: "table" }\n‸', 'a.sqlx', 'plaintext', 'sql', false, true],
  ['cubes:\n  - name: a\n    sql: ‸', 'a.yml', 'yaml', 'yamlEmptyValue', true, true],
  ['cubes:\n  - name: a\n    sql_table: ‸', 'a.yml.jinja', 'jinja-yaml', 'yamlEmptyValue', true, true],
  ['cubes:\n  - name: a\n    title: ‸', 'a.yml', 'yaml', 'yamlEmptyValue', true, false],
  ['cubes:\n  - name: a\n    sql: |\n      ‸', 'a.yml', 'yaml', 'yamlBlock', true, true],
  ['views:\n  - name: ‸a', 'a.yaml', 'yaml', 'yamlBetweenKeys', true, true],
  ['measures:\n  - name: a\n    ‸', 'model/parts/a.yml', 'yaml', 'yamlBetweenKeys', false, false],
  ['a: 1\n"cubes" :\n  - name: a\n    sql: ‸', 'a.yml', 'yaml', 'yamlEmptyValue', true, true],
  ['‸\n', 'model/cubes/a.yml', 'yaml', 'yamlBetweenKeys', true, true],
  ['‸\n', 'config/a.yml', 'yaml', 'yamlBetweenKeys', false, false],
  ['version: 2\ntests:\n  - name: a\n    sql: ‸', 'model/parts/a.yml', 'yaml', 'yamlEmptyValue', false, false],
  ['---\n  - name: a\n    yum: ‸', 'roles/main.yml', 'yaml', 'yamlEmptyValue', false, false],
  ['version: 2\nmodels:\n  - name: ‸', 'models/schema.yml', 'yaml', 'yamlEmptyValue', false, false],
  ['services:\n  db:\n    sql: ‸', 'compose.yml', 'dockercompose', 'yamlEmptyValue', false, false],
  ['title: a\nsql: ‸', 'a.yml', 'yaml', 'yamlEmptyValue', false, false],
  ['title: a\nsql: ‸\ntype: object', 'a.yml', 'yaml', 'yamlEmptyValue', false, false],
  ['a: b‸', 'a.yml', 'yaml', 'yamlScalar', false, false],
  ['a: ‸[1]', 'a.yml', 'yaml', 'yamlBetweenKeys', false, false],
  ['a: [‸]', 'a.yml', 'yaml', 'yamlFlow', false, false],
  ['cube(`a`, { sql: `‸` })', 'a.js', 'javascript', 'jsTemplate', true, true],
  ['cube("a", { title: `‸` })', 'a.js', 'javascript', 'jsTemplate', true, false],
  ["cube('a', { title: 'b' });\n‸", 'a.js', 'javascript', 'jsCode', true, false],
  ["cubes('a', { sql: `‸` })", 'a.js', 'javascript', 'jsTemplate', false, false],
  ['const a = `‸`', 'a.ts', 'typescript', 'jsTemplate', false, false],
  ['const a = "‸"', 'a.tsx', 'typescriptreact', 'jsString', false, false],
  ['const a = `${b‸}`', 'a.js', 'javascript', 'jsCode', false, false],
  ['const a = `${b} ‸`', 'a.js', 'javascript', 'jsTemplate', false, false],
  ['const a = `${b}‸`', 'a.js', 'javascript', 'jsTemplate', false, false],
  ['const a = `${`x`}` + ‸', 'a.js', 'javascript', 'jsCode', false, false],
  ["const a = 4 / 2; // it's ‸", 'a.js', 'javascript', 'jsComment', false, false],
  ["const a = /[/'`]/.test(b) ? ‸", 'a.js', 'javascript', 'jsCode', false, false],
  ["const a = b / c / d, e = '‸'", 'a.js', 'javascript', 'jsString', false, false],
  ["it's\nconst a = ‸", 'a.jsx', 'javascriptreact', 'jsCode', false, false],
  ['a = """‸', 'a.py', 'python', 'pythonString', false, false],
  ["# it's ‸", 'a.py', 'python', 'pythonComment', false, false],
  ["# it's\na = ‸", 'a.py', 'python', 'pythonCode', false, false],
  ['# a\r\n- view: b\r\n  c: ‸', 'a.lkml', 'lookml', 'yamlEmptyValue', false, false],
  ['‸', 'a.md', 'markdown', 'markdown', false, false],
  ['‸', 'a.txt', 'plaintext', 'other', false, false],
];

describe('targets', () => {
  for (const [marked, fileName, languageId, kind, isDataModel, isWarehouseSql] of rows) {
    it(`${fileName}: ${marked.replaceAll('\n', ' ⏎ ')}`, () => {
      const { text, selections } = readMarks(marked);
      const target = detectTarget({ text, fileName, languageId }, selections[0]!.start);
      assert.deepEqual([target.kind, target.isDataModel, target.isWarehouseSql], [kind, isDataModel, isWarehouseSql]);
    });
  }

  it('include SQL that dbt runs outside its usual folders', () => {
    const kind = (isDbt: boolean) =>
      detectTarget({ text: '', fileName: 'tests/a.sql', languageId: 'sql', isDbt }, 0).isWarehouseSql;
    assert.deepEqual([kind(true), kind(false)], [true, false]);
  });

  it('have the key of the value, if there is one', () => {
    const keyAt = (text: string): string | undefined =>
      detectTarget({ text, fileName: 'a.js', languageId: 'javascript' }, text.length).key;
    assert.deepEqual([keyAt('const a = '), keyAt('')], ['a', undefined]);
  });

  it('have the language of the text', () => {
    const at = (fileName: string, isNotebookCell = false) =>
      detectTarget({ text: '', fileName, languageId: 'sql', isNotebookCell }, 0).container;
    assert.deepEqual([at('a.sql'), at('Untitled-1'), at('nb.ipynb', true)], ['file', 'untitled', 'notebookCell']);
  });
});
