/** SQL anywhere in a model file: a parser still reads the file, and it contains the SQL unchanged. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseAllDocuments } from 'yaml';
import { applyEdits, planInsertion } from '../../../../src/insert/plan.ts';
import type { Span } from '../../../../src/insert/types.ts';
import { runs } from '../arbitrarySql.ts';
import { isFull, sparse } from '../../../support/runs.ts';
import { parseYaml, renderJinja, stringsIn, readTemplate } from '../readBack.ts';

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

/** More files in the same language, covering every form of its grammar. */
const OTHERS = [
  `cubes:\n    - name: orders\n      sql: |\n          select *\n          from t\n      measures:\n        - name: count\n`,
  `a:\n  sql: |2\n        select *\n      from t\n  title: x\n`,
  `a:\n- b\n- sql: |1-\n     select *\n   from t\n  title: x\n`,
  `a:\n  sql: |\n               far\n               away\n  title: x\n`,
  `a:\n  sql: |+\n    select 1\n\n\n  title: x\n`,
  `a:\n  sql: >-\n    select 1\n    from t\n\n    where x\n  title: x\n`,
  `base: &b\n  sql: &s select 1\n  x: 1\nd:\n  <<: *b\n  sql: *s\n  y: 2\n`,
  `---\na: 1\n---\nb:\n  sql: x\n...\n---\nc: 2\n`,
  `%YAML 1.2\n---\na: b\n`,
  `--- |\n  hello\n  there\n`,
  `--- >-\nhello\nthere\n`,
  `a: 1\n--- "hello\n  there"\n--- plain\ntext\n`,
  `a:\n  ? b\n  : c\n\n  ? d\n  :\n    sql: e\n? f\n\n: |\n  g\n`,
  `a:\n  "sql": "select 'x'\n    from y"\n  'b c': 'it''s\n    ok'\n  d: 5\n`,
  `a:\n  sql: select 1\n    from t\n    # comment\n  b: x\n`,
  `a:\n  - select 1\n  - |\n    select 2\n  - "x"\n  -\n  - - nested\n    - 2\nb: x\n`,
  `- a\n\n- b\n`,
  `a: {sql: x, b: [1, 2], c: "d"}\ne: [a, {f: g}]\nh: {\n  i: j,\n  k: l\n}\nz: 1\n`,
  `# top\na:  # c1\n  # c2\n  sql: select 1 # c3\n  b: | # c4\n    text # not comment\n  # c5\n# c6\nd: 1\n`,
  `- sql: x\n  b: 1\n-   sql: |\n      y\n    c: 2\n-\n  sql: z\n`,
  `a: ~\nb: null\nsql:\nc:\n  - sql:\n    d:\n`,
  `имя: значение\nsql: "é"\n数据:\n  sql: 表\n  b: 1\n`,
  `a:\n  sql: |\n    select 1`,
];
/** SQL with a start or an end that is hard to lay out. */
const EDGES = ["  SELECT 'a: b # c'\n    FROM t\n", 'SELECT "x" -- c', '\n\nSELECT 1\n\n', SQL];

/** The warnings for positions that can't contain the SQL unchanged. */
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
    strings.some((value) => readTemplate(value).includes(SQL)),
    where,
  );
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

function checkOther(text: string, at: number, sql: string): void {
  const { edits, warnings } = planInsertion({
    document: { text, fileName: 'config/a.yml', languageId: 'yaml' },
    selections: [{ start: at, end: at }],
    sql,
    mode: 'insert',
    options: { tabSize: 2, insertSpaces: true, eol: '\n' },
  });
  if (warnings.some(({ code }) => TOLD.includes(code))) return;
  const file = applyEdits(text, edits);
  const where = `at ${at}, ${JSON.stringify(sql)}:\n${file}`;
  const [before, after] = [text, file].map((yaml) => valuesOf(yaml));
  const written = after!.filter((value) => value.includes(spaced(sql)));
  assert.ok(written.length > 0, where);
  const lost = [...new Set(before)].filter((value) => !after!.includes(value));
  // The value at the cursor is now within the SQL.
  assert.ok(lost.length <= 1, `lost ${lost.join(', ')} ${where}`);
}

/** Every string and key of a YAML file, with normalized white space. */
function valuesOf(yaml: string): string[] {
  const documents = parseAllDocuments(yaml, { merge: true });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    assert.deepEqual(document.errors.map(String), [], yaml);
    return stringsIn(document.toJS()).map((value) => spaced(readTemplate(value)));
  });
}

describe('SQL anywhere in a model file', () => {
  it('is read back', () => {
    for (let at = 0; at <= MODEL.length; at += sparse) check(MODEL, { start: at, end: at }, 'insert', '\n');
  });

  it('is read back from a file with CRLF', () => {
    const text = MODEL.replaceAll('\n', '\r\n');
    for (let at = 0; at <= text.length; at += sparse) {
      // A cursor can't be between the two characters of a line end.
      if (text[at] !== '\n') check(text, { start: at, end: at }, 'insert', '\r\n');
    }
  });

  it('is read back, or there is a warning, in other files, whose contents are kept', () => {
    for (const text of OTHERS)
      for (const [index, sql] of EDGES.entries())
        // Each SQL takes the offsets between those of the others.
        for (let at = isFull ? 0 : 3 * index; at <= text.length; at += isFull ? 1 : 2 * sparse)
          checkOther(text, at, sql);
  });

  it('is read back, or there is a warning, whatever it replaces', () => {
    const spot = fc.nat(MODEL.length);
    fc.assert(
      fc.property(spot, fc.nat(60), (start, length) =>
        check(MODEL, { start, end: Math.min(start + length, MODEL.length) }, 'replace', '\n'),
      ),
      runs,
    );
  });
});
