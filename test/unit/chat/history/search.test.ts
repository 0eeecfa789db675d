import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { search, type SearchHit } from '../../../../src/chat/history/search.ts';
import { metaOf } from '../../../../src/chat/history/storedThread.ts';
import { encodeThread } from '../../../../src/chat/history/threadFile.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import type { Thread } from '../../../../src/shared/thread/model.ts';
import { collect } from '../../../support/collect.ts';
import { withItems } from '../../../support/item.ts';
import { bytesOf, makeThread, textItem } from './support/stores.ts';

const marked = ({ snippet, ranges }: SearchHit): string[] => ranges.map(([start, end]) => snippet.slice(start, end));
const withText = (id: string, content: string): Thread => withItems(makeThread(id, 1), textItem('text', { content }));

/** @returns the hits in the files of threads */
async function find(
  threads: readonly Thread[],
  query: string,
  { signal, change = (file) => file }: { signal?: AbortSignal; change?: (file: string) => string } = {},
): Promise<SearchHit[]> {
  const metas = threads.map((thread) => metaOf(thread));
  const read = async (id: string): Promise<Uint8Array> => {
    const at = metas.findIndex((meta) => meta.id === id);
    const stored = { thread: threads[at]!, meta: metas[at]!, draft: emptyDraft };
    return Buffer.from(change((await bytesOf(encodeThread(stored, (item) => item))).toString()));
  };
  return collect(search(metas, read, query, signal));
}

/** The hit in one text of a thread without a title. */
const hitIn = async (content: string, query: string): Promise<SearchHit | undefined> =>
  (await find([{ ...makeThread('a', 1), turns: [{ id: '', items: [textItem('x', { content })] }] }], query))[0];

describe('a history search', () => {
  it('finds titles first, then contents, and marks the matches', async () => {
    const hits = await find([withText('a', 'Revenue of the last quarter grew.'), makeThread('quarter')], 'QUARTER');
    assert.deepEqual(
      hits.map((hit) => [hit.meta.id, hit.where, marked(hit)]),
      [
        ['quarter', 'title', ['quarter']],
        ['a', 'content', ['quarter']],
      ],
    );
  });

  it('requires all words in the same text, in any order', async () => {
    const threads = [withText('a', 'net revenue by region'), withText('b', 'revenue'), withText('c', 'region')];
    const hits = await find(threads, ' region  revenue ');
    assert.deepEqual(
      hits.map((hit) => [hit.meta.id, marked(hit)]),
      [['a', ['revenue', 'region']]],
    );
    assert.deepEqual(await find(threads, '   '), []);
  });

  it('finds questions, generated SQL and the cells of results, with their neighbors', async () => {
    const schema = ['city', 'owner', 'count'].map((name) => ({ name, column_type: 'string' }));
    const data = [
      ['Berlin', 'Ana "A." Lima', 1],
      ['Kraków', null, '90071992547409931'],
    ];
    const sqlQuery = 'SELECT "orders"."status", MEASURE(orders.total)/MEASURE(orders.count) FROM orders';
    // The service escapes slashes.
    const input = JSON.stringify({ sqlQuery }).replace('/', '\\/');
    const toolCall = { name: 'svcSqlApi', input, result: JSON.stringify({ schema, data, totalRows: 2 }) };
    const threads = [withItems(makeThread('a', 3), textItem('tool', { toolCall }))];
    for (const [query, words, around] of [
      ['2 question', ['Question', '2'], /^Question 2 of a\?$/],
      ['"orders"."status"', ['"orders"."status"'], /FROM orders/],
      ['total)/measure', ['total)/MEASURE'], /FROM orders/],
      ['kraków 90071992547409931', ['Kraków', '90071992547409931'], /Berlin · Ana/],
      ['"a."', ['"A."'], /Berlin · Ana/],
    ] as const) {
      const [hit] = await find(threads, query);
      assert.deepEqual([hit?.where, hit && marked(hit)], ['content', words]);
      assert.match(hit!.snippet, around);
    }
    assert.deepEqual(await find(threads, 'null'), []);
  });

  it('finds text that the file escapes', async () => {
    const change = (file: string): string => file.replace('é', '\\u00e9').replace('a/b', 'a\\/b');
    for (const query of ['café', 'a/b'])
      assert.equal((await find([withText('a', 'café a/b')], query, { change })).length, 1, query);
  });

  it('shows 160 characters of the text from 40 before the match, on one line', async () => {
    const [x, y] = [(count: number) => 'x'.repeat(count), (count: number) => 'y'.repeat(count)];
    for (const [content, snippet] of [
      ['needle', 'needle'],
      [`${x(40)}needle${y(114)}`, `${x(40)}needle${y(114)}`],
      [`${x(41)}needle${y(114)}`, `…${x(40)}needle${y(114)}`],
      [`needle${y(155)}`, `needle${y(154)}…`],
      [`🙂${x(39)}needle`, `…${x(39)}needle`],
      [`needle${y(153)}🙂`, `needle${y(153)}…`],
      ['a\n\tneedle 🙂\u2028b', 'a  needle 🙂 b'],
    ] as const) {
      const hit = await hitIn(content, 'needle');
      assert.equal(hit?.snippet, snippet);
      assert.deepEqual(marked(hit), ['needle']);
    }
  });

  it('marks the longest of the words where several begin, the first of several, and letters with other forms', async () => {
    for (const [content, query, words] of [
      ['net revenue (a.b)', 'rev revenue (a.b)', ['revenue', '(a.b)']],
      [`alpha${'x'.repeat(300)} beta`, 'beta alpha', ['alpha']],
      [`${'x '.repeat(9000)}needle${' y'.repeat(9000)}`, 'needle', ['needle']],
      ['orders of İstanbul', 'istanbul', ['İstanbul']],
      ['ΟΔΟΣΤΡΩΜΑ', 'οδος', ['ΟΔΟΣ']],
    ] as const) {
      const hit = await hitIn(content, query);
      assert.deepEqual(hit && marked(hit), words);
    }
  });

  it('ends when it is canceled, before the next thread', async () => {
    const controller = new AbortController();
    const change = (file: string): string => (controller.abort(), file);
    const threads = ['a', 'b'].map((id) => withText(id, 'needle'));
    assert.equal((await find(threads, 'needle', { signal: controller.signal, change })).length, 1);
  });

  it('finds and marks every word of every text, in any script', async () => {
    const character = fc.constantFrom(...'abÄßİıΣςσ日本🙂é"\\ \n');
    const text = fc.array(character, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        for (const word of content.split(/\s+/u).filter((part) => part !== '')) {
          const hit = await hitIn(content, word);
          assert.ok(hit, `${word} in ${content}`);
          for (const found of marked(hit)) assert.ok(found.length >= word.length);
        }
      }),
    );
  });
});
