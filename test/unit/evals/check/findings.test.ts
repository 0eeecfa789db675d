/** What a check reports, where, and when it no longer holds. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import { compareModels } from '../../../../src/model/changes.ts';
import { answerFindings, changeFindings, locationOf, currentFindings } from '../../../../src/evals/check/findings.ts';
import { membersIn } from '../../../../src/model/members.ts';
import { isPast, pastQuestion, withPastQuestions } from '../../../../src/evals/check/pastQuestions.ts';
import { changeLines, isMemberChange, planCheck, unpushedLines } from '../../../../src/evals/check/plan.ts';
import { MemberUse } from '../../../../src/evals/check/questionUse.ts';
import { emptyThread, type Item, type Thread, type Turn } from '../../../../src/shared/thread/model.ts';
import type { ImageAttachment } from '../../../../src/shared/wire/streamLines.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { questionNamed } from '../support.ts';

const path = 'model/orders.yml';
const text = `cubes:
  - name: orders
    measures:
      - name: count
        type: count
      - name: revenue
        sql: amount
    segments:
      - name: large
        sql: amount > 100
`;
const model = (change = (before: string) => before) => ({ path, text: change(text) });
const ask = (name: string, sql = `SELECT MEASURE(orders.${name}) FROM orders`) =>
  questionNamed(name, { text: `How are we doing\n with ${name}?`, expectedSql: { sql } });
const questions = [ask('revenue'), ask('large'), ask('count')];
const plan = (...steps: [string, string][]) =>
  planCheck(
    [model()],
    [model((before) => steps.reduce((all, [from, to]) => all.replace(from, to), before))],
    questions,
  );
const changed = plan(['sql: amount\n', 'sql: amount - refund\n']);

type Reported = Pick<Verdict, 'question' | 'status' | 'message'>;
const verdict = (fields: Partial<Verdict>): Reported => ({
  ...{ question: questions[0]!, status: 'changed', message: '' },
  ...fields,
});
const found = (fields: Partial<Verdict>): string[] =>
  answerFindings(verdict(fields), changed.changes).map(({ level, message }) => `${level} ${message}`);

describe('findings of a removed member', () => {
  it('list the first five questions that use it', () => {
    const many = Array.from({ length: 6 }, (_, at) => ({ ...ask('revenue'), name: `q${at}`, text: `Question ${at}?` }));
    const files = [model()];
    const after = [model((before) => before.replace('      - name: revenue\n        sql: amount\n', ''))];
    const messagesFor = (count: number): string[] => {
      const removed = planCheck(files, after, many.slice(0, count));
      return changeFindings(removed).map(({ message }) => message);
    };
    assert.match(messagesFor(5).join(), /5 questions use it: Question 0\?, [^…]*Question 4\?$/);
    assert.match(messagesFor(6).join(), /6 questions use it: Question 0\?.*Question 4\?, …$/);
  });
});

describe('findings of a check', () => {
  it('name the question and how its rows changed, on one line', () => {
    assert.deepEqual(found({ change: 'numbers', message: '11 of 12 rows changed, −8.2 %' }), [
      'warning How are we doing with revenue: 11 of 12 rows changed, −8.2 %',
    ]);
    const question = { ...questions[0]!, text: 'Revenue? By\nmonth?' };
    assert.deepEqual(found({ question, message: 'no' }), ['warning Revenue? By month: no']);
    assert.deepEqual(found({ status: 'errored', message: 'main: no\ndev: no' }), [
      'warning How are we doing with revenue: main: no; dev: no',
    ]);
    assert.deepEqual(found({ status: 'review', message: 'too many' }), [
      'information How are we doing with revenue: too many',
    ]);
  });

  it('don’t report equal rows, answers that vary by themselves, and no canceled questions', () => {
    for (const status of ['same', 'unstable', 'canceled'] as const) assert.deepEqual(found({ status }), []);
  });

  it('say that a member was renamed or removed, and which questions use it', () => {
    const messages = (...steps: [string, string][]): string[] =>
      changeFindings(plan(...steps)).map(({ level, message }) => `${level} ${message}`);
    assert.deepEqual(messages(['- name: large', '- name: big']), [
      'warning Renamed from “orders.large”. 1 question uses it: How are we doing with large?',
    ]);
    assert.deepEqual(messages(['      - name: count\n        type: count\n', '']), [
      'warning “orders.count” was removed. 1 question uses it: How are we doing with count?',
    ]);
    const unused = planCheck([model()], [model((before) => before.replace('large', 'big'))], []);
    assert.deepEqual(
      changeFindings(unused).map(({ level, message }) => `${level} ${message}`),
      ['information Renamed from “orders.large”.'],
    );
    assert.deepEqual(changeFindings(changed), []);
  });

  it('are at the name of the member, or of its cube if it was removed', () => {
    const at = (after: string, expected: string): void => {
      const file = model(() => after);
      const [change] = compareModels(membersIn(model()), membersIn(file));
      const place = locationOf(change!, [file]);
      const { start, end } = place.range;
      assert.equal(after.split('\n')[start.line]?.slice(start.character, end.character), expected);
      assert.deepEqual([place.path, start.line], [path, end.line]);
    };
    at(text.replace('sql: amount\n', 'sql: amount - refund\n'), 'revenue');
    at(text.replace('- name: large', '- name: big'), 'big');
    at(text.replace('      - name: count\n        type: count\n', ''), 'orders');
    const [removed] = compareModels(membersIn(model()), []);
    assert.deepEqual(locationOf(removed!, []).range.start, { line: 0, character: 0 });
  });

  it('of a member are in its own file and cube, and cover its line if it is not written as it is called', () => {
    const other = {
      path: 'model/other.yml',
      text: 'cubes:\n  - name: other\n    measures:\n      - {name: n, type: count}\n',
    };
    const files = [model(), other];
    const after = {
      ...other,
      text: other.text.replace('      - {name: n, type: count}\n', '      - name: {{  x }}\n        type: sum\n'),
    };
    const locations = compareModels(files.flatMap(membersIn), [model(), after].flatMap(membersIn)).map((change) => {
      const { path: at, range } = locationOf(change, [model(), after]);
      return [at, after.text.split('\n')[range.start.line]?.slice(range.start.character, range.end.character)];
    });
    assert.deepEqual(locations, [
      [other.path, '{{  x }}'],
      [other.path, 'other'],
    ]);
  });

  it('move with their member, and vanish when it is reverted or edited again', () => {
    const findings = answerFindings(verdict({ message: 'changed' }), changed.changes);
    const standing = (after: string): number[] =>
      currentFindings(findings, compareModels(membersIn(model()), membersIn(model(() => after)))).map(({ change }) =>
        isMemberChange(change) ? change.member.offset : -1,
      );
    const edited = text.replace('sql: amount\n', 'sql: amount - refund\n');
    const [before] = standing(edited);
    assert.deepEqual(standing(`# Our orders\n${edited}`), [before! + '# Our orders\n'.length]);
    assert.deepEqual(standing(text), []);
    assert.deepEqual(standing(text.replace('sql: amount\n', 'sql: amount - tax\n')), []);
  });
});

describe('the confirmation of a check', () => {
  it('lists the changes, a renamed member as renamed, and counts those beyond the first', () => {
    assert.deepEqual(changeLines(plan(['large', 'big'], ['sql: amount\n', 'sql: net\n']).changes), [
      'Changed: orders.revenue',
      'Renamed: orders.large → orders.big',
    ]);
    assert.deepEqual(changeLines(plan(['      - name: count\n        type: count\n', '']).changes), [
      'Removed: orders.count',
    ]);
    const more = '    segments:\n      - name: small\n        sql: amount < 9\n';
    assert.deepEqual(changeLines(plan(['    segments:\n', more]).changes), ['Added: orders.small']);
    const many = (length: number) => Array.from({ length }, () => changed.changes[0]!);
    assert.deepEqual([changeLines(many(8)).length, changeLines(many(8)).at(-1)], [8, 'Changed: orders.revenue']);
    assert.deepEqual([changeLines(many(11)).length, changeLines(many(11)).at(-1)], [9, '… 3 more changes']);
  });

  it('says what the service does not have yet', () => {
    const pushed = { branch: 'dev', unsaved: [], uncommitted: [], commits: 0 };
    assert.deepEqual(unpushedLines(pushed), []);
    assert.deepEqual(unpushedLines({ ...pushed, commits: undefined }), ['Never pushed: branch “dev”']);
    assert.deepEqual(
      unpushedLines({ branch: 'dev', unsaved: ['a.yml'], uncommitted: ['b.yml', 'c.yml'], commits: 2 }),
      ['Not saved: a.yml', 'Not committed: b.yml, c.yml', 'Not pushed: 2 commits'],
    );
  });
});

const queried = (sqlQuery: string): Item =>
  makeItem(sqlQuery, { toolCall: { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery }), result: '{}' } });
const context = { branch: 'main', isDefaultBranch: true, identity: 'ana' };

describe('a question of the history', () => {
  const thread = (...turns: Turn[]): Thread => ({ ...emptyThread('t'), turns });

  it('is the first of a thread that ran SQL, with its identity', () => {
    const first = makeTurn({ id: 'q1', content: 'revenue?', context }, [queried('SELECT a'), queried('SELECT b')]);
    const past = pastQuestion(thread(first, makeTurn({ id: 'q2', content: 'by region?' }, [queried('SELECT c')])));
    assert.deepEqual(
      [past?.text, past?.identity, past?.expectedSql?.sql],
      ['revenue?', 'ana', 'SELECT a\n;\nSELECT b'],
    );
  });

  it('is not asked again if it ran no SQL or was about an image', () => {
    const image = { data: '', mediaType: 'image/png', name: 'a.png' } as unknown as ImageAttachment;
    assert.equal(pastQuestion(thread(makeTurn({ id: 'q', content: 'Hello' }))), undefined);
    assert.equal(pastQuestion(thread(makeTurn({ id: 'q', images: [image] }, [queried('SELECT a')]))), undefined);
    const past = pastQuestion(thread(makeTurn({ id: 'q', content: 'a?', images: [] }, [queried('SELECT a')])));
    assert.deepEqual([past?.text, past && 'identity' in past, past && isPast(past)], ['a?', false, true]);
    assert.equal(isPast(questionNamed('a')), false);
    assert.equal(pastQuestion(thread()), undefined);
  });

  it('is left out if a test or another question has the same text', () => {
    const test = questionNamed('a', { text: 'Revenue by month?' });
    const past = ['revenue  by month?', 'orders?', 'Orders?', ' orders?\n'].map((each) =>
      questionNamed(each, { text: each, path: '' }),
    );
    assert.deepEqual(
      withPastQuestions([test], past).map(({ text: each }) => each),
      ['Revenue by month?', 'orders?'],
    );
  });
});

describe('the use of a member', () => {
  it('counts each question once, also through members that depend on it, and no access tests', () => {
    const more = `${text}    dimensions:\n      - name: status\n        sql: status\n      - name: paid\n        sql: "{status} = 'paid'"\n`;
    const members = membersIn(model(() => more));
    const both = ask('both', 'SELECT MEASURE(orders.revenue), orders.paid, orders.status FROM orders');
    const use = new MemberUse(members, [
      ...questions,
      both,
      questionNamed('x', { text: 'revenue', access: { kind: 'empty' } }),
    ]);
    const counts = ['revenue', 'large', 'status', 'paid'].map(
      (name) => use.questionsOf({ owner: 'orders', name }).length,
    );
    assert.deepEqual(counts, [2, 1, 1, 1]);
    assert.deepEqual(use.questionsOf({ owner: 'orders', name: 'unknown' }), []);
  });
});
