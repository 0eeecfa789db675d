import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import type { Item } from '../../../../src/shared/thread/model.ts';
import { TurnStream, type Part } from '../../../../src/vscode/native/turnStream.ts';
import { makeItem } from '../support.ts';

const item = (id: string, content: string, more: Partial<Item> = {}): Item =>
  makeItem(id, { content, inProcess: true, ...more });

const call = (id: string, name: string, input: object, more: Partial<Item> = {}): Item =>
  item(id, '', { toolCall: { name, input: JSON.stringify(input) }, ...more });

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
const tell = (telling: TurnStream, steps: readonly Item[], answer?: Item): Part[] =>
  telling.next({ id: 'k', items: [], steps, ...(answer ? { answer } : {}) });

describe("streaming a turn to VS Code's chat", () => {
  it('sends each piece of the answer once', () => {
    const telling = new TurnStream();
    const told = ['Re', 'Revenue', 'Revenue rose', 'Revenue rose'].map((text) =>
      textOf(tell(telling, [], item('a', text))),
    );
    assert.deepEqual(told, ['Re', 'venue', ' rose', '']);
    assert.equal(textOf(tell(telling, [], item('final', 'Revenue rose. Much! ', { inProcess: false }))), '. Much!');
  });

  it('starts a paragraph when the answer turns out to be another text', () => {
    const telling = new TurnStream();
    tell(telling, [], item('a', 'I look it up.'));
    assert.equal(textOf(tell(telling, [item('a', 'I look it up.')], item('b', 'It rose.'))), '\n\nIt rose.');
  });

  it('reports each tool call once, with what it is about, before the text', () => {
    const query = { sqlQuery: 'SELECT 1', queryTitle: 'One' };
    const queries = ['q', 'q2'].map((id) => call(id, 'svcSqlApi', query));
    const calls = [call('m', 'svcMeta', { searchQuery: 'money' }), ...queries, call('r', 'readReport', {})];
    const telling = new TurnStream();
    assert.deepEqual(tell(telling, [item('note', 'I look it up.'), ...calls], item('a', 'It rose.')), [
      ...['Searching the data model: money', 'Running SQL: One', 'Running SQL: One', 'readReport'].map((text) => ({
        kind: 'progress',
        text,
      })),
      { kind: 'text', text: 'It rose.' },
    ]);
    assert.deepEqual(tell(telling, [call('q', 'svcSqlApi', query, { inProcess: false })]), []);
  });

  it('never shows an image, however its text is split, even if it contains backslashes', () => {
    for (let backslashes = 0; backslashes < 5; backslashes += 1) {
      const full = `${'\\'.repeat(backslashes)}![x](https://evil.example/?q=1)`;
      const telling = new TurnStream();
      let told = '';
      for (let end = 1; end <= full.length; end += 1) told += textOf(tell(telling, [], item('a', full.slice(0, end))));
      assert.doesNotMatch(new MarkdownIt().render(told), /<img/, full);
    }
  });
});
