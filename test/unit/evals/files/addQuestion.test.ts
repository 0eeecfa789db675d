import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  addQuestion,
  linkQuestion,
  nameProblem,
  proposedName,
  type NewQuestion,
} from '../../../../src/evals/files/addQuestion.ts';
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';

const PATH = '.analytics-chat/questions.yml';
const NEW: NewQuestion = { name: 'revenue', text: 'What was our revenue?' };

function added(text: string, question = NEW): string {
  const { offset, remove, text: inserted } = addQuestion(text, question);
  return text.slice(0, offset) + inserted + text.slice(offset + remove);
}

/** Names and texts as the reader of question files sees them. */
function questionsIn(text: string): string[] {
  const { questions, problems } = readQuestionSet([{ path: PATH, text }]);
  assert.deepEqual(problems, [], text);
  return questions.map(({ name, text: question, identity }) =>
    [name, question, ...(identity ? [identity] : [])].join('|'),
  );
}

describe('adding a question to a file', () => {
  it('starts an empty file with the list', () => {
    assert.equal(added(''), 'eval_questions:\n  - name: revenue\n    question: What was our revenue?\n');
  });

  it('appends after the last question at the indentation of the list, and leaves comments where they are', () => {
    const text = '# Ours\neval_questions:\n- name: a # first\n  question: A?\n# end\n';
    assert.equal(
      added(text),
      '# Ours\neval_questions:\n- name: a # first\n  question: A?\n- name: revenue\n  question: What was our revenue?\n# end\n',
    );
  });

  for (const [what, text] of Object.entries({
    'without a line end': 'eval_questions:\n    - name: a\n      question: A?',
    'with a block scalar at its end': 'eval_questions:\n  - name: a\n    question: |\n      A?\n',
    'with a kept block scalar at its end': 'eval_questions:\n  - name: a\n    question: |+\n      A?\n\n',
    'with a key after the list': 'eval_questions:\n  - name: a\n    question: A?\nowner: me\n',
    'with Windows line ends': 'eval_questions:\r\n  - name: a\r\n    question: A?\r\n',
    'in flow style': 'eval_questions: [{name: a, question: "A?"}] # one\n',
    'with nested lists in flow style': 'eval_questions:\n  - {name: a, question: "A?"}\n',
    'with a blank line at its end': 'eval_questions:\n  - name: a\n    question: A?\n\n',
  }))
    it(`keeps the questions of a file ${what}`, () => {
      const after = added(text);
      assert.deepEqual(questionsIn(after), ['a|A?', 'revenue|What was our revenue?'], after);
      assert.equal(/(^|[^\r])\n/.test(after), !text.includes('\r\n'), 'one kind of line end');
    });

  for (const text of [
    'eval_questions:\n',
    'eval_questions: []\n',
    'eval_questions: # none yet\n',
    '# none yet\n',
    'a: 1',
    '---\n',
    '\ufeff',
    'eval_questions: [ # none yet\n]\n',
    'a: 1\neval_questions:',
  ])
    it(`fills a file without questions: ${JSON.stringify(text)}`, () => {
      assert.match(added(text), /eval_questions:.*\n {2}- name: revenue\n {4}question: What was our revenue\?\n$/);
      assert.deepEqual(questionsIn(added(text)), ['revenue|What was our revenue?']);
    });

  it('fills an empty list with the line ends of the file', () => {
    assert.equal(
      added('eval_questions: []\r\nb: 1\r\n'),
      'eval_questions:\r\n  - name: revenue\r\n    question: What was our revenue?\r\nb: 1\r\n',
    );
  });

  it('adds no blank line after other keys', () => {
    for (const text of ['a: 1', 'a: 1\n']) assert.match(added(text), /^a: 1\neval_questions:\n/);
  });

  it('keeps a comment beside the key of an empty list', () => {
    assert.match(added('eval_questions: # none yet\nother: 1\n'), /^eval_questions: # none yet\n {2}- name: revenue\n/);
  });

  for (const text of [
    'true',
    '12',
    'a: b',
    '- a',
    'it\'s "quoted"',
    ' space ',
    '#1',
    'two\nlines',
    'é\u2028x\u0085y',
    'a #b',
    '@x',
  ])
    it(`writes ${JSON.stringify(text)} so that it reads back`, () => {
      const after = added('', { name: text, text, identity: text });
      assert.deepEqual(questionsIn(after), [Array(3).fill(text.trim()).join('|')], after);
    });

  for (const text of [
    'eval_questions: [',
    'just text',
    '- a\n',
    'eval_questions: none\n',
    'eval_questions: ~\n',
    'eval_questions: {a: b}\n',
    'a: b\n...\n',
    '{a: b}\n',
    'eval_questions:\n  - # - first\n    name: a\n',
  ])
    it(`rejects a file that the question would damage: ${JSON.stringify(text)}`, () =>
      assert.throws(() => addQuestion(text, NEW), /errors/));
});

describe('the name of a new test', () => {
  it('is derived from the question, and unique', () => {
    assert.equal(proposedName('Revenue by month, in 2024?', new Set()), 'revenue_by_month_in_2024');
    assert.equal(proposedName('Revenue?', new Set(['revenue', 'revenue_2'])), 'revenue_3');
    assert.equal(proposedName('Chiffre d’affaires élevé', new Set()), 'chiffre_d_affaires_eleve');
    assert.equal(proposedName('???', new Set()), 'question');
    assert.equal(proposedName('¿Ventas?', new Set()), 'ventas');
  });

  it('is truncated between words', () => {
    assert.equal(proposedName(`${'word '.repeat(30)}`, new Set()), Array(10).fill('word').join('_'));
    const longest = `${'word_'.repeat(9)}words`;
    assert.equal(proposedName(longest.replaceAll('_', ' '), new Set()), longest);
    assert.equal(proposedName('x'.repeat(60), new Set()), 'x'.repeat(50));
    assert.equal(proposedName(`one ${'x'.repeat(60)} two`, new Set()), 'one');
  });

  it('must not be empty or used', () => {
    assert.ok(nameProblem(' ', new Set()));
    assert.ok(nameProblem(' a ', new Set(['a'])));
    assert.ok(nameProblem('A', new Set(['a'])));
    assert.equal(nameProblem('b', new Set(['a'])), undefined);
  });
});

describe('linking a question to a certified query', () => {
  const link = (text: string): string => {
    const { offset, text: added } = linkQuestion(text, 'b', 'orders');
    return text.slice(0, offset) + added + text.slice(offset);
  };

  for (const [what, text, linked] of [
    [
      'in block style',
      'eval_questions:\n- name: a\n  question: A?\n- name: b # two\n  # why\n  question: |\n    B?\n',
      'eval_questions:\n- name: a\n  question: A?\n- name: b # two\n  # why\n  certifiedQuery: orders\n  question: |\n    B?\n',
    ],
    [
      'with Windows line ends',
      'eval_questions:\r\n  - question: B?\r\n    name: b',
      'eval_questions:\r\n  - question: B?\r\n    certifiedQuery: orders\r\n    name: b',
    ],
    [
      'in flow style',
      'eval_questions: [{name: a, question: "A?"}, {name: b, question: "B?"}]\n',
      'eval_questions: [{name: a, question: "A?"}, {name: b, question: "B?", certifiedQuery: "orders"}]\n',
    ],
  ] as const)
    it(`adds one key to the question ${what}, and leaves the others as they are`, () =>
      assert.equal(link(text), linked));

  it('changes nothing in a file with errors or without the question', () => {
    for (const text of ['eval_questions: [', 'eval_questions:\n  - name: a\n    question: A?\n'])
      assert.throws(() => link(text), /has errors/);
  });
});
