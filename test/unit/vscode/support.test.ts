import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../support/withEditor.ts';

describe('the cURL command of a question', () => {
  for (const [what, argument, words] of [
    ['without a question', undefined, /Ask a question first/],
    ['with an unknown id', { messageId: 'other' }, /no question with this id/],
  ] as const)
    it(`is refused with the reason ${what}`, async () => {
      const shown: string[] = [];
      const { copyAsCurl } = await loadWithEditor<{ copyAsCurl(app: object, argument: unknown): Promise<void> }>(
        'vscode/commands/support.ts',
        { window: { showInformationMessage: (text: string) => shown.push(text) } },
      );
      const active = { thread: emptyThread('t') };
      const sessions = { active, all: [active], draft: () => ({ text: '', images: [] }) };
      await copyAsCurl({ sessions }, argument);
      assert.match(shown.join(), words);
    });
});
