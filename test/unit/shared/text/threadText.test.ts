import assert from 'node:assert/strict';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import MarkdownIt from 'markdown-it';
import { threadText } from '../../../../src/shared/text/threadText.ts';
import { emptyThread, type Item, type Thread } from '../../../../src/shared/thread/model.ts';
import { titleOf } from '../../../../src/shared/thread/turns.ts';
import type { ToolCall } from '../../../../src/shared/wire/streamLines.ts';
import { makeItem, makeTurn, withItems } from '../../../support/item.ts';
import { ask, dispatch, textItem } from '../../chat/history/support/stores.ts';

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

const markdownOf = (thread: Thread): string => threadText(titleOf(thread), thread);

describe('a thread as Markdown', () => {
  it('says how an answer ended that was stopped or failed', () => {
    const asked = dispatch(emptyThread('a'), ask('1-message', 'Why?', 1));
    const error = { kind: 'server', message: 'The service is *down*.', actions: [] } as const;
    assert.match(markdownOf(dispatch(asked, { type: 'failed', error })), /^\*The service is .*down.*\*$/m);
    const stopped = dispatch(asked, { type: 'stopped', messageId: '1-message', service: 'stopped' });
    assert.match(markdownOf(stopped), /^\*Stopped\*$/m);
  });

  it('contains the question, its context, the SQL, the rows and the answer', () => {
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

  it('quotes the lines of a question, not parts between separators that are no line breaks there', () => {
    const text = markdownOf(dispatch(emptyThread('a'), ask('1-message', 'One\r\n\ntwo\u2028three', 1)));
    assert.ok(text.includes('\n\n> One\n> \n> two\u2028three\n\n'), text);
  });

  it('has the parts of each turn in order', () => {
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
    assert.deepEqual(threadText('', thread).split('\n'), [
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

  it('names the main branch of a question', () => {
    const thread = conversation();
    const turns = thread.turns.map(({ question, ...turn }) => ({
      ...turn,
      question: { ...question!, context: { ...question!.context!, branch: '' } },
    }));
    assert.match(markdownOf({ ...thread, turns }), /Z · main branch · as dev/);
  });

  it('contains the input and result of an unknown tool', () => {
    const thread = conversation();
    const toolCall = { name: 'weather', input: '{"city":"Oslo"}', result: '{"degrees":4}' };
    const turns = thread.turns.map((turn) => ({
      ...turn,
      items: turn.items.map((item) => (item.id === 'tool' ? { ...item, toolCall } : item)),
    }));
    assert.match(markdownOf({ ...thread, turns }), /### weather[\s\S]*"city": "Oslo"[\s\S]*"degrees": 4/);
  });

  it('loads and runs nothing when it is viewed', () => {
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

  it('is created in linear time for text full of image syntax', () => {
    for (const piece of ['![', '`![', '![\n', '`![a\n']) {
      const answer = markdownOf(conversation(piece.repeat(64_000)));
      assert.equal(answer.match(/(?:!|&#33;)\[/g)?.length, 64_000, JSON.stringify(piece));
    }
  });

  it('closes an unfinished code block', () => {
    const first = conversation('```sql\nSELECT 1');
    const second = dispatch(first, ask('2-message', 'And then?', 1_700_000_001_000));
    const html = new MarkdownIt().render(markdownOf(second));
    assert.match(html, /<blockquote>\s*<p>And then\?<\/p>/);
  });

  it('has no table for a result without columns', () => {
    const toolCall = { name: 'svcSqlApi', input: '{}', result: JSON.stringify({ ...result, schema: [], data: [] }) };
    const text = markdownOf(withItems(conversation(), textItem('tool', { toolCall, graphPath: ['agent'], sort: 1 })));
    assert.match(text, /```\n\nThere are/);
  });
});
