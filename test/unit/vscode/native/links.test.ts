import assert from 'node:assert/strict';
import fc from 'fast-check';
import { before, beforeEach, describe, it } from 'mocha';
import { readLink } from '../../../../src/vscode/native/consent.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { anyText } from '../../../support/text.ts';

interface Handler {
  handleUri: (uri: { path: string; query: string }) => void;
}

describe('a link to the extension', () => {
  it('opens a thread by its id', () => {
    assert.deepEqual(readLink('/thread', 'id=0b-1_z'), { kind: 'thread', threadId: '0b-1_z' });
    assert.equal(readLink('/thread', 'id=../../secrets'), undefined);
    assert.equal(readLink('/thread', ''), undefined);
  });

  it('asks the whole text, without characters that would disguise it', () => {
    assert.deepEqual(readLink('/ask', 'text=a & b = c+d?'), { kind: 'ask', text: 'a & b = c+d?' });
    assert.deepEqual(readLink('/ask', 'text=revenue+by+month'), { kind: 'ask', text: 'revenue by month' });
    assert.deepEqual(readLink('/ask', 'text=one\u202etwo\u200b\u0007'), { kind: 'ask', text: 'onetwo' });
    assert.deepEqual(readLink('/ask', 'text=one\ufe0f\u{e0141}\u3164two'), { kind: 'ask', text: 'onetwo' });
    assert.equal(readLink('/ask', 'text= \u200b '), undefined);
    assert.equal(readLink('/ask', `text=${'a'.repeat(2001)}`), undefined);
  });

  it('does nothing else, whatever it contains', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (path, query) => {
        fc.pre(path !== 'thread' && path !== 'ask');
        assert.equal(readLink(`/${path}`, query), undefined);
      }),
    );
    assert.equal(readLink('/ask', 'chatApiUrl=https://evil.example&text=x'), undefined);
  });
});

describe('a link that is followed', () => {
  let handler: Handler;
  let handled: Promise<unknown> = Promise.resolve();
  let done: string[] = [];
  /** The button of the confirmation that the user chooses. */
  let choice: string | undefined;
  /** The text of the confirmation. */
  let detail = '';

  const services = {
    log: { warn: (text: string) => done.push(text) },
    guarded: (work: () => Promise<unknown>) => (handled = work()),
    repository: {
      restore: () => Promise.resolve(done.push('restore')),
      open: (id: string) => Promise.resolve(`the chat ${id}`),
    },
    sessions: {
      create: () => ({ send: ({ text }: { text: string }) => Promise.resolve(done.push(`send ${text}`)) }),
    },
    views: {
      reveal: (session: string) => Promise.resolve(done.push(`show ${session}`)),
      focus: () => Promise.resolve(done.push('show a new chat')),
    },
    branches: { label: 'main' },
    connections: { current: undefined },
    identities: { current: 'me' },
  };

  before(async () => {
    const { handleLinks } = await loadWithEditor<{ handleLinks: (services: object) => Handler }>(
      'vscode/native/nativeArea.ts',
      {
        window: {
          registerUriHandler: (registered: Handler) => registered,
          showInformationMessage: (_text: string, options: { detail: string }) => {
            ({ detail } = options);
            return Promise.resolve(choice);
          },
        },
      },
    );
    handler = handleLinks(services);
  });
  beforeEach(() => {
    [done, choice] = [[], undefined];
  });

  const follow = (path: string, query: string): Promise<unknown> => {
    handler.handleUri({ path, query });
    return handled;
  };

  it('shows the thread with its id, after the history was read', async () => {
    await follow('/thread', 'id=one');
    assert.deepEqual(done, ['restore', 'show the chat one']);
  });

  it('asks its question in a new chat only if the user confirms', async () => {
    await follow('/ask', 'text=orders');
    assert.deepEqual(done, ['restore']);
    choice = 'Ask';
    await follow('/ask', 'text=orders');
    assert.deepEqual(done.slice(2), ['show a new chat', 'send orders']);
  });

  it('asks for confirmation with the whole question, and the branch and identity that it is asked with', async () => {
    const text = `${'a '.repeat(900)}end`;
    await follow('/ask', `text=${text}`);
    assert.equal(detail, `on branch “main” as “me”\n\n${text}`);
  });

  it('is ignored and named in the log if it is of no known form', async () => {
    await follow('/settings', 'chatApiUrl=https://elsewhere.example');
    assert.deepEqual(done, ['restore', 'A link was ignored: "/settings"']);
  });
});
