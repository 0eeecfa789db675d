/** Renames of members in all files of a project. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findUnknownNames, referencesIn } from '../../../../src/evals/lint/lint.ts';
import type { ModelNames } from '../../../../src/model/lint/names.ts';
import { renamedMember, renameEdits, type RenamedMember } from '../../../../src/model/lint/rename.ts';
import { linted, projectOf, unknownNames } from './support.ts';

type Files = Readonly<Record<string, string>>;

const files: Files = {
  'model/orders.yml': `cubes:
  - name: orders
    measures:
      - name: revenue
        sql: amount
      - name: margin
        sql: '{revenue} - {CUBE.costs}'
        drill_members: [revenue]
      - name: costs
        sql: costs
`,
  'model/returns.js': `cube('returns', {
  extends: orders,
  measures: { rate: { sql: \`\${CUBE.revenue} / \${orders.revenue}\` }, revenues: { sql: \`1\` } },
});
`,
  'model/views.yml': `views:
  - name: sales
    cubes:
      - join_path: orders
        includes: [revenue]
      - join_path: orders.returns
        prefix: true
        includes: "*"
    folders:
      - name: money
        includes: [revenue, returns_revenue]
  - name: finance
    cubes:
      - join_path: orders
        includes:
          - name: revenue
            alias: income
  - name: other
    cubes:
      - join_path: orders
        includes: "*"
        excludes: [revenue]
`,
  'agents/certified_queries/q.md':
    '---\nuser_request: q\n---\nSELECT MEASURE(revenue) AS revenue, returns_revenue, MEASURE(s.revenue) FROM sales s ORDER BY revenue\n',
  'agents/eval_questions.yml':
    "eval_questions:\n  - sql: SELECT income, 'revenue' FROM finance\n  - sql: SELECT other.revenue FROM other\n",
  '.analytics-chat/access.yml':
    'access:\n  - only: { revenue: 1, orders.revenue: 1, "sales.revenue": 1, finance.income: 1 }\n',
};

function namesOf(all: Files): ModelNames {
  const steps = findUnknownNames(projectOf(all));
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** @returns the files after a rename */
function renamed(all: Files, member: RenamedMember, newName: string): Files {
  const { model, agent } = projectOf(all);
  const references = [...model, ...agent].map((file) => [file.path, referencesIn(file)] as const);
  const edits = renameEdits(model, references, namesOf(all), member, newName);
  const after = { ...all };
  for (const { path, start, end, text } of edits.sort((left, right) => right.start - left.start))
    after[path] = after[path]!.slice(0, start) + text + after[path]!.slice(end);
  return after;
}

/** The lines that differ, without indentation. */
const changed = (before: Files, after: Files): string[] =>
  Object.keys(before).flatMap((path) => {
    const lines = before[path]!.split('\n');
    return after[path]!.split('\n').flatMap((line, index) => (line === lines[index] ? [] : [line.trim()]));
  });

describe('rename of a member', () => {
  it('changes its definition, all references, and its names in other cubes and in views', () => {
    const after = renamed(files, { owner: 'orders', name: 'revenue' }, 'turnover');
    assert.deepEqual(changed(files, after), [
      '- name: turnover',
      "sql: '{turnover} - {CUBE.costs}'",
      'drill_members: [turnover]',
      'measures: { rate: { sql: `${CUBE.turnover} / ${orders.turnover}` }, revenues: { sql: `1` } },',
      'includes: [turnover]',
      'includes: [turnover, returns_turnover]',
      '- name: turnover',
      'excludes: [turnover]',
      'SELECT MEASURE(turnover) AS revenue, returns_turnover, MEASURE(s.turnover) FROM sales s ORDER BY revenue',
      '- only: { turnover: 1, orders.turnover: 1, "sales.turnover": 1, finance.income: 1 }',
    ]);
    assert.deepEqual(unknownNames(after), ['agents/eval_questions.yml:3 revenue']);
  });

  it('changes the alias that a view gives to a member, and not its cube', () => {
    assert.deepEqual(changed(files, renamed(files, { owner: 'finance', name: 'income' }, 'earnings')), [
      'alias: earnings',
      "- sql: SELECT earnings, 'revenue' FROM finance",
      '- only: { revenue: 1, orders.revenue: 1, "sales.revenue": 1, finance.earnings: 1 }',
    ]);
  });

  it('changes what still has the old name after the member was renamed by hand', () => {
    const byHand = {
      ...files,
      'model/orders.yml': files['model/orders.yml']!.replace('name: revenue', 'name: revenue_net'),
    };
    const names = namesOf(byHand);
    const member = { owner: 'orders', name: 'revenue' };
    // A view lacks the member because its cube does.
    assert.deepEqual(renamedMember(names, { owner: 'returns', name: 'revenue' }, 'revenue_net'), {
      ...member,
      newName: 'revenue_net',
    });
    assert.deepEqual(renamedMember(names, { owner: 'sales', name: 'returns_revenue' }, 'returns_revenue_net'), {
      ...member,
      newName: 'revenue_net',
    });
    assert.deepEqual(renamedMember(names, { owner: 'sales', name: 'revenue' }, 'revenue_net'), {
      ...member,
      newName: 'revenue_net',
    });
    const inQuery = linted(projectOf(byHand)).filter(({ path, isIndirect }) => path.endsWith('q.md') && isIndirect);
    assert.deepEqual(
      inQuery.map(({ name, nearest }) => [name, nearest]),
      Array(2).fill(['revenue', ['revenue_net']]),
    );
    assert.ok(!unknownNames(byHand).some((each) => each.endsWith(' income')), 'the alias stays');
    const after = renamed(byHand, member, 'revenue_net');
    assert.deepEqual(unknownNames(after), ['agents/eval_questions.yml:3 revenue']);
    assert.deepEqual(after, renamed(files, member, 'revenue_net'), 'as if it had been renamed everywhere at once');
  });
});
