/** Steps of the walkthrough that are completed in a page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { loadWithEditor } from '../../support/withEditor.ts';
import { repoRoot } from '../../vscode/paths.ts';

describe('a step of the walkthrough', () => {
  it('is ticked when it is done with a button of a page', async () => {
    const set: unknown[] = [];
    const { tickStep } = await loadWithEditor<{ tickStep: (intent: string) => void }>('vscode/host/walkthrough.ts', {
      commands: { executeCommand: (...words: unknown[]) => set.push(words) },
    });
    const manifest = readFileSync(join(repoRoot, 'package.json'), 'utf8');
    const steps = [...manifest.matchAll(/onContext:analyticsChat\.used\.(\w+)/g)].map(([, step = '']) => step);
    for (const intent of [...steps, 'stop']) tickStep(intent);
    assert.deepEqual(steps, ['openSample', 'insertSql', 'switchBranch']);
    assert.deepEqual(
      set,
      steps.map((step) => ['setContext', `analyticsChat.used.${step}`, true]),
    );
  });
});
