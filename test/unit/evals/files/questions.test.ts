/** Question files, valid and invalid: every error has its line, and the other questions are kept. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EVALS, file, list, question, read } from './support.ts';

describe('question files', () => {
  it('are merged into one set with positions', () => {
    const { questions, problems } = read(
      file(list(question('a'), question('b', 'certifiedQuery: revenue'))),
      file(`# more\n${list(question('c', 'sql: |\n      SELECT 2\n      FROM x'))}`, 'agents/eval_questions/more.yml'),
      file(list(question('d', 'as: europe')), '.analytics-chat/questions.yml'),
      file('---\nuser_request: Revenue?\n---\nSELECT revenue', 'agents/certified_queries/revenue.md'),
      file('eval_questions: [{name: x}]', 'other/place.yml'),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      questions.map(({ name, text, expectedSql, identity, path, range }) => [
        name,
        text,
        expectedSql?.sql,
        identity,
        `${path}:${range.start.line + 1}`,
      ]),
      [
        ['a', 'What is a?', 'SELECT 1', undefined, 'agents/eval_questions.yml:2'],
        ['b', 'What is b?', 'SELECT revenue', undefined, 'agents/eval_questions.yml:5'],
        ['c', 'What is c?', 'SELECT 2\nFROM x', undefined, 'agents/eval_questions/more.yml:3'],
        ['d', 'What is d?', undefined, 'europe', '.analytics-chat/questions.yml:2'],
      ],
    );
  });

  const bad: [what: string, text: string, problems: string[], names: string[]][] = [
    ['no name', list('  - question: q\n    sql: s\n', question('b')), ['2: “name” is missing.'], ['b']],
    ['no question', list('  - name: a\n    sql: s\n', question('b')), ['2: “question” is missing.'], ['b']],
    [
      'both sql and certifiedQuery',
      list(question('a', 'sql: s\n    certifiedQuery: c'), question('b')),
      ['2: Set either “sql” or “certifiedQuery”, not both.'],
      ['b'],
    ],
    [
      'neither sql nor certifiedQuery',
      list(question('a', ''), question('b')),
      ['2: Set “sql” or “certifiedQuery” to define the expected result.'],
      ['b'],
    ],
    [
      'an unknown certified query',
      list(question('a', 'certifiedQuery: nobody'), question('b')),
      ['4: There is no certified query “nobody”.'],
      ['b'],
    ],
    [
      'a duplicate name',
      list(question('a'), question('b'), question('a')),
      ['8: The name “a” is already used at agents/eval_questions.yml:2'],
      ['a', 'b'],
    ],
    [
      'a name that differs only in case from another one',
      list(question('Größe'), question('b'), question('größe')),
      ['8: The name “größe” differs only in case from “Größe” at agents/eval_questions.yml:2'],
      ['Größe', 'b'],
    ],
    [
      'a question that is text',
      list('  - just text\n', question('b')),
      ['2: A question must have the keys name, question, sql.'],
      ['b'],
    ],
    ['a map instead of a list', 'eval_questions:\n  a: {name: a}\n', ['2: “eval_questions” must be a list.'], []],
    ['text instead of a list', 'eval_questions: none\n', ['1: “eval_questions” must be a list.'], []],
    ['another key', 'evals:\n  - a\n', ['1: “eval_questions” is missing.'], []],
    ['text at the top', 'none\n', ['1: “eval_questions” is missing.'], []],
    ['a list at the top', '- name: a\n', ['1: “eval_questions” is missing.'], []],
    [
      'a duplicate key',
      list(question('a', 'sql: s\n    sql: t'), question('b')),
      ['5: YAML: Map keys must be unique'],
      ['a', 'b'],
    ],
    [
      'a duplicate key, and a question without a name',
      list(question('a', 'sql: s\n    sql: t'), '  - question: q\n    sql: s\n'),
      ['5: YAML: Map keys must be unique', '6: “name” is missing.'],
      ['a'],
    ],
    [
      'sql and certifiedQuery without a value',
      list(question('a', 'sql: \n    certifiedQuery: ')),
      ['2: Set “sql”'],
      [],
    ],
    [
      'two documents',
      `${list(question('a'))}---\n${list(question('b'))}`,
      ['5: Only the first YAML document of a file is read. Remove this “---” line.'],
      ['a'],
    ],
    [
      'an unknown alias',
      list(question('a', 'sql: *nobody'), question('b')),
      ['2: Set “sql” or “certifiedQuery”'],
      ['b'],
    ],
  ];
  for (const [what, text, problems, names] of bad)
    it(`with ${what} report its line and keep the other questions`, () => {
      const found = read(file(text));
      assert.deepEqual(found.names, names);
      assert.equal(found.problems.length, problems.length, found.problems.join('\n'));
      for (const [index, problem] of problems.entries())
        assert.ok(found.problems[index]?.startsWith(`${EVALS}:${problem}`), found.problems[index]);
    });

  it('with a syntax error report its line and keep the questions before it and of other files', () => {
    const { names, problems } = read(
      file(`${list(question('a'))}  - name: "b\n`),
      file(list(question('c')), 'agents/eval_questions/c.yml'),
    );
    assert.deepEqual(names, ['a', 'c']);
    assert.match(problems.join('\n'), /^agents\/eval_questions\.yml:[56]: YAML: .*$/);
  });

  it('may be empty, or have an empty list', () => {
    for (const text of ['', '{}', '# nothing yet\n', 'eval_questions:\n', 'eval_questions: []\n', '\ufeff'])
      assert.deepEqual(read(file(text)), { questions: [], names: [], problems: [] }, JSON.stringify(text));
  });

  it('may have a byte order mark, CR LF, tabs in SQL, comments, flow maps and JSON', () => {
    const odd = [
      `\ufeff${list(question('a'))}`.replaceAll('\n', '\r\n'),
      'eval_questions: [{name: a, question: What is a?, sql: SELECT 1}]',
      '{"eval_questions": [{"name": "a", "question": "What is a?", "sql": "SELECT 1"}]}',
      `# c\n${list(`  # c\n${question('a')}`)}# c`,
    ];
    for (const text of odd) {
      const { questions, problems } = read(file(text));
      assert.deepEqual(problems, [], text);
      assert.deepEqual(
        questions.map(({ name, text: asked, expectedSql }) => [name, asked, expectedSql?.sql]),
        [['a', 'What is a?', 'SELECT 1']],
      );
    }
  });

  it('have correct lines after CR LF', () => {
    const { questions } = read(file(list(question('a'), question('b')).replaceAll('\n', '\r\n')));
    assert.deepEqual(
      questions.map(({ range }) => range.start.line),
      [1, 4],
    );
  });

  it('name an identity only in the file of this extension', () => {
    const { questions } = read(file(list(question('a', 'sql: SELECT 1\n    as: europe'))));
    assert.deepEqual(
      questions.map(({ identity }) => identity),
      [undefined],
    );
  });

  it('may merge several anchors, of which the first with a key counts, after the keys of the question itself', () => {
    const base = 'x: &x {question: of x?, name: none}\ny: &y {question: of y?, sql: SELECT 1}\nz: &z [a]\n';
    const { questions } = read(file(`${base}eval_questions:\n  - {<<: [*z, *x, *y], name: a}\n`));
    assert.deepEqual(
      questions.map(({ name, text, expectedSql }) => [name, text, expectedSql?.sql]),
      [['a', 'of x?', 'SELECT 1']],
    );
  });

  for (const [version, directive] of [
    ['', ''],
    [' of YAML 1.1', '%YAML 1.1\n---\n'],
  ] as const)
    it(`may merge an anchor that merges another${version}`, () => {
      const base = 'x: &x {question: of x?, sql: SELECT 1}\ny: &y {<<: *x, question: of y?}\n';
      const { questions } = read(file(`${directive}${base}eval_questions:\n  - {<<: *y, name: a}\n`));
      assert.deepEqual(
        questions.map(({ text, expectedSql }) => [text, expectedSql?.sql]),
        [['of y?', 'SELECT 1']],
      );
    });

  it('have the exact range of each question', () => {
    const text = '# c\neval_questions:\n  - {name: a, question: q, sql: s}\n';
    assert.deepEqual(read(file(text)).questions[0]?.range, {
      start: { line: 2, character: 4 },
      end: { line: 2, character: 34 },
    });
  });

  it('may use anchors, aliases and merge keys', () => {
    const { questions, problems } = read(
      file(
        'base: &base\n  question: shared?\n  sql: &sql SELECT 1\neval_questions:\n  - <<: *base\n    name: a\n  - {name: b, question: own?, sql: *sql}\n  - {name: c, question: other?, sql: &sql SELECT 2}\n  - {name: d, question: last?, sql: *sql}\n',
      ),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      questions.map(({ name, text, expectedSql }) => [name, text, expectedSql?.sql]),
      [
        ['a', 'shared?', 'SELECT 1'],
        ['b', 'own?', 'SELECT 1'],
        ['c', 'other?', 'SELECT 2'],
        // The nearest anchor of this name above.
        ['d', 'last?', 'SELECT 2'],
      ],
    );
  });

  it('terminate for an alias that contains itself, and for one that expands exponentially', () => {
    assert.equal(read(file('eval_questions: &all\n  - *all\n')).questions.length, 0);
    const bomb = Array.from({ length: 30 }, (_, n) => `x${n + 1}: &x${n + 1} [${`*x${n}, `.repeat(9)}]`);
    const { names } = read(file(`x0: &x0 [a]\n${bomb.join('\n')}\n${list(question('a'))}`));
    assert.deepEqual(names, ['a']);
  });

  it('may repeat a question by aliases, each of which is a problem of its own', () => {
    const aliases = '  - *a\n'.repeat(4_000);
    const { names, problems } = read(file(`eval_questions:\n  - &a {name: a, question: q, sql: s}\n${aliases}`));
    assert.deepEqual([names, problems.length], [['a'], 4_000]);
  });

  it('may use names like those of prototypes, numbers and dates', () => {
    const odd = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', '2024', '1.50', 'true', '2024-01-01'];
    const { names, problems } = read(file(list(...odd.map((name) => question(name)))));
    assert.deepEqual([names, problems], [odd, []]);
    const own = read(file('eval_questions:\n  - __proto__: {name: a, question: q, sql: s}\n'));
    assert.deepEqual(own.names, []);
  });
});
