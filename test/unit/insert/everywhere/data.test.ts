/** SQL at any offset of a JSON, LookML or dbt file: a reader finds it and all other content, or there is a warning. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { unifyLineEnds } from '../../../../src/insert/indent.ts';
import { applyEdits, planInsertion } from '../../../../src/insert/plan.ts';
import { withoutFinalSemicolon } from '../../../../src/insert/sql/hazards.ts';
import { hostileSql, runs, tidySql } from '../arbitrarySql.ts';
import { renderJinja, stringsIn } from '../readBack.ts';

const JSON_FILE = `{
  "a": "b\\n\\u0041 \\"c\\"",
  "d": [1, "e", { "f": null }, []],
  "g": { "h": true, "": -1.5e3 },
  "sql": ""
}
`;

const LOOKML_FILE = `view: a {
  # note
  sql_table_name: b.c ;;
  dimension: d {
    label: "e f"
    type: string
    sql: \${TABLE}.d ;;
    tags: ["g", "h"]
  }
  measure: i {
    drill_fields: [d, j]
    sql: CASE WHEN x
      THEN 1 END ;;
  }
}
`;

const DBT_FILE = `{{ config(materialized='table') }}
{# note {{ x }} #}
with a as (
  select * from {{ ref('b') }} -- c
)
{% raw %}
select '{{' from a
{% endraw %}
{% for d in e %}
  select '{{ d }}' as f
{% endfor %}
`;

/** Tokens of LookML, by the rules of its public parsers. */
function readLookml(text: string): string[] {
  const token = /\s+|#[^\n]*|"(?:[^"\\]|\\[^])*"|\bsql\w*:[^]*?;;|[{}[\],]|[\w.]+:?|[^]/y;
  const tokens: string[] = [];
  for (let match = token.exec(text); match !== null; match = token.exec(text)) tokens.push(match[0]);
  assert.ok(!tokens.includes('"') && tokens.every((each) => /^\s|^#|^sql|^[\w.]+:?$|^[{}[\],"]/.test(each)), text);
  assert.equal(tokens.filter((each) => each === '{').length, tokens.filter((each) => each === '}').length);
  return tokens.filter((each) => each.trim() !== '' && !each.startsWith('#') && each !== ',');
}

/** Texts that end a value in one of these files. */
const marks = fc.constantFrom('a ;; b', 'a "b" c');

const squeezed = (text: string): string => text.replace(/\s+/g, '');

const FILES = [
  { language: 'json', fileName: 'a.json', text: JSON_FILE, read: (text: string) => stringsIn(JSON.parse(text)) },
  { language: 'lookml', fileName: 'a.view.lkml', text: LOOKML_FILE, read: readLookml },
];
const ASKED = /^(?:unfittedPlace|insideComment|insideJinja|insideLiteral|controlCharacters)$/;

function insert(document: { text: string; fileName: string; languageId: string }, at: number, sql: string) {
  const { edits, warnings, targets } = planInsertion({
    document,
    selections: [{ start: at, end: at }],
    sql,
    mode: 'insert',
    options: { tabSize: 2, insertSpaces: true, eol: '\n' },
  });
  const isBare = targets[0]?.isWarehouseSql === true;
  return {
    file: applyEdits(document.text, edits),
    isAsked: warnings.some(({ code }) => ASKED.test(code)),
    wanted: squeezed(unifyLineEnds(isBare ? withoutFinalSemicolon(sql) : sql)),
  };
}

describe('SQL anywhere in a file', () => {
  for (const { language, fileName, text, read } of FILES)
    it(`is read back, with everything else unchanged, or there is a warning: ${language}`, () => {
      const before = read(text).map(squeezed);
      fc.assert(
        fc.property(fc.nat(text.length), fc.oneof(hostileSql, tidySql, marks), (at, sql) => {
          const { file, isAsked, wanted } = insert({ text, fileName, languageId: language }, at, sql);
          if (isAsked || wanted === '') return;
          const after = read(file).map(squeezed);
          const kept = new Map<string, number>();
          for (const each of after) kept.set(each, (kept.get(each) ?? 0) + 1);
          const lost = before.filter((each) => {
            const count = kept.get(each) ?? 0;
            kept.set(each, count - 1);
            return count <= 0;
          });
          const added = [...kept].filter(([, count]) => count > 0).map(([each]) => each);
          assert.ok(
            added.some((each) => each.includes(wanted)),
            `at ${at}\n${file}`,
          );
          assert.ok(lost.length <= 1 && added.length <= 1, `at ${at}: ${lost.join()} became ${added.join()}\n${file}`);
        }),
        runs,
      );
    });

  it('is not executed by Jinja, or there is a warning: dbt', () => {
    const document = { text: DBT_FILE, fileName: 'models/a.sql', languageId: 'sql' };
    fc.assert(
      fc.property(fc.nat(DBT_FILE.length), fc.oneof(hostileSql, tidySql), (at, sql) => {
        const { file, isAsked, wanted } = insert(document, at, sql);
        if (isAsked) return;
        const raw = at > DBT_FILE.indexOf('{% raw') && at <= DBT_FILE.indexOf('{% endraw');
        const after = file.slice(at, file.length - (DBT_FILE.length - at));
        assert.ok(raw || squeezed(renderJinja(after)) === wanted, `at ${at}\n${file}`);
        if (raw) assert.equal(squeezed(after), wanted);
      }),
      runs,
    );
  });
});
