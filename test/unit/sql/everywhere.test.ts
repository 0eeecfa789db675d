/** SQL at every offset of a model file: the file stays one that a parser reads, and the SQL is in it unchanged. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyEdits, planInsertion } from '../../../src/sql/plan.ts';
import type { Span } from '../../../src/sql/types.ts';
import { runs } from './arbitrarySql.ts';
import { parseYaml, renderJinja, stringsIn, unescapeBraces } from './readBack.ts';

const MODEL = `# model of orders
cubes:
  - name: orders
    sql_table: raw.orders # the table
    title: "Orders: all"

    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers}.id"

    dimensions:
      # key
      - name: id
        type: number

      - name: status
        sql: >
          CASE WHEN {CUBE}.a
            THEN 1
          END

        type: string
    measures:
    - name: count
      drill_members: [id, status]
    - name: total
      sql: |
        SELECT 1

        FROM t
      type: sum
  - name: customers
    sql:
      SELECT *
      FROM c
    meta: { a: 1, b: [2] }
    public:
`;
const SQL = "SELECT 1,\n  '{a}'\nFROM x";

/** What the user is told where the file cannot take the SQL as it is. */
const TOLD = ['duplicateKey', 'unfittedPlace'];

function check(text: string, selection: Span, mode: 'insert' | 'replace', eol: '\n' | '\r\n'): void {
  const { edits, warnings } = planInsertion({
    document: { text, fileName: 'model/a.yml', languageId: 'yaml' },
    selections: [selection],
    sql: SQL,
    mode,
    options: { tabSize: 2, insertSpaces: true, eol },
  });
  if (warnings.some(({ code }) => TOLD.includes(code))) return;
  const file = applyEdits(text, edits);
  const where = `${mode} at ${selection.start}–${selection.end}:\n${file}`;
  const strings = stringsIn(parseYaml(renderJinja(file)));
  assert.ok(
    strings.some((value) => unescapeBraces(value).includes(SQL)),
    where,
  );
}

describe('SQL anywhere in a model file', () => {
  it('is read back at every offset', () => {
    for (let at = 0; at <= MODEL.length; at++) check(MODEL, { start: at, end: at }, 'insert', '\n');
  });

  it('is read back at every offset of a file with CRLF', () => {
    const text = MODEL.replaceAll('\n', '\r\n');
    for (let at = 0; at <= text.length; at += 3) {
      // No editor puts a cursor between the two characters of a line end.
      if (text[at] !== '\n') check(text, { start: at, end: at }, 'insert', '\r\n');
    }
  });

  it('is read back, or the user is told, whatever it replaces', () => {
    const spot = fc.nat(MODEL.length);
    fc.assert(
      fc.property(spot, fc.nat(60), (start, length) =>
        check(MODEL, { start, end: Math.min(start + length, MODEL.length) }, 'replace', '\n'),
      ),
      runs,
    );
  });
});
