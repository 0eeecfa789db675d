import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutFinalSemicolon } from '../../../src/insert/sql/hazards.ts';
import { indentLines, unifyLineEnds } from '../../../src/insert/indent.ts';
import { lexSql } from '../../../src/shared/text/lexSql.ts';
import { applyEdits, planInsertion } from '../../../src/insert/plan.ts';
import { parseProvenance } from '../../../src/insert/provenance.ts';
import { insertCases, PROVENANCE, type InsertCase } from './insertCases.ts';
import { isFull } from '../../support/runs.ts';
import { embedded, evaluate, parseYaml, renderJinja, stringsIn, readTemplate } from './readBack.ts';

/** The tokens of a SQL text, without the white space between them. */
const solid = (sql: string): string[] =>
  lexSql(sql)
    .filter(({ kind }) => kind !== 'space')
    .map(({ start, end }) => sql.slice(start, end));

/** All strings in the file, as its own tools read them. */
function readBack(file: string, languageId: string, isDataModel: boolean): string[] {
  if (languageId === 'yaml') {
    const strings = stringsIn(parseYaml(isDataModel ? renderJinja(file) : file));
    return isDataModel ? strings.map(readTemplate) : strings;
  }
  const { value, passed } = evaluate(file);
  return stringsIn([value, passed]);
}

/**
 * `exact`: some string is the SQL, byte for byte but for the indentation of its lines below the first. `newline`: the same with the line break that the block's own header
 * adds. `quoted`: `exact`, where no block scalar could be. `contains`: some string holds the SQL, byte for byte.
 * `tokens`: some string holds the same tokens, byte for byte each, with other white space between them.
 */
function checkBack({ request, back, name }: InsertCase, file: string, isDataModel: boolean, isBare: boolean): void {
  const sql = unifyLineEnds(isBare ? withoutFinalSemicolon(request.sql) : request.sql);
  const strings = readBack(file, request.document.languageId, isDataModel);
  const found = strings.some((text) => {
    if (back === 'contains') return text.includes(sql);
    if (back === 'tokens') return solid(text).join('\u0001') === solid(sql).join('\u0001');
    const wanted = back === 'newline' ? `${sql}\n` : embedded(sql);
    return ['', '\t', '  ', '    '].some((indent) => text === indentLines(wanted, indent, request.options));
  });
  assert.ok(found, `${name}: ${JSON.stringify(strings)} lacks ${JSON.stringify(sql)}`);
}

const cases = insertCases();

describe('an insertion', () => {
  it('has at least two hundred cases with unique names', () => {
    assert.ok(cases.length >= 200);
    assert.equal(new Set(cases.map(({ table, name }) => `${table} ${name}`)).size, cases.length);
  });

  for (const entry of cases) {
    const { table, name, request, expected, warnings, back } = entry;
    it(`${table}: ${name}`, () => {
      const { edits, warnings: given, targets } = planInsertion(request);
      const file = applyEdits(request.document.text, edits);
      assert.equal(file, expected);
      assert.deepEqual([...new Set(given.map(({ code }) => code))], warnings);
      const told = given.map(({ code, detail }) => `${code} ${detail}`);
      assert.equal(new Set(told).size, told.length, 'a warning is told once');
      const target = targets[0];
      assert.ok(target);
      const { languageId } = request.document;
      if (back !== 'none' && back !== 'duplicate' && /^(yaml|javascript)$/.test(languageId)) {
        checkBack(entry, file, target.isDataModel, target.isWarehouseSql);
      }
      if (target.kind.startsWith('dbt') && back !== 'none' && !/\{\{|\{%/.test(request.document.text)) {
        assert.doesNotThrow(() => renderJinja(file));
      }
      if (request.options.provenance) {
        assert.ok(file.split('\n').some((line) => parseProvenance(line)?.threadId === PROVENANCE.threadId));
      }
    });
  }

  for (const mark of ['', '\ufeff'])
    it(`is the same in a file with CRLF${mark === '' ? '' : ' and a byte order mark'}`, () => {
      for (const [at, { name, request, expected }] of cases.entries()) {
        // The mark moves the insertion in any file.
        if (mark !== '' && !isFull && at % 4 > 0) continue;
        const { document, selections, options } = request;
        const { text } = document;
        if (options.eol === '\r\n' || text.startsWith('\ufeff')) continue;
        const moved = (at: number): number => mark.length + at + text.slice(0, at).split('\n').length - 1;
        const crlf = mark + text.replaceAll('\n', '\r\n');
        const { edits } = planInsertion({
          ...request,
          document: { ...document, text: crlf },
          selections: selections.map(({ start, end }) => ({ start: moved(start), end: moved(end) })),
          options: { ...options, eol: '\r\n' },
        });
        assert.equal(applyEdits(crlf, edits), mark + expected.replaceAll('\n', '\r\n'), name);
      }
    });

  it('without SQL changes nothing', () => {
    const document = { text: 'SELECT 1', languageId: 'sql', fileName: 'a.sql' };
    const options = { tabSize: 2, insertSpaces: true, eol: '\n' } as const;
    const plan = planInsertion({ document, selections: [{ start: 0, end: 8 }], sql: '', mode: 'replace', options });
    assert.deepEqual(plan.edits, []);
  });

  it('at two cursors in one value writes once, with a warning', () => {
    const document = { text: 'cubes:\n  - name: a\n    sql: a b\n', languageId: 'yaml', fileName: 'a.yml' };
    const options = { tabSize: 2, insertSpaces: true, eol: '\n' } as const;
    const selections = [
      { start: 28, end: 28 },
      { start: 30, end: 30 },
    ];
    const { edits, warnings } = planInsertion({ document, selections, sql: 'SELECT 1', mode: 'insert', options });
    assert.equal(edits.length, 1);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['overlappingCursors'],
    );
  });
});
