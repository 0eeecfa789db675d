import assert from 'node:assert/strict';
import fc from 'fast-check';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import MarkdownIt from 'markdown-it';
import { exportJson, exportMarkdown, importJson } from '../../../../src/chat/history/export.ts';
import { metaOf } from '../../../../src/chat/history/storedThread.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread, type Item, type Thread } from '../../../../src/shared/thread/model.ts';
import type { ToolCall } from '../../../../src/shared/wire/streamLines.ts';
import { flat, makeItem, makeTurn, withItems } from '../../../support/item.ts';
import { about, ask, dispatch, inFolder, openFolder, plainly, saved, textItem } from './support/stores.ts';

const result = {
  sqlQuery: 'SELECT 1 -- ```',
  queryTitle: 'Orders by status',
  schema: [
    { name: 'orders.status', column_type: 'STRING' },
    { name: 'orders.count', column_type: 'NUMBER' },
  ],
  data: [
    ['a|b', '12'],
    [null, '9007199254740993'],
  ],
  totalRows: 245,
};

function conversation(answer = 'There are **21** orders.'): Thread {
  const asked = dispatch(emptyThread('a'), ask('1-message', 'How many orders?\nBy status.', 1_700_000_000_000));
  const tool = textItem('tool', {
    toolCall: { name: 'svcSqlApi', input: '{}', result: JSON.stringify(result) },
    graphPath: ['agent'],
    sort: 1,
  });
  const final = textItem('final', { content: answer, graphPath: ['agent', 'final'], sort: 2 });
  return dispatch({ ...withItems(asked, tool, final), chatId: 'chat-1' }, { type: 'finished' });
}

const markdownOf = (thread: Thread): string =>
  exportMarkdown({ thread, meta: metaOf(thread, 0), draft: { text: '', images: [] } });

describe('an exported thread', () => {
  it('says how an answer ended that was stopped or failed', () => {
    const asked = dispatch(emptyThread('a'), ask('1-message', 'Why?', 1));
    const error = { kind: 'server', message: 'The service is *down*.', actions: [] } as const;
    assert.match(markdownOf(dispatch(asked, { type: 'failed', error })), /^\*The service is .*down.*\*$/m);
    const stopped = dispatch(asked, { type: 'stopped', messageId: '1-message', service: 'stopped' });
    assert.match(markdownOf(stopped), /^\*Stopped\*$/m);
  });

  it('as Markdown contains the question, its context, the SQL, the rows and the answer', () => {
    const text = markdownOf(conversation());
    assert.match(text, /^# How many orders\? By status\.\n/);
    assert.match(text, /^> How many orders\?\n> By status\.$/m);
    assert.match(text, /2023-11-14T22:13:20\.000Z · branch main · as dev/);
    assert.match(text, /^````sql\nSELECT 1 -- ```\n````$/m);
    assert.match(text, /^\| a\\\|b \| 12 \|$/m);
    assert.match(text, /^\| NULL \| 9007199254740993 \|$/m);
    assert.match(text, /2 of 245 rows/);
    assert.match(text, /There are \*\*21\*\* orders\./);
  });

  it('as Markdown quotes the lines of a question, not parts between separators that are no line breaks there', () => {
    const text = markdownOf(dispatch(emptyThread('a'), ask('1-message', 'One\r\n\ntwo\u2028three', 1)));
    assert.ok(text.includes('\n\n> One\n> \n> two\u2028three\n\n'), text);
  });

  it('as Markdown has the parts of each turn in order', () => {
    const context = { branch: 'dev', isDefaultBranch: false, identity: 'a*b' };
    const png = { mimeType: 'image/png', data: '' };
    const call = (id: string, toolCall: ToolCall): Item => makeItem(id, { toolCall });
    const members = [{ name: 'o.a`\n`b' }, { name: 'o.c' }];
    const items = [
      call('m', { name: 'svcMeta', result: { searchQuery: 'orders *', cubes: [{ name: 'o', members }] } }),
      call('n', { name: 'svcMeta', input: { searchQuery: 'late' }, result: { error: 'too _many_' } }),
      call('s', {
        name: 'svcSqlApi',
        input: { sqlQuery: 'SELECT 1' },
        result: { schema: [{ name: 'n', column_type: 'number' }], data: [[1]] },
      }),
      call('f', {
        name: 'svcSqlApi',
        input: { sqlQuery: 'SELECT 2', queryTitle: 'Two *' },
        result: { error: 'failed' },
      }),
      call('w', { name: 'weather', input: 'Oslo' }),
      call('v', { name: 'weather', input: 'Rome', result: { error: 'Rain.' } }),
      makeItem('a', { content: 'Up.', graphPath: ['final'] }),
    ];
    const question = { id: 'q', content: 'Why?\nNow.', time: 0, context, images: [png, png] };
    const thread: Thread = {
      ...emptyThread('t'),
      turns: [
        { id: '', items: [makeItem('h', { content: 'Earlier <b>.' })] },
        { ...makeTurn(question, items), outcome: { state: 'done' } },
        makeTurn({ id: 'r', content: 'More?', time: 1000 }),
      ],
    };
    const meta = { ...metaOf(thread, 0), title: '' };
    assert.deepEqual(exportMarkdown({ thread, meta, draft: emptyDraft }).split('\n'), [
      '# New chat',
      '',
      'Earlier &lt;b>.',
      '',
      '## You',
      '',
      '> Why?',
      '> Now.',
      '',
      '*1970-01-01T00:00:00.000Z · branch dev · as a\\*b · 2 images*',
      '',
      '## Assistant',
      '',
      '### Model search: orders \\*',
      '',
      '`o.a b`, `o.c`',
      '',
      '### Model search: late',
      '',
      '*too \\_many\\_*',
      '',
      '### SQL query',
      '',
      '```sql',
      'SELECT 1',
      '```',
      '',
      '| n |',
      '| ---: |',
      '| 1 |',
      '',
      '*1 of 1 row*',
      '',
      '### Two \\*',
      '',
      '```sql',
      'SELECT 2',
      '```',
      '',
      '*failed*',
      '',
      '### weather',
      '',
      '```',
      'Oslo',
      '```',
      '',
      '### weather',
      '',
      '```',
      'Rome',
      '```',
      '',
      '```',
      '{',
      '  "error": "Rain."',
      '}',
      '```',
      '',
      '*Rain.*',
      '',
      'Up.',
      '',
      '## You',
      '',
      '> More?',
      '',
      '*1970-01-01T00:00:01.000Z*',
      '',
      '## Assistant',
      '',
    ]);
  });

  it('as JSON has the fields of the thread, and is imported with the valid ones', () => {
    const turns = [makeTurn({ id: 'q', content: 'How many?' }, [textItem('x', { inProcess: true })])];
    const thread = { ...emptyThread('t'), chatId: 'c', turns };
    const meta = { ...metaOf(thread, 5), title: 'Orders', origin: 'https://a.example' };
    const text = exportJson({ thread, meta, draft: emptyDraft }, 0);
    assert.match(text, /^\{\n {2}"format": "analytics-chat.thread",\n {2}"version": 2,\n/);
    assert.ok(text.endsWith('}\n'));
    const { exportedAt, ...file } = JSON.parse(text) as Record<string, unknown>;
    assert.equal(exportedAt, '1970-01-01T00:00:00.000Z');
    assert.deepEqual(file, {
      ...{ format: 'analytics-chat.thread', version: 2, title: 'Orders', chatId: 'c', origin: 'https://a.example' },
      ...{ createdAt: meta.createdAt, updatedAt: meta.updatedAt, turns },
    });
    const imported = importJson(`\ufeff${text}`, 'new', 0);
    const complete = [{ ...turns[0], items: [textItem('x')] }];
    assert.deepEqual(imported, {
      thread: { ...emptyThread('new'), chatId: 'c', turns: complete },
      ...{ title: 'Orders', origin: 'https://a.example', problems: [], invalid: 0 },
    });
    const other = importJson(JSON.stringify({ ...file, chatId: 1, origin: 1, title: 1 }), 'new', 0);
    assert.deepEqual(other, {
      thread: { ...emptyThread('new'), turns: complete },
      ...{ title: 'How many?', origin: '', problems: [], invalid: 0 },
    });
    for (const wrong of [{ ...file, format: 'x' }, { ...file, turns: [] }, { ...file, turns: 1 }, [file]])
      assert.throws(() => importJson(JSON.stringify(wrong), 'new', 0), { kind: 'invalid' });
  });

  it('as Markdown names the main branch of a question', () => {
    const thread = conversation();
    const turns = thread.turns.map(({ question, ...turn }) => ({
      ...turn,
      question: { ...question!, context: { ...question!.context!, branch: '' } },
    }));
    assert.match(markdownOf({ ...thread, turns }), /Z · main branch · as dev/);
  });

  it('as Markdown contains the input and result of an unknown tool', () => {
    const thread = conversation();
    const toolCall = { name: 'weather', input: '{"city":"Oslo"}', result: '{"degrees":4}' };
    const turns = thread.turns.map((turn) => ({
      ...turn,
      items: turn.items.map((item) => (item.id === 'tool' ? { ...item, toolCall } : item)),
    }));
    assert.match(markdownOf({ ...thread, turns }), /### weather[\s\S]*"city": "Oslo"[\s\S]*"degrees": 4/);
  });

  it('as Markdown loads and runs nothing when it is viewed', () => {
    const hostile = [
      '![x](https://evil.example/a.png)',
      '![x][ref]\n\n[ref]: https://evil.example/b.png',
      '<img src=https://evil.example/c.png>',
      'text <script>alert(1)</script>',
      '`code` <iframe src="https://evil.example">',
      '```\n![in code](stays)\n```',
      '\\`![x](https://evil.example/p.png)\\`',
      '``` a`b\n![x](https://evil.example/p.png)\n<img src="https://evil.example/p.png">',
      '\t```\n![x](https://evil.example/p.png)',
      'text\n\t```\n![x](https://evil.example/p.png)',
      'a ` b\n` ![x](https://evil.example/p.png) `',
      '`\n- a `\n` ![x](https://evil.example/p.png) `',
      '- a\n  ```\n![x](https://evil.example/p.png)',
      '> ```\n![x](https://evil.example/p.png)',
      '```\ncode\r```\r![x](https://evil.example/p.png)',
      '~~~ a`b\n~~~\n![x](https://evil.example/p.png)',
      '| a | b |\n| - | - |\n| ` | ![x](https://evil.example/p.png) | ` |',
      '<https://a`b> ![x](https://evil.example/p.png) `',
      '\\![x](https://evil.example/p.png)',
      '\\\\![x](https://evil.example/p.png)',
      '\\<img src=https://evil.example/p.png>',
      '`a\\` \\![x](https://evil.example/p.png) `',
      'http://a<img src=https://evil.example/p.png>',
      'http://a\\<img src=https://evil.example/p.png>',
      'www.a.example<img src=https://evil.example/p.png>',
      '```\n![in code](stays)\n```',
    ];
    const viewers = {
      'markdown-it': (text: string) => new MarkdownIt({ html: true }).render(text),
      'markdown-it with autolinks': (text: string) => new MarkdownIt({ html: true, linkify: true }).render(text),
      marked: (text: string) => marked.parse(text, { async: false, gfm: true }),
    };
    for (const [name, render] of Object.entries(viewers))
      for (const answer of hostile) {
        const html = render(markdownOf(conversation(answer)));
        assert.doesNotMatch(html, /<(img|script|iframe)/i, `${name}: ${answer}`);
      }
    assert.match(markdownOf(conversation(hostile.at(-1))), /!\[in code\]\(stays\)/);
    assert.match(markdownOf(conversation('An `Array<string>` here.')), /`Array<string>`/);
  });

  it('as Markdown is created in linear time for text full of image syntax', () => {
    for (const piece of ['![', '`![', '![\n', '`![a\n']) {
      const answer = markdownOf(conversation(piece.repeat(64_000)));
      assert.equal(answer.match(/(?:!|&#33;)\[/g)?.length, 64_000, JSON.stringify(piece));
    }
  });

  it('as Markdown closes an unfinished code block', () => {
    const first = conversation('```sql\nSELECT 1');
    const second = dispatch(first, ask('2-message', 'And then?', 1_700_000_001_000));
    const html = new MarkdownIt().render(markdownOf(second));
    assert.match(html, /<blockquote>\s*<p>And then\?<\/p>/);
  });

  it('as JSON is imported completely, with a new id and read-only', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const thread = conversation();
      history.save(thread, about);
      history.saveDraft('a', { text: 'not for others', images: [] }, about);
      await history.flush();
      const text = await history.exportJson('a');
      assert.doesNotMatch(text, /not for others/);
      const imported = await history.importJson(text);
      assert.notEqual(imported.thread.id, 'a');
      assert.deepEqual(plainly(imported.thread.turns), saved(thread).turns);
      assert.equal(imported.meta.readOnly, true);
      const next = await (await openFolder(folder)).history.open(imported.thread.id);
      assert.equal(next.meta.readOnly, true);
      assert.equal(next.meta.title, 'How many orders? By status.');
      assert.equal((await history.list()).length, 2);
    }));

  it('is rejected with a message if the file is not an export', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.throws(() => importJson(text, 'x', 0), HistoryError);
      }),
    );
    assert.throws(
      () => importJson('{"format":', 'x', 0),
      ({ cause }: HistoryError) => cause instanceof SyntaxError,
    );
  });

  it('is rejected if two turns, or two items of a turn, have one id', () => {
    const turn = makeTurn({ id: 'q', content: 'How many?' }, [textItem('x'), textItem('y')]);
    const textOf = (turns: unknown): string => JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns });
    assert.ok(importJson(textOf([turn]), 'x', 0));
    for (const turns of [[turn, turn], [{ ...turn, items: [textItem('x'), textItem('x')] }]])
      assert.throws(() => importJson(textOf(turns), 'x', 0), HistoryError);
  });

  it('as Markdown has no table for a result without columns', () => {
    const toolCall = { name: 'svcSqlApi', input: '{}', result: JSON.stringify({ ...result, schema: [], data: [] }) };
    const text = markdownOf(withItems(conversation(), textItem('tool', { toolCall, graphPath: ['agent'], sort: 1 })));
    assert.match(text, /```\n\nThere are/);
  });

  it('is imported with a bounded title of one line', () => {
    const titleIn = (title: unknown): string => {
      const turns = [makeTurn({ id: 'q', content: 'How many?' })];
      return importJson(JSON.stringify({ format: 'analytics-chat.thread', version: 2, title, turns }), 'x', 0).title;
    };
    assert.equal(titleIn('Orders\n\n\u2028 by day'), 'Orders by day');
    assert.equal(titleIn(' \n '), 'How many?');
    assert.ok(titleIn('long '.repeat(100_000)).length < 1000);
  });

  it('is imported without images whose content does not match their type, which are reported', () => {
    const image = { mimeType: 'image/png', data: btoa('<html>'), name: 'fake.png' };
    const turns = [makeTurn({ id: 'q', content: 'What is this?', images: [image] })];
    const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns });
    const { thread, problems } = importJson(text, 'x', 0);
    assert.deepEqual(thread.turns[0]?.question?.images, []);
    assert.match(problems.join(), /fake\.png/);
  });

  it('is imported without items whose time is not a valid date', () => {
    for (const time of [1e20, -1e20, '1e20'])
      for (const name of ['time', 'updated']) {
        const [good, bad] = [textItem('good'), { ...textItem('bad'), [name]: time }];
        const turns = [good, bad].map((item) => ({ id: item.id, items: [item] }));
        const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns });
        const { thread, invalid } = importJson(text, 'x', 0);
        assert.match(markdownOf(thread), /text of good/);
        assert.equal(flat(thread).length, 1);
        assert.equal(invalid, 1);
      }
  });

  it('from a hostile file is imported with only well-formed items', () => {
    const question = { id: 'q', content: 'x', time: 1 };
    const good = { id: 'good', question, items: [textItem('good')] };
    const field = fc.constantFrom(...Object.keys(textItem('x')), 'toolCall');
    const turnField = fc.constantFrom('id', 'question', 'items', 'outcome', 'usage');
    const questionField = fc.constantFrom('id', 'content', 'time', 'images', 'context', 'echo');
    const changed = fc.oneof(
      fc.record({ name: field, value: fc.jsonValue() }).map(({ name, value }) => ({
        ...good,
        id: 'bad',
        items: [{ ...good.items[0], [name]: value }],
      })),
      fc
        .record({ name: turnField, value: fc.jsonValue() })
        .map(({ name, value }) => ({ ...good, id: 'bad', [name]: value })),
      fc
        .record({ name: questionField, value: fc.jsonValue() })
        .map(({ name, value }) => ({ ...good, id: 'bad', question: { ...question, [name]: value } })),
    );
    fc.assert(
      fc.property(changed, (bad) => {
        const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns: [good, bad] });
        let thread: Thread;
        try {
          thread = importJson(text, 'x', 0).thread;
        } catch (failure) {
          // Two items can't have the same id.
          assert.ok(failure instanceof HistoryError && bad.id === 'good');
          return;
        }
        assert.ok(flat(thread).some(({ id }) => id === 'good'));
        assert.doesNotThrow(() => markdownOf(thread));
        assert.ok(Number.isFinite(metaOf(thread, 0).updatedAt));
      }),
      { numRuns: 1000 },
    );
  });
});
