/** Finding text anywhere in a conversation: rendered or not, folded or not, finished or not. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame, Page } from 'playwright-core';
import { chatIn, innerFrame, type Chat } from '../support/chat.ts';
import { runCommand, webview } from './support/editor.ts';
import { useWrittenChat } from './support/writtenChat.ts';
import type { WrittenService } from '../support/writtenService.ts';

const TURNS = 500;
const query = {
  queryTitle: 'Stock of needles',
  sqlQuery: 'SELECT colour,\n  MEASURE(needle_count)\nFROM stock\nGROUP BY 1',
  schema: [{ name: 'colour', column_type: 'string' }],
  data: [['red']],
  totalRows: 1,
};

/** Lines of a thread with the word in a question, an answer, reasoning, a title and SQL. */
function history(): object[] {
  return Array.from({ length: TURNS - 1 }, (_, index) => {
    const question = index === 3 ? 'Where is the Needle?' : `question ${index}`;
    const answer = index === 3 ? 'A need**le** in a\nhaystack, a `needle`.' : `Answer ${index}.\n\n- one\n- two`;
    const tools = ['svc_data_analyst_agent', 'tools'];
    const steps =
      index !== 250
        ? []
        : [
            { id: 'thought', role: 'assistant', content: '', thinking: 'Think of a *needle*.', isInProcess: false },
            {
              id: 'query',
              role: 'assistant',
              content: '',
              graphPath: tools,
              isInProcess: false,
              toolCall: { name: 'svcSqlApi', input: JSON.stringify(query), result: JSON.stringify(query) },
            },
          ];
    return [
      { id: `16000000${String(index).padStart(5, '0')}-message`, role: 'user', content: question, isDelta: false },
      ...steps,
      { id: `h${index}`, role: 'assistant', content: answer, graphPath: ['final'], isDelta: false, isInProcess: false },
    ];
  }).flat();
}

describe('Find', function () {
  this.timeout(90_000);
  const setup = useWrittenChat();
  let service: WrittenService;
  let page: Page;
  let chat: Chat;
  let frame: Frame;

  before(async () => {
    ({ service, page, chat } = setup);
    await runCommand(page, 'File: New Untitled Text File');
    frame = await innerFrame(chat);
    await chat.ask('the last question');
    const written = await service.next();
    written.line(...history());
    written.answer('The last answer.');
    await chat.told('Answer finished');
  });

  const bar = (one = chat) => one.view.getByRole('search', { name: 'Find' });
  const field = (one = chat) => one.view.getByRole('textbox', { name: 'Find in conversation' });
  const counted = (text: string, one = chat) => bar(one).getByText(text, { exact: true }).waitFor();
  /** Text of the current match, once it is visible in the log. */
  const shown = async (): Promise<string> => {
    const text = await frame.waitForFunction(() => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      const log = document.querySelector('.log')?.getBoundingClientRect();
      if (!(range instanceof Range) || log === undefined) return undefined;
      const { top, bottom, height } = range.getBoundingClientRect();
      const part = range.startContainer.parentElement?.closest('[data-part]');
      return (
        height > 0 && top >= log.top + 36 && bottom <= log.bottom && `${part?.getAttribute('data-part')}: ${range}`
      );
    });
    return String(await text.jsonValue());
  };

  it('finds text that is far from rendered, and moves from match to match', async () => {
    await chat.field.press('Control+f');
    await field().fill('needle');
    await counted('6 of 6');
    const places: string[] = [];
    for (let number = 1; number <= 6; number += 1) {
      await field().press('Enter');
      await counted(`${number} of 6`);
      places.push(await shown());
    }
    assert.deepEqual(places, [
      'question 1600000000003-message: Needle',
      'answer h3: needle',
      'answer h3: needle',
      'thinking thought: needle',
      'title query: needle',
      'sql query: needle',
    ]);
    await field().press('Shift+Enter');
    await counted('5 of 6');
    assert.equal(await shown(), 'title query: needle');
    assert.ok((await chat.answers().count()) < 60, 'most of the thread is not drawn');
    assert.equal(await page.locator('.editor-group-container .find-widget.visible').count(), 0);
  });

  it('searches text as displayed: without markup, across line ends, ignoring case', async () => {
    await field().fill('NEEDLE in a  haystack');
    await counted('1 of 1');
    assert.equal(await shown(), 'answer h3: needle in a\nhaystack');
    await field().fill('no such thing (');
    await counted('No results');
    assert.equal(await chat.button('Next match').isDisabled(), true);
  });

  it('restores the focus and removes all highlights', async () => {
    await field().press('Escape');
    await bar().waitFor({ state: 'detached' });
    assert.equal(await frame.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
    assert.equal(await frame.evaluate(() => CSS.highlights.size), 0);
  });

  it('scrolls back to the end from any match', async () => {
    await chat.answers().getByText('Answer 3.').first().waitFor({ state: 'detached' });
    await chat.field.press('Control+f');
    await field().fill('question 4');
    await field().press('Enter');
    await field().press('Escape');
    await chat.button('Jump to latest').click();
    await chat.answers().last().getByText('The last answer.').waitFor();
    assert.equal(await chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
  });

  it('counts matches in a streaming answer', async () => {
    await chat.ask('a growing one');
    const written = await service.next();
    written.say('One gr');
    await chat.field.press('Control+f');
    await field().fill('grape');
    await counted('No results');
    written.say('ape.\n\nTwo grapes');
    await counted('? of 2');
    await field().press('Enter');
    await counted('1 of 2');
    assert.match(await shown(), /^answer .*: grape$/);
    written.say(', three **grapes**');
    await counted('1 of 3');
    await field().press('Escape');
    written.answer('No fruit.', 'final');
    await chat.told('Answer finished');
  });

  it('works in an editor tab, starting with the selected text', async () => {
    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    const tab = chatIn(webview(page, 'editor'));
    await tab
      .answers()
      .getByText('No fruit.')
      .dblclick({ position: { x: 30, y: 8 } });
    await page.keyboard.press('Control+f');
    await field(tab).waitFor();
    assert.equal(await field(tab).inputValue(), 'fruit');
    await counted('1 of 1', tab);
    assert.equal(await bar().count(), 0);
    await runCommand(page, 'View: Close Editor');
  });
});
