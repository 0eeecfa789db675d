/** Hostile SQL at any offset of any YAML fixture: a parser reads it back, or the user is asked. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseAllDocuments } from 'yaml';
import { unifyLineEnds } from '../../../../src/insert/indent.ts';
import { applyEdits, planInsertion } from '../../../../src/insert/plan.ts';
import { withoutFinalSemicolon } from '../../../../src/insert/sql/hazards.ts';
import { runs as repetitions } from '../../../support/runs.ts';
import { hasJinja } from '../../../../src/shared/text/jinja.ts';
import { hostileSql, runs, tidySql } from '../arbitrarySql.ts';
import { insertCases } from '../insertCases.ts';
import { readTemplate, renderJinja, stringsIn } from '../readBack.ts';

const ASKED = ['duplicateKey', 'rootKey', 'unfittedPlace'];

/** Strings of all documents without white space; nothing where a parser finds an error. */
function valuesOf(text: string): string[] | undefined {
  const documents = parseAllDocuments(text, { uniqueKeys: false, schema: 'failsafe', logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.flatMap((document) => stringsIn(document.toJS()));
}

const squeezed = (text: string): string => text.replace(/\s/g, '');

const documents = [
  ...new Map(
    insertCases()
      .filter(({ table }) => table.startsWith('yaml'))
      .map(({ request: { document } }) => [`${document.fileName} ${document.text}`, document]),
  ).values(),
].filter(({ text }) => !hasJinja(text) && valuesOf(text) !== undefined);

describe('SQL in a YAML file with errors', () => {
  it('is verified where the lines around the cursor have none', () => {
    const sound = 'cubes:\n  - name: a\n    sql:‸\n      # comment\n    public: true\n';
    for (const broken of ['  - name: b\n    c: [}\n', '  - name: b\n    c: "\n', '  - name: b\n   c: 1\n']) {
      const text = sound.replace('‸', '') + broken;
      const at = sound.indexOf('‸');
      assert.equal(valuesOf(text), undefined);
      const { edits, warnings } = planInsertion({
        document: { text, fileName: 'model/a.yml', languageId: 'yaml' },
        selections: [{ start: at, end: at }],
        sql: 'SELECT 1',
        mode: 'insert',
        options: { tabSize: 2, insertSpaces: true, eol: '\n' },
      });
      // In a block scalar the comment would become SQL.
      assert.equal(applyEdits(text, edits), sound.replace('‸', ' "SELECT 1"') + broken);
      assert.deepEqual(warnings, []);
    }
  });
});

describe('Hostile SQL in YAML', () => {
  it('is read back at any offset, or needs confirmation', () => {
    assert.ok(documents.length > 50);
    const offset = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...documents), offset, fc.oneof(hostileSql, tidySql), (document, part, sql) => {
        const at = Math.round(part * document.text.length);
        // No editor puts a cursor between the two characters of a line end.
        if (document.text[at] === '\n' && document.text[at - 1] === '\r') return;
        const { edits, warnings, targets } = planInsertion({
          document,
          selections: [{ start: at, end: at }],
          sql,
          mode: 'insert',
          options: { tabSize: 2, insertSpaces: true, eol: document.text.includes('\r\n') ? '\r\n' : '\n' },
        });
        if (warnings.some(({ code }) => ASKED.includes(code))) return;
        const after = applyEdits(document.text, edits);
        const [target] = targets;
        const values = valuesOf(target?.isDataModel ? renderJinja(after) : after);
        assert.ok(values, after);
        const wanted = squeezed(unifyLineEnds(target?.isWarehouseSql ? withoutFinalSemicolon(sql) : sql));
        const read = target?.isDataModel ? values.map(readTemplate) : values;
        assert.ok(wanted === '' || read.some((value) => squeezed(value).includes(wanted)), after);
        // An alias stands for the value that the cursor is in.
        const lost = new Set(valuesOf(document.text)?.filter((value) => !values.includes(value)));
        assert.ok(lost.size <= 1, `${[...lost].join()} lost: ${after}`);
      }),
      { ...runs, numRuns: repetitions(600, 20_000) },
    );
  });
});
