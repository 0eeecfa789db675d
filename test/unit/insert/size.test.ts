/** Long lines and many cursors; in the full run so long that anything but linear time runs into the timeout. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { planInsertion } from '../../../src/insert/plan.ts';
import type { InsertPlan, Span } from '../../../src/insert/types.ts';
import { runs } from '../../support/runs.ts';

function plan(text: string, fileName: string, languageId: string, selections: readonly Span[]): InsertPlan {
  return planInsertion({
    document: { text, fileName, languageId },
    selections,
    sql: 'SELECT 1',
    mode: 'insert',
    options: { tabSize: 2, insertSpaces: true, eol: '\n' },
  });
}

describe('insertion performance', function () {
  // The full run has no other timeout.
  this.timeout(60_000);

  it('is linear for a YAML line of spaces', () => {
    const spaces = ' '.repeat(runs(20_000));
    for (const text of [`a: x${spaces}y\nb: 1\n`, `a: x\n  y${spaces}z\n`, `a: "x${spaces}y"\n`, `a: 1\nb${spaces}c\n`])
      assert.equal(plan(text, 'a.yml', 'yaml', [{ start: 4, end: 4 }]).edits.length, 1);
  });

  it('parses a file once for all of its cursors', () => {
    const lines = runs(100, 8_000);
    for (const [line, fileName, languageId] of [
      ["select a, 'b' from t where x = 1;\n", 'a.sql', 'sql'],
      ['- id: a\n', 'a.yml', 'yaml'],
    ] as const) {
      const selections = Array.from({ length: runs(20, 1_500) }, (_, index) => ({
        start: line.length * index,
        end: line.length * index,
      }));
      assert.equal(plan(line.repeat(lines), fileName, languageId, selections).edits.length, selections.length);
    }
  });

  it('is linear for the names of a large object', () => {
    const text = `cube('a', {\n  \n  b: {\n${'    c: { sql: `d`, type: "sum" },\n'.repeat(runs(500))}  },\n  sql: 'e',\n});\n`;
    const { warnings } = plan(text, 'a.js', 'javascript', [{ start: 14, end: 14 }]);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['duplicateKey'],
    );
  });

  it('reads Jinja tags that never end in one pass', () => {
    const text = '{{ '.repeat(runs(10_000));
    for (const [fileName, languageId] of [
      ['models/a.sql', 'sql'],
      ['model/a.yml', 'yaml'],
    ] as const)
      assert.equal(plan(text, fileName, languageId, [{ start: 4, end: 4 }]).edits.length, 1);
  });

  it('is linear for a quoted YAML value', () => {
    const text = `a: '${"it''s ".repeat(runs(20_000))}'\n`;
    assert.equal(plan(text, 'a.yml', 'yaml', [{ start: 4, end: 4 }]).edits.length, 1);
  });
});
