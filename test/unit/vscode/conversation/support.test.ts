import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { connectionTo } from '../../chat/support/sessions.ts';

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

  it('contains no key, also if the question contains it', async () => {
    const copied: string[] = [];
    const { copyAsCurl } = await loadWithEditor<{ copyAsCurl(app: object): Promise<void> }>(
      'vscode/conversation/support.ts',
      {
        env: { clipboard: { writeText: (text: string) => Promise.resolve(copied.push(text)) } },
        window: { showInformationMessage: () => undefined },
      },
    );
    await copyAsCurl({
      connector: { connect: () => Promise.resolve(connectionTo({ url: 'https://agent.example/chat' })) },
      log: { redactDocument: (text: string) => text.replace('the-key', '[redacted]') },
      sessions: {
        ...{ active: { thread: emptyThread('t') }, homeOf: () => undefined },
        draft: () => ({ text: 'why is the-key rejected?', images: [] }),
      },
    });
    assert.match(copied.join(), /why is \[redacted\] rejected\?/);
  });
});
