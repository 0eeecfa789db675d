/** Spaces of the platform, within which names are unique. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LastVerdicts } from '../../../../src/evals/selectQuestions.ts';
import { acceptResult } from '../../../../src/evals/files/baseline.ts';
import type { SourceFile } from '../../../../src/shared/text/sourceFile.ts';
import { table } from '../tables.ts';
import { file, list, question, read } from './support.ts';

const certified = (sql: string, path: string, frontMatter = ''): SourceFile =>
  file(`---\nuser_request: q\n${frontMatter}---\n${sql}`, `agents/certified_queries/${path}`);
const using = 'certifiedQuery: revenue';

describe('spaces', () => {
  it('are set in a file or at a question', () => {
    const { questions, problems } = read(
      file(`space: sales\n${list(question('a'), question('b', 'sql: s\n    space: finance'))}`),
      file(list(question('a', 'space: hr')), '.analytics-chat/questions.yml'),
      file(list(question('a')), 'agents/eval_questions/a.yml'),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      questions.map(({ name, space }) => [name, space]),
      [
        ['a', 'sales'],
        ['b', 'finance'],
        ['a', 'hr'],
        ['a', undefined],
      ],
    );
  });

  it('have each name once', () => {
    const { names, problems } = read(
      file(`space: sales\n${list(question('a'), question('A', 'sql: s\n    space: hr'), question('A'))}`),
    );
    assert.deepEqual(names, ['a', 'A']);
    assert.deepEqual(problems, [
      'agents/eval_questions.yml:10: The name “A” differs only in case from “a” at agents/eval_questions.yml:3',
    ]);
    const twice = read(
      certified('SELECT 1', 'sales/revenue.md'),
      certified('SELECT 2', 'x.md', 'name: revenue\nspace: sales\n'),
    );
    assert.match(twice.problems.join('\n'), /x\.md:2: The name “revenue” is already used at .*sales\/revenue\.md:2$/);
  });

  const queries = [
    certified('SELECT 0', 'revenue.md'),
    certified('SELECT 1', 'sales/revenue.md'),
    certified('SELECT 2', 'any.md', 'name: revenue\nspace: finance\n'),
  ];
  const lookups: [title: string, space: string, files: SourceFile[], sql: string | undefined, problem?: string][] = [
    ['in the folder of the own space', 'sales', queries, 'SELECT 1'],
    ['with the own space in its front matter', 'finance', queries, 'SELECT 2'],
    ['without a space, if the own one has none', 'hr', queries, 'SELECT 0'],
    ['in the only other space that has it', 'hr', queries.slice(1, 2), 'SELECT 1'],
    [
      'in no space if several others have it',
      'hr',
      queries.slice(1),
      undefined,
      'agents/eval_questions.yml:4: Several spaces have a certified query “revenue”: “sales”, “finance”. Set “space”.',
    ],
  ];
  for (const [title, space, files, sql, problem] of lookups)
    it(`have the certified query of a question ${title}`, () => {
      const { questions, problems } = read(file(list(question('a', `${using}\n    space: ${space}`))), ...files);
      assert.equal(questions[0]?.expectedSql?.sql, sql);
      assert.deepEqual(problems, problem === undefined ? [] : [problem]);
    });

  it('may be named in the configuration of the agent', () => {
    const config = 'certified_queries:\n  - {name: revenue, space: sales, user_request: q, sql_query: SELECT 3}\n';
    const { questions } = read(
      file(list(question('a', `${using}\n    space: sales`))),
      ...queries.slice(0, 1),
      file(config, 'agents/config.yml'),
    );
    assert.equal(questions[0]?.expectedSql?.sql, 'SELECT 3');
  });

  it('have verdicts of their own', () => {
    const { questions } = read(file(list(question('a'), question('a', 'sql: s\n    space: hr'))));
    const verdicts = new LastVerdicts();
    verdicts.add({ question: questions[0]!, status: 'failed' });
    verdicts.add({ question: questions[1]!, status: 'passed' });
    assert.deepEqual(questions.map(verdicts.notPassed), [true, false]);
  });

  it('have accepted results of their own', () => {
    const own = (space: string): SourceFile =>
      file(`space: ${space}\n${list(question('a', ''))}`, '.analytics-chat/questions.yml');
    const [sales] = read(own('sales')).questions;
    const baseline = acceptResult({
      ...{ question: sales!, sql: 'SELECT 1', table: table('n:number', [1]), branch: 'main', identity: '', time: 0 },
    });
    assert.equal(baseline.path, '.analytics-chat/baselines/sales%2fa.yml');
    const paths = ['sales', 'hr'].map((space) => read(own(space), baseline).questions[0]?.baseline?.path);
    assert.deepEqual(paths, [baseline.path, undefined]);
  });
});
