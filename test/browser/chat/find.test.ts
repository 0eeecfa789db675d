/** Finding text anywhere in a conversation: rendered or not, folded or not, finished or not. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { innerFrame, type Chat } from '../../support/chat.ts';
import { focuses, whileComposing } from '../../support/keyboard.ts';
import { LONG } from '../../support/samples.ts';
import { settled } from '../../support/settled.ts';
import { becomes, until } from '../../support/until.ts';
import { useChatPage } from '../support/chatPage.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';

const TURNS = 500;
const query = {
  queryTitle: 'Stock of needles',
  sqlQuery: `SELECT colour, ${'MEASURE(other_count), '.repeat(9)}MEASURE(needle_count)\nFROM stock\nGROUP BY 1`,
  schema: [{ name: 'colour', column_type: 'string' }],
  data: [['red']],
  totalRows: 1,
};

/** Lines of a thread with the word in a question, an answer, reasoning, a title and SQL. */
function history(): object[] {
  return Array.from({ length: TURNS - 1 }, (_, index) => {
    const question = index === 3 ? 'Where is the Needle?' : `question ${index}`;
    const answer =
      index === 3
        ? 'A need**le** in a\nhaystack, a `needle`. **Two** *words*.\n\n```\nfirst line\nlast line\n```'
        : `Answer ${index}.\n\n- one\n- two`;
    const tools = ['svc_data_analyst_agent', 'tools'];
    const steps =
      index !== 250
        ? []
        : [
            { id: 'note', role: 'assistant', content: 'Look at the *shelf*.', graphPath: tools, isInProcess: false },
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

describe('Find', () => {
  const setup = useChatPage();
  let service: WrittenService;
  let chat: Chat;
  let frame: Frame;

  before(async () => {
    ({ service, chat } = setup);
    frame = await innerFrame(chat);
    await chat.ask('the last question');
    const written = await service.next();
    written.line(...history());
    written.answer('The last answer.');
    await chat.told('Answer finished');
  });

  const bar = () => chat.view.getByRole('search', { name: 'Find' });
  const field = () => chat.view.getByRole('textbox', { name: 'Find in conversation' });
  const counted = (text: string) => bar().getByText(text, { exact: true }).waitFor();
  /** Waits until the marked match is this one and lies in the visible part of the log. */
  const shows = (place: string): Promise<unknown> =>
    frame.waitForFunction((expected) => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      const log = document.querySelector('.log')?.getBoundingClientRect();
      if (!(range instanceof Range) || log === undefined) return false;
      const { top, bottom, height, left, right } = range.getBoundingClientRect();
      const part = range.startContainer.parentElement?.closest('[data-part]')?.getAttribute('data-part');
      const isVisible =
        height > 0 && top >= log.top + 36 && bottom <= log.bottom && left >= log.left && right <= log.right;
      return isVisible && `${part}: ${range.toString()}` === expected;
    }, place);

  /** Notes all counts. @returns them */
  const counts = () =>
    frame.evaluateHandle(() => {
      const said: unknown[] = [];
      const note = (): unknown => said.push(document.querySelector('.find-count')?.textContent);
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
      return said;
    });

  it('finds text that is far from rendered, and moves from match to match', async () => {
    const said = await counts();
    // On a slow computer, a screen reader hears the number of all matches too.
    const cdp = await setup.page.context().newCDPSession(setup.page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    // Typed before all texts are read.
    await frame.evaluate(async () => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true }));
      const input = (): HTMLInputElement | null => document.querySelector('.find input');
      while (!input()) await new Promise(requestAnimationFrame);
      Object.assign(input()!, { value: 'needle' }).dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await chat.told('of 6');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await counted('6 of 6');
    assert.ok(!(await said.jsonValue()).includes('No results'), 'it has not searched all yet');
    const places = [
      'question 1600000000003-message: Needle',
      'answer h3: needle',
      'answer h3: needle',
      'thinking thought: needle',
      'title query: needle',
      'sql query: needle',
    ];
    for (const [index, place] of places.entries()) {
      await field().press('Enter');
      await counted(`${index + 1} of 6`);
      await chat.told(`${index + 1} of 6`);
      await shows(place);
    }
    await field().press('Shift+Enter');
    await counted('5 of 6');
    await shows('title query: needle');
    await chat.button('Previous match').click();
    await counted('4 of 6');
    await chat.button('Next match').click();
    await counted('5 of 6');
    await chat.button('Next match').press('Enter');
    await counted('6 of 6');
    await chat.button('Previous match').press('Enter');
    await counted('5 of 6');
    await field().fill('need');
    await counted('5 of 6');
    await shows('title query: need');
    assert.ok((await chat.answers().count()) < 60, 'most of the thread is not drawn');
  });

  it('searches text as displayed: without markup, across line ends, ignoring case', async () => {
    await field().fill('NEEDLE in a  haystack');
    await counted('1 of 1');
    await shows('answer h3: needle in a\nhaystack');
    // Said again, although it is the same.
    for (const key of ['Enter', 'Shift+Enter']) {
      await field().press(key);
      await chat.told('1 of 1');
    }
    await field().fill('two words');
    await counted('1 of 1');
    await shows('answer h3: Two words');
    // What has no results is searched from what is in view, not from the last match.
    await field().fill('two words that');
    await counted('No results');
    await field().fill('needle');
    await counted('1 of 6');
    await field().fill('line last');
    await counted('No results');
    await becomes(() => frame.evaluate(() => CSS.highlights.get('find-match')?.size), 0);
    const border = (): Promise<string> => field().evaluate((input) => getComputedStyle(input).borderColor);
    const missing = await border();
    await field().fill('');
    await becomes(async () => (await border()) === missing, false);
    const usual = await border();
    await field().fill('the shelf');
    await counted('1 of 1');
    assert.equal(await border(), usual);
    await shows('message note: the shelf');
    // The key belongs to the input method.
    await whileComposing(setup.page, 'にほん', () => setup.page.keyboard.press('Escape'));
    await field().fill('no such thing (');
    await counted('No results');
    await becomes(() => chat.button('Next match').isDisabled(), true);
  });

  it('restores the focus and removes all highlights', async () => {
    await field().press('Escape');
    await bar().waitFor({ state: 'detached' });
    await becomes(() => frame.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
    await becomes(() => frame.evaluate(() => CSS.highlights.size), 0);
    // A shortcut of VS Code.
    await chat.field.press('Control+Shift+f');
    await chat.field.press('Control+Alt+f');
    assert.equal(await bar().count(), 0);
  });

  it('says that there are no results only after it has searched', async () => {
    await chat.field.press('Control+f');
    await field().fill('needle');
    await field().press('Escape');
    await bar().waitFor({ state: 'detached' });
    const said = await counts();
    await chat.field.press('Control+f');
    await field().fill('needle');
    await bar()
      .getByText(/ of 6$/)
      .waitFor();
    assert.ok(!(await said.jsonValue()).includes('No results'));
    await field().press('Escape');
  });

  it('closes when Escape is pressed in the conversation, after a menu', async () => {
    await chat.field.press('Control+f');
    await field().fill('stock of needles');
    const cell = chat.view.getByRole('gridcell', { name: 'red' });
    await cell.click();
    await cell.press('Shift+F10');
    const menu = chat.view.getByRole('menu');
    await menu.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.equal(await bar().count(), 1);
    await cell.press('Escape');
    await bar().waitFor({ state: 'detached' });
    const isFocused = (): Promise<boolean> => cell.evaluate((element) => element === document.activeElement);
    await becomes(isFocused, true);
    await cell.press('Control+f');
    await field().press('Control+f');
    await field().press('Escape');
    await becomes(isFocused, true);
  });

  it('scrolls back to the end from any match', async () => {
    await chat.answers().getByText('Answer 3.').first().waitFor({ state: 'detached' });
    await chat.field.press('Control+f');
    // The turns that are rendered around the match fit into the view.
    await setup.page.setViewportSize({ width: 400, height: 2400 });
    await field().fill('Where is the Needle');
    await shows('question 1600000000003-message: Where is the Needle');
    await settled(chat.log.getByText('Where is the Needle'));
    await shows('question 1600000000003-message: Where is the Needle');
    await chat.button('Close find').click();
    await bar().waitFor({ state: 'detached' });
    await setup.page.setViewportSize({ width: 400, height: 700 });
    await chat.button('Jump to latest').click();
    await chat.answers().last().getByText('The last answer.').waitFor();
    await becomes(() => chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
  });

  it('leaves the turn below the rendered ones to be scrolled to', async () => {
    await chat.field.press('Control+f');
    await field().fill('Where is the Needle');
    await chat.answers().getByText('The last answer.').waitFor({ state: 'detached' });
    await field().fill(`question ${TURNS - 8}`);
    await shows(`question 1600000000492-message: question ${TURNS - 8}`);
    await field().press('Escape');
    await becomes(async () => {
      await chat.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
      return chat.answers().getByText('The last answer.').count();
    }, 1);
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
    await shows('answer final: grape');
    written.say(', three **grapes**');
    await counted('1 of 3');
    // Plain words are added to the text that is there.
    for (const words of [' and', ' more grapes']) {
      written.say(words);
      await chat.answers().last().getByText(words.trim()).waitFor();
    }
    await becomes(() => frame.evaluate(() => CSS.highlights.get('find-match')?.size), 4);
    await field().press('Escape');
    written.answer('No fruit.', 'final');
    await chat.told('Answer finished');
  });

  it('searches for the selected text', async () => {
    // On Windows, a double-click selects the space behind a word too.
    const select = ({ firstChild }: Element) => getSelection()?.setBaseAndExtent(firstChild!, 2, firstChild!, 8);
    await chat.answers().getByText('No fruit.').evaluate(select);
    await chat.log.focus();
    await setup.page.keyboard.press('Control+f');
    await field().waitFor();
    await becomes(() => field().inputValue(), 'fruit');
    await counted('1 of 1');
    await chat.field.fill('a question');
    await chat.field.press('Control+a');
    await chat.field.press('Control+f');
    await becomes(
      () => frame.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Find in conversation',
    );
    assert.equal(await field().inputValue(), 'fruit', 'not the text of the message');
    const isSelected = (): Promise<boolean> =>
      field().evaluate((input) => {
        const { selectionStart, selectionEnd, value } = input as HTMLInputElement;
        return selectionStart === 0 && selectionEnd === value.length;
      });
    await field().press('End');
    await field().press('Control+f');
    await becomes(isSelected, true);
    await chat.log.focus();
    await chat.log.evaluate((log) => getSelection()?.selectAllChildren(log));
    await chat.log.press('Control+f');
    await focuses(chat, /^Find in conversation$/);
    assert.equal(await field().inputValue(), 'fruit', 'not several lines');
    await chat.field.fill('');
  });

  it('moves to a match, unless the reader scrolls meanwhile', async () => {
    await setup.newChat();
    await chat.ask('a long one');
    const written = await service.next();
    written.say('Short');
    await chat.field.press('Control+f');
    await field().fill('short');
    await counted('1 of 1');
    // Nothing has scrolled, so the end is still followed.
    written.answer(`Short.\n\n${LONG.join('\n\n')}`, 'final');
    await chat.told('Answer finished');
    await becomes(() => chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
    await field().fill('Paragraph');
    await counted('1 of 60');
    await chat.view.getByText(LONG[0]!).click({ trial: true });
    await settled(chat.view.getByText(LONG[0]!));
    for (const move of ['wheel', 'pointerdown', 'touchstart']) {
      const before = await chat.log.evaluate((log) => log.scrollTop);
      await field().evaluate((input, type) => {
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true, bubbles: true }));
        document.querySelector('.log')?.dispatchEvent(new Event(type));
      }, move);
      await counted('60 of 60');
      await settled(chat.view.getByText(LONG[0]!));
      assert.equal(await chat.log.evaluate((log) => log.scrollTop), before, move);
      await field().press('Enter');
      await counted('1 of 60');
      await settled(chat.view.getByText(LONG[0]!));
    }
    await field().press('Shift+Enter');
    await until(async () => (await chat.log.evaluate((log) => log.scrollTop)) > 1000);
  });

  it('leaves room for its text in the narrowest view', async () => {
    await setup.page.setViewportSize({ width: 170, height: 700 });
    await becomes(async () => ((await field().boundingBox())?.width ?? 0) > 70, true);
    const close = await chat.button('Close find').boundingBox();
    assert.ok(close && close.x + close.width <= 170, 'its buttons are in the view');
    await setup.newChat();
    await chat.field.press('Control+f');
    assert.equal(await field().inputValue(), '', 'another chat is searched anew');
  });
});
