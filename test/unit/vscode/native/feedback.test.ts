import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('feedback on an answer in the editor chat', () => {
  it('is logged with the thread of the answer', async () => {
    const nothing = { dispose: () => undefined };
    let give: (feedback: object) => void = () => assert.fail('nobody listens');
    const { offerNatively } = await loadWithEditor<{ offerNatively(app: object): unknown }>(
      'vscode/native/registerNative.ts',
      {
        ChatResultFeedbackKind: { Unhelpful: 0, Helpful: 1 },
        Disposable: { from: () => nothing },
        Uri: { joinPath: () => undefined },
        chat: {
          createChatParticipant: () => ({
            onDidReceiveFeedback: (listener: typeof give) => {
              give = listener;
              return nothing;
            },
          }),
        },
        lm: { registerTool: () => nothing },
        window: { registerUriHandler: () => nothing },
      },
    );
    const logged: string[] = [];
    offerNatively({ context: {}, log: { info: (text: string) => logged.push(text), error: assert.fail } } as never);
    give({ kind: 1, result: { metadata: { threadId: 't1' } } });
    give({ kind: 0, result: {} });
    assert.deepEqual(
      logged.map((text) => /(helpful|unhelpful) \(thread (\w+)\)/.exec(text)?.slice(1)),
      [
        ['helpful', 't1'],
        ['unhelpful', 'unknown'],
      ],
    );
  });
});
