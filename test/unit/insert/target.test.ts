import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import '../../support/insertion.ts';
import { detectTarget } from '../../../src/insert/detect.ts';
import { readMarks } from './insertCases.ts';

/** Marked text, file, language → kind, data model?, warehouse SQL? */
const rows: readonly (readonly [string, string, string, string, boolean, boolean])[] = [
  ['‸', 'a.sql', 'sql', 'other', false, false],
  ['‸', 'a.sql', 'postgres', 'other', false, false],
  ['‸', 'C:\\dbt\\models\\a.sql', 'sql', 'other', false, true],
  ['{% macro a() %}‸', 'a.sql', 'sql', 'other', false, true],
  ['‸', 'macros/a.sql', 'sql', 'other', false, true],
  ['‸', 'model/a.sql', 'sql', 'other', false, false],
  ['cubes:\n  - name: a\n    sql: ‸', 'a.yml', 'yaml', 'yamlValue', true, true],
  ['cubes:\n  - name: a\n    sql_table: ‸', 'a.yml.jinja', 'jinja-yaml', 'yamlValue', true, true],
  ['cubes:\n  - name: a\n    title: ‸', 'a.yml', 'yaml', 'yamlValue', true, false],
  ['cubes:\n  - name: a\n    sql: |\n      ‸', 'a.yml', 'yaml', 'yamlValue', true, true],
  ['views:\n  - name: ‸a', 'a.yaml', 'yaml', 'other', true, true],
  ['measures:\n  - name: a\n    ‸', 'model/parts/a.yml', 'yaml', 'other', true, true],
  ['version: 2\nmodels:\n  - name: ‸', 'models/schema.yml', 'yaml', 'yamlValue', false, false],
  ['services:\n  db:\n    sql: ‸', 'compose.yml', 'dockercompose', 'yamlValue', false, false],
  ['a: [‸]', 'a.yml', 'yaml', 'other', false, false],
  ['cube(`a`, { sql: `‸` })', 'a.js', 'javascript', 'jsTemplate', true, true],
  ['cube("a", { title: `‸` })', 'a.js', 'javascript', 'jsTemplate', true, false],
  ["cubes('a', { sql: `‸` })", 'a.js', 'javascript', 'jsTemplate', false, false],
  ['const a = `‸`', 'a.ts', 'typescript', 'jsTemplate', false, false],
  ['const a = "‸"', 'a.tsx', 'typescriptreact', 'other', false, false],
  ['const a = `${b‸}`', 'a.js', 'javascript', 'other', false, false],
  ['const a = `${b} ‸`', 'a.js', 'javascript', 'jsTemplate', false, false],
  ['const a = `${`x`}` + ‸', 'a.js', 'javascript', 'other', false, false],
  ["const a = 4 / 2; // it's ‸", 'a.js', 'javascript', 'other', false, false],
  ["const a = /[/'`]/.test(b) ? ‸", 'a.js', 'javascript', 'other', false, false],
  ["const a = b / c / d, e = '‸'", 'a.js', 'javascript', 'other', false, false],
  ["it's\nconst a = ‸", 'a.jsx', 'javascriptreact', 'other', false, false],
  ['a = """‸', 'a.py', 'python', 'other', false, false],
  ["# it's\na = ‸", 'a.py', 'python', 'other', false, false],
  ['‸', 'a.md', 'markdown', 'other', false, false],
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
});
