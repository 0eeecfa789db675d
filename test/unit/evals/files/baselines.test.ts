/** Accepted results: exact, sorted, and unchanged when read back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { acceptResult, baselinePath, fileNameOf, readBaseline, tableOf } from '../../../../src/evals/files/baseline.ts';
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';
import { gradeTable } from '../../../../src/evals/grading/grade.ts';
import type { Problem } from '../../../../src/evals/question.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { rowsOf, table } from '../tables.ts';
import { runs } from '../../../support/runs.ts';
import { anyText } from '../../../support/text.ts';

const accept = (result: ResultTable, name = 'revenue', sql = 'SELECT 1', baseline = undefined as never) =>
  acceptResult({
    question: { name, text: 'Revenue?', baseline },
    sql,
    table: result,
    branch: 'main',
    identity: 'dev',
    time: 0,
  });
const readBack = (path: string, text: string) => readBaseline({ path, text }, []) ?? assert.fail(text);

describe('baselines', () => {
  it('have one sorted line per row, with every digit', () => {
    const rows = rowsOf('[["b", 12.50], ["a", 9007199254740993], [null, 0.1], ["", null], ["a", -1e3]]');
    const { path, text } = accept(
      table('region:string revenue:numeric', ...rows),
      'revenue',
      'SELECT region,\n  revenue\nFROM sales',
    );
    assert.equal(path, '.analytics-chat/baselines/revenue.yml');
    assert.equal(
      text,
      [
        '# An accepted result. Analytics Chat compares the answers to this question with it.',
        'name: "revenue"',
        'question: "Revenue?"',
        'branch: "main"',
        'identity: "dev"',
        'accepted: "1970-01-01T00:00:00.000Z"',
        'sql: |-',
        '  SELECT region,',
        '    revenue',
        '  FROM sales',
        'columns:',
        '  - {name: "region", type: "string"}',
        '  - {name: "revenue", type: "numeric"}',
        'rows:',
        '  - [null, 0.1]',
        '  - ["", null]',
        '  - ["a", -1e3]',
        '  - ["a", 9007199254740993]',
        '  - ["b", 12.50]',
        '',
      ].join('\n'),
    );
    assert.deepEqual(readBack(path, text).rows.at(-1), ['b', '12.50']);
  });

  it('are identical whatever the order of rows and columns', () => {
    const first = accept(table('region:string revenue:number', ['a', 1], ['b', 2]));
    const baseline = readBack(first.path, first.text);
    const next = accept(
      table('revenue:number region:string', [2, 'b'], [1, 'a']),
      'revenue',
      'SELECT 1',
      baseline as never,
    );
    assert.deepEqual(next, first);
  });

  it('are identical whatever the order of rows whose texts are the same number', () => {
    const rows = [['1.0'], ['10'], ['1'], ['9']];
    const texts = [rows, rows.toReversed()].map((each) => accept(table('version:string', ...each)).text);
    assert.match(texts[0] ?? '', /\["1"\]\n.*\["1.0"\]\n.*\["10"\]\n.*\["9"\]\n$/);
    assert.equal(texts[1], texts[0]);
    const numbers = [rows, rows.toReversed()].map((each) => accept(table('n:numeric', ...each)).text);
    assert.match(numbers[0] ?? '', /\[1\]\n.*\[1.0\]\n.*\[9\]\n.*\[10\]\n$/);
    assert.equal(numbers[1], numbers[0]);
  });

  it('have their numbers in the order of their values, sent as numbers or text', () => {
    const { text } = accept(table('n:number', ['10'], [9], ['100'], [-1]));
    assert.match(text, /rows:\n {2}- \[-1\]\n {2}- \[9\]\n {2}- \["?10"?\]\n {2}- \["?100"?\]/);
  });

  it('keep the order of their columns only if the columns have the same names', () => {
    const columnsAfter = (before: string, after: string): unknown => {
      const first = accept(table(before));
      const again = accept(table(after), 'revenue', 'SELECT 1', readBack(first.path, first.text) as never);
      return readBack(again.path, again.text).columns.map(({ name }) => name);
    };
    assert.deepEqual(columnsAfter('a b', 'b a'), ['a', 'b']);
    assert.deepEqual(columnsAfter('a b', 'c a'), ['c', 'a']);
    assert.deepEqual(columnsAfter('a b c', 'b a'), ['b', 'a']);
    assert.deepEqual(columnsAfter('b a', 'a b c'), ['a', 'b', 'c']);
    assert.deepEqual(columnsAfter('b a a', 'a b b'), ['a', 'b', 'b']);
  });

  it('have rows with null first, and rows of equal cells in the order of the next column', () => {
    const { text } = accept(table('a:string b:number', ['x', 2], [null, 9], ['x', 1], [null, 3], ['x', null]));
    assert.match(text, /\[null, 3\]\n.*\[null, 9\]\n.*\["x", null\]\n.*\["x", 1\]\n.*\["x", 2\]\n$/);
  });

  it('have the inferred type of a column that the service sent without one', () => {
    assert.match(accept(table('n', [5])).text, /\{name: "n", type: "number"\}/);
  });

  it('have no columns if an empty result came without any', () => {
    const empty = { columns: [], rows: [], totalRows: 0 };
    const { path, text } = accept(empty);
    assert.deepEqual(tableOf(readBack(path, text)), empty);
  });

  it('may be written by hand: columns by name, and cells that are lists', () => {
    const baseline = readBack('a.yml', 'name: a\ncolumns: [n, {name: m}]\nrows:\n  - [1.50, [a, 1]]\n');
    assert.deepEqual(baseline.columns, [
      { name: 'n', type: '' },
      { name: 'm', type: '' },
    ]);
    assert.deepEqual(baseline.rows, [['1.50', '["a",1]']]);
  });

  it('are not created from a part of the rows', () => {
    assert.throws(
      () => accept({ ...table('n:number', [1]), totalRows: 5000 }),
      /^Error: Can’t accept 1 of 5,000 rows\. Set a data query URL that returns all of them\.$/,
    );
  });

  it('pass when they are read back, whatever the cells and the SQL', () => {
    const cell = fc.oneof(
      anyText(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt().map(String),
      fc.boolean(),
      fc.constantFrom(
        null,
        '007',
        '1e3',
        '.5',
        '5.',
        '0x1f',
        '0o7',
        '-',
        '~',
        'null',
        'yes',
        '\u2028',
        '\u0085',
        '2024-01-01',
      ),
      fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 }),
    );
    const types = fc.constantFrom('number', 'string', 'time', 'boolean', 'json', '');
    fc.assert(
      fc.property(
        fc
          .array(types, { minLength: 1, maxLength: 4 })
          .chain((columns) =>
            fc.tuple(fc.constant(columns), fc.array(fc.tuple(...columns.map(() => cell)), { maxLength: 6 })),
          ),
        fc.oneof(anyText(), fc.constantFrom('a\n\nb', 'a\n  \nb', ' a', 'a ', 'a\tb', 'a: b # c', 'a\r\nb')),
        anyText({ minLength: 1 }).filter((name) => name.trim() === name),
        ([columns, rows], sql, name) => {
          const result = {
            columns: columns.map((type, index) => ({ name: `c${index}`, type })),
            rows,
            totalRows: rows.length,
          };
          const { path, text } = accept(result, name, sql);
          const baseline = readBack(path, text);
          assert.deepEqual([baseline.name, baseline.sql], [name, sql.trim()]);
          assert.equal(gradeTable(result, tableOf(baseline), 17).status, 'passed', text);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('keep SQL that is indented or ends in blanks', () => {
    for (const sql of ['  SELECT 1\nFROM t', 'SELECT 1\n\n', '\tSELECT 1']) {
      const { path, text } = accept(table('n:number', [1]), 'revenue', sql);
      const problems: Problem[] = [];
      assert.equal(readBaseline({ path, text }, problems)?.sql, sql.trim(), text);
      assert.deepEqual(problems, []);
    }
  });

  it('keep both of two columns with the same name when they are accepted again', () => {
    const first = accept(table('n:number n:number', [1, 2]));
    const again = accept(
      table('n:number n:number', [3, 4]),
      'revenue',
      'SELECT 1',
      readBack(first.path, first.text) as never,
    );
    assert.deepEqual(readBack(again.path, again.text).rows, [['3', '4']]);
  });

  it('stay in their file when they are accepted again, also if it has another name', () => {
    const first = accept(table('n:number', [5]));
    const renamed = '.analytics-chat/baselines/by hand.yml';
    const again = accept(table('n:number', [6]), 'revenue', 'SELECT 1', readBack(renamed, first.text) as never);
    assert.equal(again.path, renamed);
  });

  it('belong to the question with their name', () => {
    const { path, text } = accept(table('n:number', [5]), 'Revenue');
    const questions = {
      path: '.analytics-chat/questions.yml',
      text: 'eval_questions:\n- {name: Revenue, question: q}\n- {name: other, question: q}\n',
    };
    const set = readQuestionSet([questions, { path, text }]);
    assert.deepEqual(set.problems, []);
    assert.deepEqual(
      set.questions.map(({ baseline }) => baseline?.rows),
      [[['5']], undefined],
    );
  });

  it('report a question that another one belongs to, and keep the first', () => {
    const text = (cell: number): string => accept(table('n:number', [cell]), 'a').text;
    const { questions, problems } = readQuestionSet([
      { path: '.analytics-chat/questions.yml', text: 'eval_questions:\n- {name: a, question: q}\n' },
      { path: '.analytics-chat/baselines/a.yml', text: text(1) },
      { path: '.analytics-chat/baselines/b.yml', text: text(2) },
    ]);
    assert.deepEqual(questions[0]?.baseline?.rows, [['1']]);
    assert.deepEqual(
      problems.map(({ path, message }) => [path, message]),
      [['.analytics-chat/baselines/b.yml', 'The name “a” is already used at .analytics-chat/baselines/a.yml:1']],
    );
  });

  it('report rows of another length, missing names and missing columns at their lines', () => {
    const problems = (text: string) => readQuestionSet([{ path: '.analytics-chat/baselines/a.yml', text }]).problems;
    const good = accept(table('a:number b:number', [1, 2])).text;
    assert.equal(problems(good).length, 0);
    assert.equal(problems(good.replace('[1, 2]', '[1]'))[0]?.range.start.line, 12);
    assert.match(problems(good.replace('name: "revenue"', 'title: x'))[0]?.message ?? '', /“name” is missing/);
    assert.match(problems('name: a')[0]?.message ?? '', /“columns” is missing/);
    for (const other of ['', '- a\n'])
      assert.deepEqual(
        problems(other).map(({ message, range }) => [message, range.start]),
        [['“name” is missing.', { line: 0, character: 0 }]],
      );
  });

  it('are not used without a name, without columns or with a row of another length', () => {
    const { path, text } = accept(table('n:number'));
    assert.ok(readBaseline({ path, text }, []));
    for (const damaged of [
      text.replace('name: "revenue"', 'title: x'),
      text.replace(/columns:\n.*\n/, ''),
      text.replace(/columns:\n.*/, 'columns: n'),
      text.replace('rows: []', 'rows:\n  - [1, 2]'),
    ])
      assert.equal(readBaseline({ path, text: damaged }, []), undefined, damaged);
  });

  it('are files in their folder, whatever the name', () => {
    for (const name of ['../../etc/passwd', 'a/b', 'a\\b', 'con', 'x.', '.', '..', 'a:b', 'a\0b', 'trailing ', 'COM1'])
      assert.match(baselinePath({ name }), /^\.analytics-chat\/baselines\/[^/\\:.\0]+[^ /\\:.\0]\.yml$/, name);
    for (const name of ['con', 'NUL', 'com1', 'Lpt9'])
      assert.equal(baselinePath({ name }), `.analytics-chat/baselines/${name}_.yml`, 'Windows reserves it');
    assert.equal(baselinePath({ name: 'comma' }), '.analytics-chat/baselines/comma.yml');
    assert.equal(baselinePath({ name: 'revenue by_quarter-2' }), '.analytics-chat/baselines/revenue by_quarter-2.yml');
    assert.equal(baselinePath({ name: 'Größe' }), '.analytics-chat/baselines/Größe.yml');
    assert.equal(baselinePath({ name: 'a\tb' }), '.analytics-chat/baselines/a%09b.yml');
    const names = ['a/b', 'a%2fb', 'a%b', 'a.b', 'con'];
    assert.equal(new Set(names.map((name) => baselinePath({ name }))).size, names.length);
  });

  it('have file names that every file system accepts, and one for each name', () => {
    const long = [
      '😀'.repeat(60),
      `${'😀'.repeat(60)}!`,
      '漢'.repeat(200),
      'é'.repeat(130),
      'a'.repeat(400),
      `${'a'.repeat(400)}b`,
    ].map((name) => fileNameOf(name));
    for (const name of long) {
      assert.ok(Buffer.byteLength(`${name}.yml`) <= 255, name);
      assert.match(name, /^(?:[\p{L}\p{N}_ -]|%[\da-f]{2})+-[\da-f]{16}$/u);
    }
    assert.equal(new Set(long).size, long.length);
    assert.equal(fileNameOf('a'.repeat(240)), 'a'.repeat(240));
    assert.equal(fileNameOf('umsatz 😀'), 'umsatz %f0%9f%98%80');
  });
});
