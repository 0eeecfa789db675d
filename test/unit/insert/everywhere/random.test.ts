import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hasSeveralStatements, withoutFinalSemicolon } from '../../../../src/insert/sql/hazards.ts';
import { indentLines, unifyLineEnds } from '../../../../src/insert/indent.ts';
import { isCode, lexSql } from '../../../../src/shared/text/lexSql.ts';
import { applyEdits, planInsertion } from '../../../../src/insert/plan.ts';
import type { InsertOptions } from '../../../../src/insert/types.ts';
import { hostileSql, runs, tidySql } from '../arbitrarySql.ts';
import { argumentsIn, embedded, parseYaml, renderJinja, stringsIn, readTemplate } from '../readBack.ts';

const SPACES: InsertOptions = { tabSize: 2, insertSpaces: true, eol: '\n' };

/** The file after one insertion at the mark `‸`. */
function insert(marked: string, fileName: string, languageId: string, sql: string, options = SPACES): string {
  const at = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const document = { text, fileName, languageId };
  const { edits } = planInsertion({ document, selections: [{ start: at, end: at }], sql, mode: 'insert', options });
  return applyEdits(text, edits);
}

/** In the `sql` of a cube, the trailing `;` is omitted. */
const bare = (sql: string): string => unifyLineEnds(withoutFinalSemicolon(sql));

const YAML_PLACES: Readonly<Record<string, string>> = {
  'an empty value': 'cubes:\n  - name: a\n    sql:‸\n    dimensions: []\n',
  'an empty value with a comment': 'cubes:\n  - name: a\n    sql: ‸ # why\n    dimensions: []\n',
  'an empty value of an item': 'cubes:\n  - sql: ‸\n    name: a\n\n  - name: b\n',
  'an empty value at the end': 'cubes:\n  - name: a\n    sql:‸',
  'between keys': 'cubes:\n  - name: a\n    ‸\n    dimensions: []\n',
  'an empty block with its own digit and chomping': 'cubes:\n  - name: a\n    sql: |2-\n      ‸\n    dimensions: []\n',
  'empty quotes': 'cubes:\n  - name: a\n    sql: "‸"\n    dimensions: []\n',
  'a flow mapping': 'cubes:\n  - { name: a, sql: ‸}\n',
};

describe('random SQL in a file', () => {
  for (const [name, marked] of Object.entries(YAML_PLACES)) {
    it(`is read back exactly from data model YAML: ${name}`, () => {
      fc.assert(
        fc.property(name.includes('block') ? tidySql : hostileSql, (sql) => {
          const expected = embedded(bare(sql));
          if (expected === '' || (name.includes('block') && /\n[ \t]*$|^\s*$/.test(expected))) return;
          const file = insert(marked, 'model/cubes/a.yml', 'yaml', sql);
          const model = parseYaml(renderJinja(file)) as { cubes: { sql: string }[] };
          assert.equal(readTemplate(model.cubes[0]?.sql ?? ''), expected, file);
        }),
        runs,
      );
    });
  }

  it('is read back exactly from other YAML, with braces unchanged', () => {
    fc.assert(
      fc.property(hostileSql, (sql) => {
        const file = insert('version: 1\nqueries:\n  - text:‸\n    id: 1\n', 'queries.yml', 'yaml', sql);
        assert.equal(
          (parseYaml(file) as { queries: { text: string }[] }).queries[0]?.text,
          embedded(unifyLineEnds(sql)),
          file,
        );
      }),
      runs,
    );
  });

  it('is read back exactly from YAML with CRLF, and the file keeps its line ends', () => {
    fc.assert(
      fc.property(hostileSql, (sql) => {
        const marked = 'a:\r\n  text:‸\r\n  id: 1\r\n';
        const file = insert(marked, 'a.yml', 'yaml', sql, { ...SPACES, eol: '\r\n' });
        assert.equal((parseYaml(file) as { a: { text: string } }).a.text, embedded(unifyLineEnds(sql)), file);
        assert.doesNotMatch(file, /(?<!\r)\n|\r(?!\n)/);
      }),
      runs,
    );
  });

  for (const [name, marked] of Object.entries({
    'an empty template literal': 'out(`‸`)',
    'code that wants a value': 'const q = ‸;\nout(q)',
    'a double-quoted string': 'out("‸")',
    'a single-quoted string': "out('‸')",
    'an expression inside a template literal': 'out(`${‸}`)',
  })) {
    it(`is read back exactly from JavaScript: ${name}`, () => {
      fc.assert(
        fc.property(hostileSql, (sql) => {
          const file = insert(marked, 'a.js', 'javascript', sql);
          assert.equal(stringsIn(argumentsIn(file))[0], embedded(unifyLineEnds(sql)), file);
        }),
        runs,
      );
    });
  }

  it('is read back without its trailing semicolon from a JavaScript cube', () => {
    fc.assert(
      fc.property(hostileSql, (sql) => {
        const file = insert('cube(`a`, {\n  sql: ‸,\n  dimensions: {}\n})', 'a.js', 'javascript', sql);
        const expected = indentLines(embedded(bare(sql)), '  ', SPACES);
        assert.equal((argumentsIn(file)[1] as { sql: string }).sql, expected, file);
      }),
      runs,
    );
  });

  it('is rendered unchanged by Jinja in a dbt model, without a trailing semicolon', () => {
    fc.assert(
      fc.property(tidySql, fc.constantFrom('', ';', ' ;\n', '; -- end'), (body, end) => {
        const rendered = renderJinja(insert('‸', 'models/a.sql', 'sql', body + end));
        const tokens = (text: string): string[] =>
          lexSql(text)
            .filter((token) => token.kind !== 'space')
            .map(({ start, end: stop }) => text.slice(start, stop));
        assert.deepEqual(tokens(rendered), tokens(bare(body + end)));
        assert.doesNotMatch(withoutCommentsAndSpace(rendered), /;$/);
      }),
      runs,
    );
  });

  it('is never executed by Jinja in a dbt model, whatever its content', () => {
    fc.assert(
      fc.property(hostileSql, (sql) => {
        const rendered = renderJinja(insert('‸', 'models/a.sql', 'sql', sql));
        assert.equal(squeezed(rendered), squeezed(bare(sql)));
      }),
      runs,
    );
  });

  it('keeps every byte of literals and comments in an indented plain file', () => {
    fc.assert(
      fc.property(tidySql, fc.boolean(), (sql, insertSpaces) => {
        const white = insertSpaces ? '    ' : '\t';
        const file = insert(`SELECT 1;\n${white}‸`, 'a.sql', 'sql', sql, { tabSize: 4, insertSpaces, eol: '\n' });
        const solid = (text: string): string[] =>
          lexSql(text)
            .filter((token) => token.kind !== 'space')
            .map(({ start, end }) => text.slice(start, end));
        assert.deepEqual(solid(file).slice(3), solid(sql));
        for (const { kind, start, end } of lexSql(file)) {
          if (kind === 'space')
            assert.doesNotMatch(file.slice(start, end), /\n[ \t]+\n/, 'no trailing space on blank lines');
        }
      }),
      runs,
    );
  });

  it('never throws and never yields overlapping edits, wherever the cursors are', () => {
    const kinds = fc.constantFrom(
      ['a.yml', 'yaml'],
      ['a.js', 'javascript'],
      ['models/a.sql', 'sql'],
      ['a.sql', 'sql'],
      ['a.py', 'python'],
      ['a.md', 'markdown'],
      ['a.json', 'json'],
      ['a.toml', 'toml'],
      ['a.java', 'java'],
      ['a.lkml', 'lookml'],
    );
    const spot = fc.nat(60);
    fc.assert(
      fc.property(
        hostileSql,
        hostileSql,
        kinds,
        fc.array(fc.tuple(spot, spot), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (text, sql, [fileName = '', languageId = ''], spots, replace) => {
          const selections = spots.map(([a, b]) => ({
            start: Math.min(a, b, text.length),
            end: Math.min(Math.max(a, b), text.length),
          }));
          const options = { ...SPACES, asComment: sql.length % 2 === 0 };
          const { edits } = planInsertion({
            document: { text, fileName, languageId },
            selections,
            sql,
            mode: replace ? 'replace' : 'insert',
            options,
          });
          let last = -1;
          for (const { start, end } of edits) {
            assert.ok(start > last && end >= start && end <= text.length);
            last = end;
          }
        },
      ),
      runs,
    );
  });
});

const squeezed = (text: string): string => text.replace(/\s+/g, '');

function withoutCommentsAndSpace(sql: string): string {
  return lexSql(sql)
    .filter(isCode)
    .map(({ start, end }) => sql.slice(start, end))
    .join(' ');
}

describe('statements', () => {
  it('are counted by semicolons outside literals and comments', () => {
    assert.equal(hasSeveralStatements("SELECT ';' -- ; x\n;"), false);
    assert.equal(hasSeveralStatements('SELECT 1; SELECT 2'), true);
  });
});
