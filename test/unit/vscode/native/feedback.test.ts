import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('feedback on an answer in the editor chat', () => {
  it('is logged with the thread of the answer', async () => {
    const nothing = { dispose: () => undefined };
    let give: (feedback: object) => unknown = () => assert.fail('nobody listens');
    const editor = {
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
    };
    const { offerNatively } = await loadWithEditor<{ offerNatively(extension: object, load: () => unknown): unknown }>(
      'vscode/native/offerNatively.ts',
      editor,
    );
    const { nativeHandlers } = await loadWithEditor<{ nativeHandlers(services: object): unknown }>(
      'vscode/native/nativeArea.ts',
      editor,
    );
    const logged: string[] = [];
    const log = { info: (text: string) => logged.push(text), error: assert.fail };
    offerNatively({}, () => Promise.resolve(nativeHandlers({ log })));
    await give({ kind: 1, result: { metadata: { threadId: 't1' } } });
    await give({ kind: 0, result: {} });
    assert.deepEqual(
      logged.map((text) => /(helpful|unhelpful) \(thread (\w+)\)/.exec(text)?.slice(1)),
      [
        ['helpful', 't1'],
        ['unhelpful', 'unknown'],
      ],
    );
  });
});
