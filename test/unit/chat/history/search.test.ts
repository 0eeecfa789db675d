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
import { bytesOf, inFolder, makeThread, openFolder, textItem, saveNow } from './support/stores.ts';

async function find(threads: readonly Thread[], query: string): Promise<SearchHit[]> {
  let hits: SearchHit[] = [];
  await inFolder(async (folder) => {
    const { history } = await openFolder(folder);
    for (const thread of threads) await saveNow(history, thread);
    hits = await collect(history.search(query));
  });
  return hits;
}

const marked = ({ snippet, ranges }: SearchHit): string[] => ranges.map(([start, end]) => snippet.slice(start, end));
const withText = (id: string, content: string): Thread => {
  const thread = makeThread(id, 1);
  return withItems(thread, textItem('text', { content, sort: 7 }));
};

/** The hit in one text, without a file. */
const hitIn = async (
  content: string,
  query: string,
  change = (file: string) => file,
): Promise<SearchHit | undefined> => {
  const thread = { ...makeThread('a', 1), turns: [{ id: '', items: [textItem('x', { content })] }] };
  const meta = { ...metaOf(thread, 0), title: '' };
  const bytes = await bytesOf(encodeThread({ thread, meta, draft: emptyDraft }, (item) => item));
  const file = Buffer.from(change(bytes.toString()));
  const [hit] = await collect(search([meta], () => Promise.resolve(file), query));
  return hit;
};

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

  it('finds generated SQL, including quotes, and slashes that the service escapes', async () => {
    const sqlQuery = 'SELECT "orders"."status", MEASURE(orders.total)/MEASURE(orders.count) FROM orders';
    const input = JSON.stringify({ sqlQuery }).replace('/', '\\/');
    const toolCall = { name: 'svcSqlApi', input, result: '{}' };
    const thread = makeThread('a', 1);
    for (const query of ['"orders"."status"', 'total)/measure']) {
      const hits = await find([withItems(thread, textItem('tool', { toolCall }))], query);
      assert.deepEqual(
        hits.map(({ where }) => where),
        ['content'],
      );
    }
  });

  it('finds cells of a result, with their neighbors', async () => {
    const schema = ['city', 'owner', 'count'].map((name) => ({ name, column_type: 'string' }));
    const data = [
      ['Berlin', 'Ana "A." Lima', 1],
      ['Kraków', null, '90071992547409931'],
    ];
    const result = JSON.stringify({ schema, data, totalRows: 2 });
    const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: 'SELECT 1' }), result };
    const thread = makeThread('a', 1);
    const threads = [withItems(thread, textItem('tool', { toolCall }))];
    for (const [query, words] of [
      ['kraków 90071992547409931', ['Kraków', '90071992547409931']],
      ['"a."', ['"A."']],
    ] as const) {
      const [hit] = await find(threads, query);
      assert.equal(hit?.where, 'content');
      assert.deepEqual(marked(hit), words);
      assert.match(hit.snippet, /Berlin · Ana/);
    }
    assert.deepEqual(await find(threads, 'null'), []);
  });

  it('finds matches far down in a long text, with an excerpt', async () => {
    const [hit] = await find([withText('a', `${'x '.repeat(9000)}needle${' y'.repeat(9000)}`)], 'needle');
    assert.ok(hit && hit.snippet.length < 200);
    assert.deepEqual(marked(hit), ['needle']);
  });

  it('finds text that the file escapes', async () => {
    const escaped = (file: string): string => file.replace('é', '\\u00e9').replace('a/b', 'a\\/b');
    for (const query of ['café', 'a/b']) assert.ok(await hitIn('café a/b', query, escaped), query);
  });

  it('finds every question, not only the one in the title', async () => {
    const [hit] = await find([makeThread('a', 3)], '2 question');
    assert.deepEqual([hit?.where, hit?.snippet], ['content', 'Question 2 of a?']);
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

  it('marks the longest of the words where several begin, and signs of regular expressions as they are', async () => {
    const hit = await hitIn('net revenue (a.b)', 'rev revenue (a.b)');
    assert.deepEqual(hit && marked(hit), ['revenue', '(a.b)']);
  });

  it('shows the first of several words', async () => {
    const hit = await hitIn(`alpha${'x'.repeat(300)} beta`, 'beta alpha');
    assert.deepEqual(hit && marked(hit), ['alpha']);
  });

  it('finds a Turkish capital letter by its plain lowercase letter', async () => {
    assert.deepEqual((await find([withText('a', 'orders of İstanbul')], 'istanbul')).map(marked), [['İstanbul']]);
  });

  it('finds a Greek word by its prefix, despite the final sigma', async () => {
    assert.deepEqual((await find([withText('a', 'ΟΔΟΣΤΡΩΜΑ')], 'οδος')).map(marked), [['ΟΔΟΣ']]);
  });

  it('ends when it is canceled', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      for (let at = 0; at < 20; at += 1) await saveNow(history, withText(`t${at}`, 'needle'));
      const controller = new AbortController();
      const seen: SearchHit[] = [];
      for await (const hit of history.search('needle', controller.signal)) {
        seen.push(hit);
        controller.abort();
      }
      assert.equal(seen.length, 1);
    }));

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
