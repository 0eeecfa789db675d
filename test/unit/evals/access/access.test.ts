/** Access tests: what an identity may see, in `.analytics-chat/access.yml`. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';
import { ruleText, tagsOf, type AccessRule, type TestQuestion } from '../../../../src/evals/question.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { inTurn, run } from '../matrix/support.ts';

const PATH = '.analytics-chat/access.yml';
const read = (text: string) => readQuestionSet([{ path: PATH, text }]);
const regions = (...names: (string | null)[]): ResultTable =>
  table('region:string revenue:number', ...names.map((name, at) => [name, at + 1]));
const none = table('region:string revenue:number');

type GradedRun = Parameters<typeof run>[1];

async function verdict(access: AccessRule, ask: GradedRun['ask'], more: GradedRun = {}): Promise<Verdict> {
  const question = questionNamed('a', { identity: 'europe', access });
  return (await run([question], { ask, runSql: undefined, ...more })).first;
}
const seeing =
  (...tables: (ResultTable | undefined)[]) =>
  (): Promise<Answer> =>
    Promise.resolve(answerOf(...tables.map(queryWith)));
const short = ({ status, message }: Verdict): string => (message === '' ? status : `${status}: ${message}`);

describe('an access file', () => {
  it('has one test for each expectation, with its identity, tags and position', () => {
    const { questions, problems } = read(`access:
  - name: revenue
    question: revenue by region
    expect:
      - as: europe
        only: { region: Europe, status: [Shipped, 2] }
      - { as: guest, empty: true }
      - as: manager
        same_as: admin
`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      questions.map(({ name, access, range, ...question }) => [
        name,
        access,
        range.start.line,
        tagsOf({ name, access, range, ...question }),
      ]),
      [
        [
          'revenue as europe',
          {
            kind: 'only',
            values: new Map([
              ['region', ['Europe']],
              ['status', ['Shipped', '2']],
            ]),
          },
          4,
          ['@access', '@europe'],
        ],
        ['revenue as guest', { kind: 'empty' }, 6, ['@access', '@guest']],
        ['revenue as manager', { kind: 'sameAs', identity: 'admin' }, 7, ['@access', '@manager']],
      ],
    );
  });

  const rule =
    'Set one of “only” and “masked” (columns and values), “empty: true”, “denied: true” and “same_as” (an identity). “masked” can be beside “only”.';
  for (const [what, expectation, problem] of [
    ['no rule', '{as: a}', `5: ${rule}`],
    ['two rules', '{as: a, empty: true, same_as: b}', `5: ${rule}`],
    ['an unknown rule', '{as: a, never: true}', `5: ${rule}`],
    ['a misspelled rule beside another', '{as: a, only: {region: Europe}, maskd: {email: x}}', `5: ${rule}`],
    ['empty: false', '{as: a, empty: false}', `5: ${rule}`],
    ['columns without values', '{as: a, only: {region: }}', `5: ${rule}`],
    ['columns with an empty list', '{as: a, only: {region: []}}', `5: ${rule}`],
    ['columns with an empty value', '{as: a, only: {region: [Europe, ""]}}', `5: ${rule}`],
    ['columns without a name', '{as: a, only: {"": Europe}}', `5: ${rule}`],
    ['same_as without an identity', '{as: a, same_as: }', `5: ${rule}`],
    ['only without columns', '{as: a, only: Europe}', `5: ${rule}`],
    ['only with an empty map of columns', '{as: a, only: {}}', `5: ${rule}`],
    ['denied: false', '{as: a, denied: false}', `5: ${rule}`],
    ['masked without columns', '{as: a, masked: null}', `5: ${rule}`],
    ['masked with an empty value', '{as: a, masked: {email: ""}}', `5: ${rule}`],
    ['masked and denied', '{as: a, masked: {email: x}, denied: true}', `5: ${rule}`],
    ['only and empty', '{as: a, only: {region: Europe}, empty: true}', `5: ${rule}`],
    ['no identity', '{empty: true}', '5: “as” is missing.'],
    ['text', 'europe', '5: “as” is missing.'],
  ] as const)
    it(`reports an expectation with ${what} at its line and keeps the others`, () => {
      const { questions, problems } = read(
        `access:\n  - name: n\n    question: q\n    expect:\n      - ${expectation}\n      - {as: b, empty: true}\n`,
      );
      assert.deepEqual(
        problems.map(({ path, range, message }) => `${path}:${range.start.line + 1}: ${message}`),
        [`${PATH}:${problem}`],
      );
      assert.deepEqual(
        questions.map(({ name }) => name),
        ['n as b'],
      );
    });

  it('may merge rules and columns, and write true as YAML does', () => {
    const { questions, problems } = read(`access:
  - name: n
    question: q
    expect:
      - { as: a, only: &own { region: Europe, year: 2024 } }
      - { as: b, only: { <<: *own, region: Asia } }
      - &rule { as: c, only: { <<: *own } }
      - { <<: *rule, as: d }
      - { as: e, empty: True }
`);
    assert.deepEqual(problems, []);
    const rules = questions.map(({ access }) => (access?.kind === 'only' ? [...access.values] : access));
    const [region, year] = [['region', ['Europe']] as const, ['year', ['2024']] as const];
    assert.deepEqual(rules, [
      [region, year],
      [['region', ['Asia']], year],
      [region, year],
      [region, year],
      { kind: 'empty' },
    ]);
  });

  it('has masks beside allowed values, and denials', () => {
    const { questions, problems } = read(`access:
  - name: customers
    question: customers
    expect:
      - as: europe
        only: { region: Europe }
        masked: { email: '***', phone: null, note: [x, y] }
      - { as: guest, denied: true }
`);
    assert.deepEqual(problems, []);
    const values = Object.entries({ region: ['Europe'], email: ['***', null], phone: [null], note: ['x', 'y', null] });
    assert.deepEqual(
      questions.map(({ access }) => access),
      [{ kind: 'only', values: new Map(values) }, { kind: 'denied' }],
    );
  });

  it('may merge an anchor into several expectations', () => {
    const { questions, problems } = read(`access:
  - name: revenue
    question: revenue by region
    expect:
      - &rule { as: europe, only: { region: Europe } }
      - { <<: *rule, as: guest }
`);
    assert.deepEqual(problems, []);
    const [first, second] = questions;
    assert.equal(second?.identity, 'guest');
    assert.deepEqual(second.access, first?.access);
  });

  it('reports what is missing, duplicates and other files', () => {
    const messages = (text: string): string[] => read(text).problems.map(({ message }) => message);
    assert.deepEqual(messages('access:\n  - name: n\n'), ['“question” is missing.', '“expect” is missing.']);
    assert.deepEqual(messages('access:\n  - {name: n, question: q, expect: {as: a, empty: true}}\n'), [
      '“expect” must be a list.',
    ]);
    assert.deepEqual(messages('access:\n  - all\n'), ['An access test must have the keys name, question, expect.']);
    const expect = 'expect: [{as: a, empty: true}]';
    for (const [key, other] of [
      ['name', 'question'],
      ['question', 'name'],
    ] as const) {
      const { questions, problems } = read(`access:\n  - {${key}: n, ${expect}}\n`);
      assert.deepEqual([questions, problems.map(({ message }) => message)], [[], [`“${other}” is missing.`]]);
    }
    assert.deepEqual(messages('access: none\n'), ['“access” must be a list.']);
    assert.deepEqual(messages('europe: {}\n'), ['“access” is missing.']);
    for (const empty of ['', '{}']) assert.deepEqual(messages(empty), []);
    const twice = '- {name: n, question: q, expect: [{as: a, empty: true}]}\n';
    assert.deepEqual(
      read(`access:\n${twice}${twice}`).problems.map(({ range, message }) => [range.start, message]),
      [[{ line: 2, character: 34 }, `The name “n as a” is already used at ${PATH}:2`]],
    );
  });
});

describe('a question', () => {
  it('has tags only for an access rule and for an identity', () => {
    assert.deepEqual(tagsOf(questionNamed('a')), []);
    assert.deepEqual(tagsOf(questionNamed('a', { identity: 'europe' })), ['@europe']);
    assert.deepEqual(tagsOf(questionNamed('a', { access: { kind: 'empty' } })), ['@access']);
  });

  it('has the same rule text as another only if their rules are equal', () => {
    const only = (region: string): AccessRule => ({ kind: 'only', values: new Map([['region', [region]]]) });
    const rules: AccessRule[] = [only('Europe'), only('Asia'), { kind: 'empty' }, { kind: 'sameAs', identity: 'a' }];
    assert.equal(new Set(rules.map(ruleText)).size, rules.length);
    assert.equal(ruleText(only('Asia')), ruleText(only('Asia')));
  });
});

describe('an access test', () => {
  const only: AccessRule = { kind: 'only', values: new Map([['region', ['Europe', 'Africa']]]) };

  it('passes when every row has an allowed value, and names the values that must not be seen', async () => {
    assert.equal(short(await verdict(only, seeing(regions('Europe', 'Africa')))), 'passed');
    const failed = await verdict(only, seeing(regions('Europe', 'Asia', null, '')));
    assert.equal(short(failed), "failed: 3 of 4 rows must not be seen: region Asia, NULL, ''");
    assert.match(failed.attempt?.difference?.text.actual ?? '', /Asia/);
    assert.doesNotMatch(failed.attempt?.difference?.text.expected ?? '', /Asia/);
  });

  it('fails on a row of any query, not only of the last one', async () => {
    assert.equal((await verdict(only, seeing(regions('Asia'), regions('Europe')))).status, 'failed');
  });

  it('fails on a row with one forbidden value, although its other values are allowed', async () => {
    const both: AccessRule = { kind: 'only', values: new Map([...only.values, ['year', ['2024']]]) };
    const seen = (...rows: unknown[][]) => seeing(table('region:string year:number', ...rows));
    assert.equal((await verdict(both, seen(['Europe', 2024]))).status, 'passed');
    assert.match(short(await verdict(both, seen(['Europe', 2024], ['Europe', 2023]))), /^failed: 1 of 2 rows/);
  });

  it('lists up to five values that must not be seen, each once', async () => {
    const messageFor = async (count: number): Promise<string> => {
      const names = Array.from({ length: count }, (_, at) => `r${at}`);
      return (await verdict(only, seeing(regions('r0', ...names)))).message;
    };
    assert.equal(await messageFor(5), '6 of 6 rows must not be seen: region r0, r1, r2, r3, r4');
    assert.equal(await messageFor(6), '7 of 7 rows must not be seen: region r0, r1, r2, r3, r4, …');
    assert.equal((await verdict(only, seeing(regions('Asia')))).message, '1 of 1 row must not be seen: region Asia');
  });

  it('takes qualified names of columns, and equal numbers', async () => {
    const byYear: AccessRule = { kind: 'only', values: new Map([['year', ['2024']]]) };
    assert.equal((await verdict(byYear, seeing(table('sales.Year:number', ['2024.0'])))).status, 'passed');
    assert.equal((await verdict(byYear, seeing(table('year:number', [2024])))).status, 'passed');
  });

  it('distinguishes codes in a column of text, and compares other cells by their text', async () => {
    const zip: AccessRule = { kind: 'only', values: new Map([['zip', ['1']]]) };
    const statusOf = async (rule: AccessRule, seen: ResultTable): Promise<string> =>
      (await verdict(rule, seeing(seen))).status;
    assert.equal(await statusOf(zip, table('zip:string', ['1'])), 'passed');
    assert.equal(await statusOf(zip, table('zip:string', ['01'])), 'failed');
    assert.equal(await statusOf(zip, table('zip', ['01'])), 'failed');
    assert.equal(await statusOf(zip, table('zip:string', [1])), 'passed');
    const tags: AccessRule = { kind: 'only', values: new Map([['tags', ['["a"]']]]) };
    assert.equal(await statusOf(tags, table('tags:json', [['a']])), 'passed');
  });

  it('is inconclusive if any query with rows lacks the column or some of its rows', async () => {
    const europe = regions('Europe');
    const africa = regions('Africa');
    const other = table('city:string', ['Tokyo'], ['Beijing']);
    const ofTwo = async (...tables: ResultTable[]): Promise<unknown> => {
      const { message, status, attempt } = await verdict(only, seeing(...tables));
      return [status === 'review' ? message : status, attempt?.actual?.table];
    };
    assert.deepEqual(await ofTwo(africa, europe), ['passed', europe]);
    assert.deepEqual(await ofTwo(none, europe), ['passed', europe]);
    for (const order of [
      [other, europe],
      [europe, other],
    ])
      assert.deepEqual(await ofTwo(...order), ['Inconclusive: no column like “region”', other]);
    for (const cut of [
      { ...africa, totalRows: 900 },
      { ...none, totalRows: 2 },
    ])
      for (const order of [
        [cut, europe],
        [europe, cut],
      ]) {
        const reason = `Inconclusive: only ${cut.rows.length} of ${cut.totalRows} rows were returned`;
        assert.deepEqual(await ofTwo(...order), [reason, cut]);
      }
    assert.equal((await verdict(only, seeing(other, regions('Asia'), europe))).status, 'failed');
  });

  for (const [rule, columns, cells, message] of [
    ['customers.region', 'orders.region customers.region', ['Asia', 'Europe'], ''],
    ['Customers.Region', 'orders.region customers.region', ['Europe', 'Asia'], 'Customers.Region Asia'],
    ['region', 'orders.region customers.region', ['Europe', 'Asia'], 'region Asia'],
    ['region', 'region customers.region', ['Europe', 'Asia'], 'region Asia'],
    ['region', 'region region', ['Europe', 'Asia'], 'region Asia'],
    ['region', 'region region', ['Asia', 'Oceania'], 'region Asia, Oceania'],
    ['region', 'region region_1', ['Europe', 'Asia'], 'region Asia'],
    ['customers.region', 'customers.region customers.region_1', ['Europe', 'Asia'], 'customers.region Asia'],
    ['region_1', 'region region_1', ['Asia', 'Europe'], ''],
    ['region', 'region region_name', ['Europe', 'Asia'], ''],
    ['stores.region', 'orders.region region', ['Europe', 'Asia'], 'stores.region Asia'],
    ['stores.region', 'stores.region stores.region', ['Europe', 'Asia'], 'stores.region Asia'],
  ] as const)
    it(`on ${rule} looks at the right columns of ${columns}: ${cells.join(', ')}`, async () => {
      const byRegion: AccessRule = { kind: 'only', values: new Map([[rule, ['Europe']]]) };
      const { message: found, status } = await verdict(byRegion, seeing(table(columns, cells, ['Europe', 'Europe'])));
      assert.equal(found, message && `1 of 2 rows must not be seen: ${message}`);
      assert.equal(status, message === '' ? 'passed' : 'failed');
    });

  for (const [type, cell, value, isAllowed] of [
    ['', '01', '1', false],
    ['number', '01', '1', false],
    ['number', 1, '01', false],
    ['number', '+1', '1', false],
    ['', 1.00001, '1', false],
    ['number', '1.00000000000000000001', '1', false],
    ['number', '10.50', '10.5', true],
    ['', 10.5, '10.50', true],
    ['', '1.10', '1.1', false],
    ['string', '1.10', '1.1', false],
    ['string', 'EUROPE', 'Europe', false],
    ['string', 'Europe ', 'Europe', false],
    ['string', null, '', false],
    ['boolean', true, 'true', true],
    ['boolean', 't', 'true', true],
    ['boolean', 1, 'True', true],
    ['', true, 'True', true],
    ['boolean', 'f', 'true', false],
    ['time', '2024-01-01 00:00:00+00', '2024-01-01', true],
    ['time', '2024-01-01 00:00:00.000 UTC', '2024-01-01', true],
    ['time', '2024-01-01T10:00:00.500+0000', '2024-01-01 10:00:00.5', true],
    ['time', '2024-01-01 10:00', '2024-01-01T10:00:00', true],
    ['time', '2024-01-01 10:00:01', '2024-01-01T10:00:00', false],
    ['time', '2024-01-01 00:00:00 Europe/Berlin', '2024-01-01', false],
    ['time', '2024-01-01T00:00:00.000', '2024-01-01', true],
    ['time', '2024-01-01T00:00:00.000000001', '2024-01-01', false],
    ['time', '2024-01-01T00:00:00+01:00', '2024-01-01', false],
    ['string', '2024-01-01T00:00:00', '2024-01-01', false],
  ] as const)
    it(`${isAllowed ? 'accepts' : 'rejects'} ${JSON.stringify(cell)} of type “${type}” for the value ${value}`, async () => {
      const byCode: AccessRule = { kind: 'only', values: new Map([['code', [value]]]) };
      const { status } = await verdict(byCode, seeing(table(`code:${type}`, [cell])));
      assert.equal(status, isAllowed ? 'passed' : 'failed');
    });

  it('does not take a column of another cube for that of a qualified name', async () => {
    const byCustomer: AccessRule = { kind: 'only', values: new Map([['customers.region', ['Europe']]]) };
    const verdicts = ['orders.region', 'region'].map((name) => verdict(byCustomer, seeing(table(name, ['Europe']))));
    assert.deepEqual(
      (await Promise.all(verdicts)).map(({ status }) => status),
      ['review', 'passed'],
    );
  });

  it('names every column that the answer lacks, and keeps the query that proves nothing', async () => {
    const both: AccessRule = { kind: 'only', values: new Map([...only.values, ['year', ['2024']]]) };
    const numbers = table('n:number', [1]);
    const { message, attempt } = await verdict(both, seeing(numbers));
    assert.equal(message, 'Inconclusive: no column like “region”, “year”');
    assert.deepEqual(attempt?.actual?.table, numbers);
    assert.equal((await verdict(both, seeing())).attempt?.actual, undefined);
  });

  it('proves nothing without rows, without the column, without a query or on some of the rows', async () => {
    assert.equal(short(await verdict(only, seeing(none))), 'review: Inconclusive: no rows.');
    const numbers = table('n:number', [1]);
    for (const tables of [[numbers], [numbers, none]])
      assert.match(short(await verdict(only, seeing(...tables))), /^review: .*no column like “region”/);
    assert.match(short(await verdict(only, seeing())), /^review: .*ran no query/);
    assert.equal(short(await verdict(only, seeing(undefined))), 'review: Inconclusive: a query failed.');
    const cut = { ...regions('Europe'), totalRows: 2 };
    assert.match(short(await verdict(only, seeing(cut))), /^review: .*only 1 of 2 rows were returned/);
    const runSql = () => Promise.resolve(regions('Europe', 'Asia'));
    assert.match(short(await verdict(only, seeing(cut), { runSql })), /^failed: 1 of 2 rows/);
    // What is forbidden is so, however many rows are missing.
    assert.equal((await verdict(only, seeing({ ...regions('Asia'), totalRows: 2 }))).status, 'failed');
  });

  it('that expects no rows passes without any, also with a total of nothing, and fails otherwise', async () => {
    const empty: AccessRule = { kind: 'empty' };
    assert.equal((await verdict(empty, seeing(none))).status, 'passed');
    assert.equal((await verdict(empty, seeing(table('n:number total:number', ['0', null])))).status, 'passed');
    assert.equal(short(await verdict(empty, seeing(regions('Asia')))), 'failed: 1 row must not be seen');
    const zeros = table('n:number', [0], [0]);
    assert.equal(short(await verdict(empty, seeing(zeros))), 'failed: 2 rows must not be seen');
    const cut = { ...none, totalRows: 2 };
    assert.equal(short(await verdict(empty, seeing(cut))), 'failed: 2 rows must not be seen');
    assert.equal((await verdict(empty, seeing({ ...regions('Asia'), totalRows: 0 }))).status, 'failed');
    assert.equal((await verdict(empty, seeing({ ...none, totalRows: 2 }, none))).status, 'failed');
    const mixed = table('n:number region:string', [0, 'Asia']);
    const failed = await verdict(empty, seeing(mixed));
    assert.deepEqual([failed.status, failed.attempt?.actual?.table], ['failed', mixed]);
    assert.deepEqual((await verdict(empty, seeing(none))).attempt?.actual?.table, none);
    for (const tables of [[undefined], [none, undefined]])
      assert.equal(short(await verdict(empty, seeing(...tables))), 'review: Inconclusive: a query failed.');
    assert.match(short(await verdict(empty, seeing())), /^review: .*ran no query/);
  });

  for (const [what, rule, tables, expected] of [
    ['a denial', { kind: 'denied' }, [], 'review'],
    ['no rows', { kind: 'empty' }, [none], 'review'],
    ['values', only, [regions('Europe')], 'review'],
    ['the rows of another identity', { kind: 'sameAs', identity: 'admin' }, [regions('Europe')], 'review'],
    ['a denial, beside rows', { kind: 'denied' }, [regions('Asia')], 'failed'],
  ] as const)
    it(`that expects ${what} is ${expected} if the service sent no result of another query`, async () => {
      const { queries } = await seeing(...tables)();
      const lacking = () => Promise.resolve(answerOf(...queries, { sql: 'SELECT secret' }));
      const { status, message } = await verdict(rule, lacking);
      assert.equal(status, expected);
      if (status === 'review') assert.equal(message, 'Inconclusive: the service sent no result of a query.');
    });

  it('that expects a mask passes with the mask or null in every row, and fails on any other value', async () => {
    const masked: AccessRule = { kind: 'only', values: new Map([['email', ['***', null]]]) };
    const emails = (...cells: unknown[]) => seeing(table('email:string n:number', ...cells.map((cell) => [cell, 1])));
    assert.equal(short(await verdict(masked, emails('***', null))), 'passed');
    assert.equal(
      short(await verdict(masked, emails('***', 'a@b.c'))),
      'failed: 1 of 2 rows must not be seen: email a@b.c',
    );
    assert.equal((await verdict(masked, emails(''))).status, 'failed');
    assert.match(short(await verdict(masked, seeing(regions('Europe')))), /^review: .*no column like “email”/);
    const nothing: AccessRule = { kind: 'only', values: new Map([['email', [null]]]) };
    assert.equal((await verdict(nothing, emails(null))).status, 'passed');
    assert.equal((await verdict(nothing, emails('***'))).status, 'failed');
  });

  it('that expects a denial passes if no query runs or each one fails, and fails at once on a row', async () => {
    const denied: AccessRule = { kind: 'denied' };
    for (const tables of [[], [undefined]]) assert.equal(short(await verdict(denied, seeing(...tables))), 'passed');
    const leaking = await verdict(denied, seeing(undefined, regions('Asia'), none), { attempts: 3 });
    assert.equal(short(leaking), 'failed: 1 row must not be seen');
    assert.equal(leaking.cells[0]?.answers.length, 1);
    // A filter of rows is no denial.
    assert.equal(short(await verdict(denied, seeing(none))), 'review: Inconclusive: no rows.');
    const failing = () => Promise.resolve({ ...answerOf(), error: 'away' });
    assert.equal(short(await verdict(denied, failing)), 'errored: away');
    const inText = '| email |\n| --- |\n| ana@example.com |';
    for (const [rule, ...queries] of [
      [denied],
      [denied, queryWith(undefined)],
      [{ kind: 'empty' }, queryWith(none)],
    ] as const) {
      const telling = () => Promise.resolve({ ...answerOf(...queries), text: inText });
      assert.equal(short(await verdict(rule, telling)), 'review: Inconclusive: the text of the answer has a table.');
    }
  });

  it('that expects the rows of another identity asks as both and compares', async () => {
    const sameAs: AccessRule = { kind: 'sameAs', identity: 'admin' };
    const asked: (string | undefined)[] = [];
    const rows =
      (admin: ResultTable, europe: ResultTable) =>
      ({ identity }: TestQuestion): Promise<Answer> => {
        asked.push(identity);
        return Promise.resolve(answerOf(queryWith(identity === 'admin' ? admin : europe)));
      };
    const [two, one] = [regions('Europe', 'Asia'), regions('Europe')];
    assert.equal((await verdict(sameAs, rows(two, two))).status, 'passed');
    assert.deepEqual(asked.sort(), ['admin', 'europe']);
    assert.equal((await verdict(sameAs, rows(two, one))).status, 'failed');
    assert.match(short(await verdict(sameAs, rows(none, one))), /^review: .*admin sees no rows/);
    assert.match(short(await verdict(sameAs, rows(one, none))), /^review: .*: no rows/);
    const silent = ({ identity }: TestQuestion) =>
      Promise.resolve(identity === 'admin' ? answerOf() : answerOf(queryWith(one)));
    assert.match(short(await verdict(sameAs, silent)), /^review: .*admin sees no rows/);
    // A total of nothing beside rows does not hide them.
    const total = table('total:number', [0]);
    const twice = ({ identity }: TestQuestion) =>
      Promise.resolve(answerOf(...(identity === 'admin' ? [one] : [total, two]).map(queryWith)));
    assert.equal((await verdict(sameAs, twice)).status, 'failed');
    for (const seen of [
      [one, two],
      [two, one],
    ]) {
      const both = ({ identity }: TestQuestion) =>
        Promise.resolve(answerOf(...(identity === 'admin' ? [one] : seen).map(queryWith)));
      const { message, attempt } = await verdict(sameAs, both);
      assert.equal(message, 'Inconclusive: another query returned other rows than admin sees.');
      assert.deepEqual(attempt?.actual?.table, two);
    }
  });

  it('that can’t be asked is an error, and stays one however it would be graded', async () => {
    const failing = () => Promise.resolve({ ...answerOf(), error: 'There is no identity “europe”.' });
    assert.equal(short(await verdict(only, failing)), 'errored: There is no identity “europe”.');
  });

  for (const [what, rule] of [
    ['other rows', only],
    ['no rows', { kind: 'empty' }],
    ['a denial', { kind: 'denied' }],
  ] as const)
    it(`that expects ${what} fails with a row that came before an error`, async () => {
      const leaking = { ...answerOf(queryWith(regions('Asia'))), error: 'away' };
      const { status, cells } = await verdict(rule, inTurn(leaking, answerOf(queryWith(regions('Europe')))), {
        attempts: 3,
      });
      assert.deepEqual([status, cells[0]?.answers.length], ['failed', 1]);
    });

  it('that shows a forbidden row fails at once; one without a query that ran is asked again', async () => {
    const asked = async (...answers: Answer[]): Promise<unknown> => {
      const { status, passes, cells } = await verdict(only, inTurn(...answers), { attempts: 3 });
      return [status, `${passes?.count}/${passes?.of}`, cells[0]?.answers.length];
    };
    const [fine, leaking] = [regions('Europe'), regions('Asia')].map((each) => answerOf(queryWith(each)));
    assert.deepEqual(await asked(leaking!, fine!), ['failed', '0/1', 1]);
    assert.deepEqual(await asked(answerOf(), leaking!, fine!), ['failed', '0/2', 2]);
    assert.deepEqual(await asked(answerOf(), fine!, fine!), ['flaky', '2/3', 3]);
    assert.deepEqual(await asked(answerOf(queryWith(none)), fine!), ['review', '0/1', 1]);
    assert.deepEqual(await asked(answerOf(queryWith(undefined)), fine!, fine!), ['flaky', '2/3', 3]);
  });

  it('that compares identities asks both again after a difference, and proves nothing if their answers vary', async () => {
    const sameAs: AccessRule = { kind: 'sameAs', identity: 'admin' };
    const seen = async (admin: ResultTable[], europe: ResultTable[]): Promise<unknown> => {
      const asks = [admin, europe].map((tables) => inTurn(...tables.map((each) => answerOf(queryWith(each)))));
      const ask = ({ identity }: TestQuestion) => asks[identity === 'admin' ? 0 : 1]!();
      const { status, cells } = await verdict(sameAs, ask, { attempts: 3 });
      return [status, cells.map(({ answers }) => answers.length).join()];
    };
    const [one, two, three] = [regions('Europe'), regions('Europe', 'Asia'), regions('Asia')];
    assert.deepEqual(await seen([two], [two]), ['passed', '1,1']);
    assert.deepEqual(await seen([two], [one]), ['failed', '2,2']);
    assert.deepEqual(await seen([two], [one, two]), ['flaky', '2,3']);
    assert.deepEqual(await seen([one, two, three], [three]), ['review', '3,2']);
  });
});
