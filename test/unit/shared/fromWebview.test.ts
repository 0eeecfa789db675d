import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromWebview } from '../../../src/shared/protocol/fromWebview.ts';

describe('messages from a webview', () => {
  it('are accepted with every field of the declared type', () => {
    assert.ok(isFromWebview({ type: 'renameThread', threadId: 't', title: 'Orders' }));
    assert.ok(isFromWebview({ type: 'attachUris', uris: ['file:///a'] }));
    assert.ok(isFromWebview({ type: 'pickImage' }));
    assert.ok(isFromWebview({ type: 'errorAction', action: 'retry' }));
    assert.ok(isFromWebview({ type: 'threadAct', act: 'pin', threadId: 't' }));
  });

  it('are rejected with missing fields, fields of other types, and unknown or inherited types', () => {
    for (const message of [
      { type: 'renameThread', threadId: 't' },
      { type: 'renameThread', threadId: 1, title: 'Orders' },
      { type: 'attachUris', uris: [1] },
      { type: 'saveChart', toolCallId: 'q', format: 'exe', data: '' },
      { type: 'listThreads', query: '', count: 0.5 },
      { type: 'command', name: 'workbench.action.quit' },
      { type: 'openLink' },
      { type: 'errorAction', action: 'toString' },
      { type: 'errorAction', action: ['retry'] },
      { type: 'threadAct', act: 'constructor', threadId: 't' },
      { type: 'threadAct', act: 'pin' },
      { type: 'unknown' },
      { type: 'constructor' },
      {},
      null,
      'pickImage',
    ])
      assert.ok(!isFromWebview(message), JSON.stringify(message));
  });
});
