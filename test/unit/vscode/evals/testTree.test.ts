/** The results of tests, for the actions in their menus. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { questionNamed } from '../../evals/support.ts';

const actual = { sql: 'SELECT 1', table: { columns: [], rows: [], totalRows: 0 } };
const results: Record<string, object> = {
  open: { status: 'skipped', attempt: { actual } },
  other: { status: 'failed', attempt: { actual }, expectation: { from: 'baseline' } },
  passed: { status: 'passed', attempt: { actual }, expectation: { from: 'baseline' } },
  sql: { status: 'failed', attempt: { actual }, expectation: { from: 'sql' } },
  certified: { status: 'failed', attempt: { actual }, expectation: { from: 'certifiedQuery' } },
  access: {
    status: 'failed',
    attempt: { actual },
    question: questionNamed('a', { access: { kind: 'empty' } as never }),
  },
  part: { status: 'review', attempt: { actual: { ...actual, loadError: 'Can’t load all rows.' } } },
  none: { status: 'failed', attempt: {} },
};

describe('Accept as Expected', () => {
  it('is offered for results that can become the expected ones, until their test is gone', async () => {
    let offered: unknown;
    const editor = {
      commands: { executeCommand: (...words: unknown[]) => Promise.resolve((offered = words)) },
    };
    type Results = { keep(result: object): void; retain(ids: ReadonlySet<string>): void };
    const { TestResults } = await loadWithEditor<{ TestResults: new () => Results }>(
      'vscode/evals/testTree.ts',
      editor,
    );
    const kept = new TestResults();
    for (const [id, verdict] of Object.entries(results) as [string, Partial<Verdict>][])
      kept.keep({ test: { item: { id } }, verdict: { question: questionNamed(id), ...verdict } });
    assert.deepEqual(offered, ['setContext', 'analyticsChat.acceptableTests', ['open', 'other']]);
    kept.retain(new Set(['open']));
    assert.deepEqual(offered, ['setContext', 'analyticsChat.acceptableTests', ['open']]);
  });
});
