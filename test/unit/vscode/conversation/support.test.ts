import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('the cURL command of a question', () => {
  it('is refused with the reason without a question', async () => {
    const shown: string[] = [];
    const { copyAsCurl } = await loadWithEditor<{ copyAsCurl(app: object): Promise<void> }>(
      'vscode/conversation/support.ts',
      { window: { showInformationMessage: (text: string) => shown.push(text) } },
    );
    const sessions = { active: { thread: emptyThread('t') }, draft: () => ({ text: '', images: [] }) };
    await copyAsCurl({ sessions });
    assert.match(shown.join(), /Ask a question first/);
  });
});
