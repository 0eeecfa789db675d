/** Which files of a project have question tests, with the usual folder of the platform's files and with another one. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { kindOfFile, questionTestPaths } from '../../../../src/evals/files/layout.ts';
import { agentsPathOf } from '../../../../src/shared/text/agentsPath.ts';
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';
import { file, list, question } from './support.ts';

/** @returns the files of a project in which these and their folders exist */
const found = (files: readonly string[], agentsPath = 'agents'): Promise<string[]> =>
  questionTestPaths((folder) => {
    const inside = files.filter((path) => path.startsWith(`${folder}/`));
    return Promise.resolve([...new Set(inside.map((path) => path.slice(folder.length + 1).split('/')[0]!))]);
  }, agentsPath);

describe('the files with question tests', () => {
  it('are found in reading order, and recognized by their paths', async () => {
    const files = [
      'agents/config.yml',
      'agents/eval_questions.yaml',
      'agents/eval_questions/a.yml',
      'agents/certified_queries/README_users.md',
      'agents/certified_queries/a.md',
      'agents/certified_queries/sales/a.md',
      'agents/certified-queries/a.md',
      'agents/queries/a.md',
      'agents/queries/sales/b.md',
      '.analytics-chat/access.yml',
      '.analytics-chat/questions.yml',
      '.analytics-chat/baselines/a.yml',
    ];
    assert.deepEqual(await found(files.toReversed()), files);
    for (const path of files) assert.ok(kindOfFile(path), path);
  });

  it('are no others', async () => {
    const others = [
      'agents/eval_questions/deep/a.yml',
      'agents/readme.md',
      'agents/certified_queries/README.md',
      'agents/certified_queries/sales/README.md',
      'agents/certified_queries/sales/old/a.md',
      'agents/queries/readme.md',
      'x/agents/eval_questions.yml',
      '.analytics-chat/access/a.yml',
      '.analytics-chat/baselines/sales/a.yml',
    ];
    assert.deepEqual(await found(others), []);
    for (const path of others) assert.equal(kindOfFile(path), undefined, path);
  });

  it('are in the folder that the user sets, and only there', async () => {
    const files = ['bi/agents/eval_questions.yml', '.analytics-chat/questions.yml'];
    assert.deepEqual(await found(['agents/eval_questions.yml', ...files], 'bi/agents'), files);
    const { questions } = readQuestionSet(
      [file(list(question('a'))), file(list(question('b')), 'bi/agents/eval_questions.yml')],
      'bi/agents',
    );
    assert.deepEqual(
      questions.map(({ path }) => path),
      ['bi/agents/eval_questions.yml'],
    );
  });

  it('are in no folder outside of the project', () => {
    assert.equal(agentsPathOf(' ./bi\\agents/ '), 'bi/agents');
    for (const path of ['../agents', 'bi/../../agents', '/agents', 'C:\\agents', '\\agents', '.', ''])
      assert.equal(agentsPathOf(path), undefined, path);
  });
});
