/** Rules about behavior and turns, in the file of this extension only. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { file, list, question, read } from './support.ts';

const OWN = '.analytics-chat/questions.yml';
const own = (...entries: string[]) => read(file(list(...entries), OWN));

describe('rules in the file of this extension', () => {
  it('say whether a query runs, and which members it uses', () => {
    const { questions, problems } = own(
      question('a', 'expect: { asks_back: true }'),
      question('b', 'expect: { no_query: true }'),
      question('c', 'sql: SELECT 1\n    expect: { uses: [orders.net, orders.count], avoids: orders.gross }'),
      question('d', 'sql: SELECT 1'),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      questions.map(({ behavior, expectedSql }) => [behavior, expectedSql?.sql]),
      [
        [{ asksBack: true, uses: [], avoids: [] }, undefined],
        [{ noQuery: true, uses: [], avoids: [] }, undefined],
        [{ uses: ['orders.net', 'orders.count'], avoids: ['orders.gross'] }, 'SELECT 1'],
        [undefined, 'SELECT 1'],
      ],
    );
  });

  const rule =
    'Set “asks_back: true” or “no_query: true” in “expect”, or else “uses” or “avoids” with names of members.';
  const bad: [what: string, rest: string, problem: string][] = [
    ['no rule', 'expect: {}', `4: ${rule}`],
    ['no value', 'expect:', `4: ${rule}`],
    ['text', 'expect: asks_back', `4: ${rule}`],
    ['an unknown rule', 'expect: { asks_back: true, use: a }', `4: ${rule}`],
    ['a rule that is off', 'expect: { no_query: false }', `4: ${rule}`],
    ['no members', 'expect: { uses: [] }', `4: ${rule}`],
    ['an empty member', 'expect: { avoids: [a.b, ""] }', `4: ${rule}`],
    ['members without a query', 'expect: { no_query: true, avoids: a.b }', `4: ${rule}`],
    [
      'a result without a query',
      'sql: SELECT 1\n    expect: { no_query: true }',
      '5: An answer without a query can’t have the result of “sql”.',
    ],
    ['turns and a question', 'turns: [{question: q}]', '2: “turns” can’t be combined with “question”.'],
  ];
  for (const [what, rest, problem] of bad)
    it(`report ${what} at its line and keep the other questions`, () => {
      const { names, problems } = own(question('a', rest), question('b', ''));
      assert.deepEqual([names, problems], [['b'], [`${OWN}:${problem}`]]);
    });

  it('are no part of the platform’s files', () => {
    const { questions, problems } = read(file(list(question('a', 'sql: SELECT 1\n    expect: none\n    turns: none'))));
    assert.deepEqual(problems, []);
    assert.deepEqual([questions[0]?.behavior, questions[0]?.turns], [undefined, undefined]);
  });
});

describe('turns', () => {
  const turns = (...entries: string[]): string =>
    `  - name: t\n    as: europe\n    turns:\n${entries.map((entry) => `      - ${entry}\n`).join('')}`;

  it('have their own expectations and positions', () => {
    const query = file('---\nuser_request: q\n---\nSELECT 2', 'agents/queries/two.md');
    const { questions, problems } = read(
      file(
        list(
          turns(
            'question: by region?',
            'question: only Europe?\n        sql: SELECT 1',
            'question: why?\n        certifiedQuery: two',
            '{question: delete it, expect: {no_query: true}}',
          ),
        ),
        OWN,
      ),
      query,
    );
    assert.deepEqual(problems, []);
    assert.equal(questions[0]?.text, 'by region? → only Europe? → why? → delete it');
    assert.deepEqual(
      questions[0].turns?.map(({ text, identity, expectedSql, behavior, range }) => [
        ...[text, identity, expectedSql?.sql, behavior?.noQuery, range.start.line],
      ]),
      [
        ['by region?', 'europe', undefined, undefined, 4],
        ['only Europe?', 'europe', 'SELECT 1', undefined, 5],
        ['why?', 'europe', 'SELECT 2', undefined, 7],
        ['delete it', 'europe', undefined, true, 9],
      ],
    );
  });

  const bad: [what: string, entries: string[], problem: string][] = [
    ['no question', ['sql: SELECT 1'], '5: “question” is missing.'],
    ['text', ['by region?'], '5: A turn must have the keys question, sql, certifiedQuery, expect.'],
    ['an unknown certified query', ['{question: q, certifiedQuery: none}'], '5: There is no certified query “none”.'],
    ['a wrong rule', ['{question: q, expect: {}}'], '5: Set “asks_back: true” or '],
    ['an entry that is no list', [], '4: “turns” must be a list.'],
  ];
  for (const [what, entries, problem] of bad)
    it(`with ${what} report its line and drop the question`, () => {
      const { names, problems } = own(turns(...entries), question('b', ''));
      assert.deepEqual(names, ['b']);
      assert.equal(problems.length, 1);
      assert.ok(problems[0]?.startsWith(`${OWN}:${problem}`), problems[0]);
    });
});
