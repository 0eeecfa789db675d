import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Draft } from '../../../../src/shared/protocol/chat.ts';
import {
  announce,
  attach,
  attachComposer,
  attachFocus,
  compose,
  focusOn,
  mounted,
} from '../../../../webview/app/mounted.ts';

const draft = (text: string): Draft => ({ text, images: [] });
const composer = (got: string[]) => ({
  onCompose: ({ text }: Draft) => void got.push(text),
  ...{ onEdit: () => undefined, onSent: () => undefined, onDraft: () => undefined, onFiles: () => undefined },
});

describe('The mounted parts of a page', () => {
  it('get the drafts that came before the composer once, in order, and later ones at once', () => {
    const [first, second]: string[][] = [[], []];
    for (const text of ['a', 'b']) compose(draft(text));
    const detach = attachComposer(composer(first!));
    assert.deepEqual(first, ['a', 'b']);
    compose(draft('c'));
    detach();
    compose(draft('d'));
    attachComposer(composer(second!))();
    assert.deepEqual([first, second], [['a', 'b', 'c'], ['d']]);
  });

  it('are replaced by others, and detached only by themselves', () => {
    const said: string[] = [];
    const detach = attach('status', (text) => said.push(`first ${text}`));
    const detachNext = attach('status', (text) => said.push(`next ${text}`));
    detach();
    announce('x');
    detachNext();
    announce('y');
    assert.deepEqual(said, ['next x']);
    assert.equal(mounted.status, undefined);
  });

  it('get the focus when they are attached if it was asked for before, once and only the last one', () => {
    const focused: string[] = [];
    const attached = (what: 'find' | 'history', name: string) => attachFocus(what, () => focused.push(name));
    focusOn('history');
    focusOn('find');
    const detachHistory = attached('history', 'history');
    const detach = attached('find', 'find');
    assert.deepEqual(focused, ['find']);
    const detachNext = attached('find', 'next');
    detach();
    focusOn('find');
    detachNext();
    focusOn('find');
    focusOn('history');
    attached('find', 'late')();
    detachHistory();
    assert.deepEqual(focused, ['find', 'next', 'history']);
  });
});
