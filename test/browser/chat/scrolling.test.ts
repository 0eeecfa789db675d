/** What stays in place in the conversation while answers stream, and what users scroll to. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import { focuses } from '../../support/keyboard.ts';
import { LONG } from '../../support/samples.ts';
import { settled } from '../../support/settled.ts';
import { becomes, until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useChatPage } from '../support/chatPage.ts';

describe('Conversations', () => {
  const setup = useChatPage();
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  /** Waits until an element is at this distance from the top of the page, up to a pixel. */
  const staysAt = (element: Locator, y: number): Promise<void> =>
    becomes(async () => Math.abs(((await element.boundingBox())?.y ?? NaN) - y) <= 1, true);

  const isAtEnd = (): Promise<boolean> =>
    chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2);

  it('start at the top of the first screen, however small the view is', async () => {
    await page.setViewportSize({ width: 300, height: 190 });
    await setup.newChat();
    const first = chat.view.getByText('Ask about your data.');
    await settled(first);
    // What is shown above and below the messages may still change their place.
    await becomes(async () => {
      const [top, start] = await Promise.all([chat.log.boundingBox(), first.boundingBox()]);
      return (start?.y ?? NaN) >= (top?.y ?? NaN);
    }, true);
    await first.hover();
    for (const distance of [60, -30]) {
      await page.mouse.wheel(0, distance);
      await settled(first);
    }
    assert.equal(await chat.button('Jump to latest').count(), 0, 'there is nothing to jump to');
    await page.setViewportSize({ width: 400, height: 700 });
  });

  it('keep the scroll position, and scroll to the end on request', async () => {
    const written = await setup.start('a long one');
    written.think('m1', 'Slowly.');
    written.say(LONG.slice(0, 40).join('\n\n'));
    const read = chat.view.getByText('Paragraph 30 of');
    await chat.view.getByText('Paragraph 40 of').waitFor();
    await read.hover();
    await page.mouse.wheel(0, -200);
    await chat.button('Jump to latest').waitFor();
    await settled(read);
    const before = (await read.boundingBox())?.y ?? NaN;
    written.say(`\n\n${LONG.slice(40).join('\n\n')}`);
    await chat.view.getByText('Paragraph 60 of').waitFor({ state: 'attached' });
    await staysAt(read, before);
    written.answer(LONG.join('\n\n'), 'final');
    await chat.told('Answer finished');
    await staysAt(read, before);
    await chat.button('Jump to latest').click();
    await chat.button('Jump to latest').waitFor({ state: 'detached' });
    await focuses(chat, /^Conversation$/);
    await chat.button('Copy answer').click({ trial: true });
    await becomes(isAtEnd, true);
  });

  // The browser of the tests has no scroll bars.
  const waysUp = {
    'by key': async () => {
      // Before it scrolls: while text arrives, it would be scrolled back.
      await chat.log.dispatchEvent('keydown', { key: 'ArrowUp' });
      await chat.button('Jump to latest').waitFor();
      await chat.log.press('PageUp');
    },
    'by the smallest turn of a wheel': async () => {
      await chat.log.hover();
      await page.mouse.wheel(0, -8);
    },
    'by anything else, as by a scroll bar': () => chat.log.evaluate((log) => log.scrollBy(0, -100)),
  };
  for (const [how, goUp] of Object.entries(waysUp))
    it(`keep the scroll position of a reader who goes up ${how}`, async () => {
      const written = await setup.start('a long one');
      written.say(LONG.slice(0, 40).join('\n\n'));
      await chat.view.getByText('Paragraph 40 of').waitFor();
      await becomes(isAtEnd, true);
      await goUp();
      await chat.button('Jump to latest').waitFor();
      assert.equal(await chat.button('Jump to latest').innerText(), '', 'there are no others to count');
      await until(async () => !(await isAtEnd()));
      const read = chat.view.getByText('Paragraph 30 of');
      await chat.ask('a queued one');
      await chat.button('Remove queued message').waitFor();
      await settled(read);
      const before = (await read.boundingBox())?.y ?? NaN;
      written.answer(LONG.join('\n\n'));
      (await service.next()).answer('Next.');
      await chat.button('Jump to latest (1)').getByText('1', { exact: true }).waitFor();
      await staysAt(read, before);
    });

  it('follow their end again after a press, however it ends, and when the reader goes there', async () => {
    await setup.newChat();
    await setup.answered('a short one', 'Short.');
    await chat.log.hover();
    await page.mouse.wheel(0, -50);
    await chat.ask('a long one');
    const written = await service.next();
    let said = 0;
    const say = async (count = 10): Promise<void> => {
      written.say(`\n\n${LONG.slice(said, (said += count)).join('\n\n')}`);
      await chat.view.getByText(`Paragraph ${said} of`).waitFor({ state: 'attached' });
    };
    await say(20);
    await becomes(isAtEnd, true);
    // There is nothing below.
    await page.mouse.wheel(0, 50);
    // What is selected elsewhere is not being read.
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('h1') ?? document.body));
    for (const end of ['pointerup', 'pointercancel', 'blur', 'pointermove']) {
      await chat.log.dispatchEvent('pointerdown');
      await page.evaluate(() => window.dispatchEvent(new PointerEvent('pointermove', { buttons: 1 })));
      await say();
      assert.equal(await isAtEnd(), false, 'nothing moves under the pointer');
      await page.evaluate((type) => window.dispatchEvent(new PointerEvent(type)), end);
      await becomes(isAtEnd, true);
    }
    assert.equal(await chat.button('Jump to latest').count(), 0);
    await chat.log.evaluate((log) => log.scrollBy(0, -300));
    await chat.button('Jump to latest').waitFor();
    // Almost: the last line is in view.
    await chat.log.evaluate((log) => log.scrollTo(0, log.scrollHeight - log.clientHeight - 8));
    await chat.button('Jump to latest').waitFor({ state: 'detached' });
    written.answer([...LONG, ...LONG].join('\n\n'), 'final');
    await chat.told('Answer finished');
    await becomes(isAtEnd, true);
    // Rows that replace a chart may be lower, and grow later: in between, the browser scrolls up.
    for (const heights of [[400], [0, 200]]) {
      await chat
        .answers()
        .last()
        .evaluate((answer, all) => {
          for (const height of all) {
            answer.style.paddingBottom = `${height}px`;
            answer.closest('.log')?.scrollBy(0, 0);
          }
        }, heights);
      await becomes(isAtEnd, true);
    }
    assert.equal(await chat.button('Jump to latest').count(), 0);
  });

  it('are shown again where the reader was, until the reader scrolls', async () => {
    await setup.newChat();
    await setup.answered('a long one', LONG.join('\n\n'));
    const isPlaceSaved = (saved: boolean) =>
      page.waitForFunction((is) => sessionStorage.getItem('state')?.includes('"turn"') === is, saved);
    const read = chat.view.getByText('Paragraph 20 of');
    await read.evaluate((paragraph) => paragraph.scrollIntoView());
    await isPlaceSaved(true);
    const before = (await read.boundingBox())?.y ?? NaN;
    await setup.reload();
    await staysAt(read, before);
    await chat.button('Jump to latest').waitFor();
    for (const move of [
      async () => {
        await chat.log.hover();
        await page.mouse.wheel(0, 100);
      },
      () => chat.log.press('ArrowDown'),
      async () => {
        await chat.log.dispatchEvent('pointerdown');
        await chat.log.evaluate((log) => log.scrollBy(0, 100));
        await page.evaluate(() => window.dispatchEvent(new PointerEvent('pointerup')));
      },
      async () => {
        await chat.field.press('Control+f');
        await page.keyboard.type('Paragraph 50');
        await page.keyboard.press('Escape');
      },
    ]) {
      await setup.reload();
      await chat.button('Jump to latest').waitFor();
      await settled(read);
      const top = async (): Promise<number> => (await read.boundingBox())?.y ?? NaN;
      const held = await top();
      await move();
      await until(async () => (await top()) !== held);
      await settled(read);
      const moved = await top();
      for (const height of [650, 700]) await page.setViewportSize({ width: 400, height });
      await settled(read);
      await staysAt(read, moved);
    }
    await setup.reload();
    await chat.button('Jump to latest').click();
    await becomes(() => chat.log.evaluate((log) => log === document.activeElement), true);
    await isPlaceSaved(false);
    await setup.reload();
    await chat.view.getByText('Paragraph 60 of').waitFor();
    await becomes(isAtEnd, true);
  });

  it('are the ones to restore, although the one before was scrolled last', async () => {
    await setup.newChat();
    await setup.answered('a long one', LONG.join('\n\n'));
    const goUp = (): Promise<void> => chat.log.evaluate((log) => log.scrollBy(0, -100));
    await goUp();
    await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"turn"'));
    await goUp();
    await setup.newChat();
    // A timer of the scroll position that started before ends before this one.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    const state = await page.evaluate(() => sessionStorage.getItem('state'));
    assert.ok(state?.includes(setup.session().thread.id));
  });

  it('show a change of the branch only where it happened, however much is rendered', async () => {
    await setup.newChat();
    const events = Array.from({ length: 30 }, (_, at) => {
      const context = { branch: at === 0 ? 'main' : 'dev', isDefaultBranch: at === 0, identity: 'dev' };
      const question = { id: `q${at}`, text: `question ${at}.`, images: [], context, time: at };
      return [{ type: 'sent' as const, ...question }, { type: 'finished' as const }];
    });
    setup.session().dispatch(events.flat());
    await chat.log.getByText('question 29.').waitFor();
    await setup.reload();
    await chat.log.getByText('question 20.').waitFor({ state: 'attached' });
    await chat.log.getByText('question 0.').waitFor({ state: 'detached' });
    assert.equal(await chat.log.locator('.question-context.changed').count(), 0);
    const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
    setup
      .session()
      .dispatch([
        { type: 'sent', id: 'q30', text: 'question 30.', images: [], context, time: 30 },
        { type: 'finished' },
      ]);
    await chat.log.locator('.question-context.changed').getByText('dev → main · dev').waitFor();
  });

  it('offer to scroll to the end only if it is out of view', async () => {
    const written = await setup.start('a short one');
    written.think('m1', LONG.slice(0, 30).join('\n\n'));
    written.answer('Short.');
    await chat.told('Answer finished');
    const steps = chat.view.getByRole('button', { name: /^Steps/ });
    const thinking = chat.view.getByRole('group', { name: 'Thinking' });
    await page.setViewportSize({ width: 400, height: 350 });
    assert.equal(await steps.getAttribute('aria-expanded'), 'false');
    await steps.click();
    await thinking.hover();
    await chat.log.evaluate((log) => log.scrollTo(0, 0));
    await chat.button('Jump to latest').waitFor();
    await steps.click();
    await chat.button('Jump to latest').waitFor({ state: 'detached' });
    // What was folded is not what grows then.
    await setup.answered('a long one', LONG.join('\n\n'));
    await becomes(isAtEnd, true);
    await page.setViewportSize({ width: 400, height: 700 });
  });

  it('leave reasoning where the reader has scrolled it', async () => {
    const written = await setup.start('a hard one');
    written.think('m1', LONG.slice(0, 30).join('\n\n'));
    const thought = chat.view.locator('.thought');
    const top = (): Promise<number> => thought.evaluate((box) => box.scrollTop);
    await becomes(async () => (await top()) > 0, true);
    await thought.evaluate((box) => box.scrollTo(0, 10));
    written.think('m1', '\n\nThat was all.');
    await thought.getByText('That was all.').waitFor();
    assert.equal(await top(), 10);
    written.answer('Short.');
    await chat.told('Answer finished');
  });

  it('keep in view what the reader opens at the end', async () => {
    const written = await setup.start('a long one');
    const sqlQuery = Array.from({ length: 40 }, (_, line) => `-- line ${line}`).join('\n');
    const vegaSpec = { mark: 'bar', encoding: { x: { field: 'label' }, y: { field: 'n', type: 'quantitative' } } };
    const schema = [
      { name: 'label', columnType: 'string' },
      { name: 'n', columnType: 'number' },
    ];
    written.tool(
      't1',
      'svcSqlApiWithChart',
      { sqlQuery, queryTitle: 'Opened', vegaSpec },
      { schema, data: [['a', 1]] },
    );
    written.tool('u1', 'send_mail', { to: LONG.slice(0, 20) }, { sent: true });
    written.answer(LONG.slice(0, 8).join('\n\n'));
    await chat.told('Answer finished');
    const card = chat.view.getByRole('group', { name: 'SQL query: Opened' });
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    await page.setViewportSize({ width: 250, height: 700 });
    const inCard = (name: string) => card.getByRole('button', { name, exact: true });
    const sql = inCard('SQL');
    await becomes(isAtEnd, true);

    await inCard('Show table').click();
    await card.getByRole('grid', { name: /^Results/ }).waitFor();
    const below = (await inCard('Show chart').boundingBox())?.y ?? NaN;
    await inCard('Show chart').click();
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    await staysAt(inCard('Show table'), below);
    assert.equal(await isAtEnd(), false);
    await chat.log.press('End');
    await becomes(isAtEnd, true);
    // What grows later is followed again.
    await page.setViewportSize({ width: 240, height: 700 });
    await page.setViewportSize({ width: 250, height: 700 });
    await becomes(isAtEnd, true);
    assert.equal(await chat.button('Jump to latest').count(), 0);

    const details = chat.view.getByText('Input and result');
    const place = (await details.boundingBox())?.y ?? NaN;
    await details.click();
    await chat.button('Jump to latest').waitFor();
    await staysAt(details, place);
    await details.click();
    await chat.button('Jump to latest').waitFor({ state: 'detached' });

    const at = (await sql.boundingBox())?.y ?? NaN;
    assert.equal(await sql.getAttribute('aria-expanded'), 'false');
    await sql.click();
    await card.getByRole('group', { name: 'SQL' }).waitFor();
    await card.getByText('Semantic SQL: runs on the data model, not in the warehouse').waitFor();
    await chat.button('Jump to latest').waitFor();
    await staysAt(sql, at);
    await sql.click();
    await chat.button('Jump to latest').waitFor({ state: 'detached' });

    await page.setViewportSize({ width: 250, height: 900 });
    await becomes(isAtEnd, true);
    await inCard('More actions').click();
    await chat.view.getByRole('menuitem', { name: 'Change chart' }).click();
    await card.getByRole('group', { name: 'Change chart' }).waitFor();
    await chat.button('Jump to latest').waitFor();
    const [top, studio] = await Promise.all([chat.log, card.getByLabel('Chart type')].map((one) => one.boundingBox()));
    assert.ok((studio?.y ?? NaN) >= (top?.y ?? NaN), 'the first choice is in view');

    // A wider card has a button of its own for it.
    await page.setViewportSize({ width: 400, height: 700 });
    const change = (expanded: boolean) => card.getByRole('button', { name: 'Change chart', expanded });
    await change(true).click();
    await change(false).waitFor();
    await chat.log.press('End');
    await becomes(isAtEnd, true);
    await change(false).click();
    await change(true).waitFor();
    await chat.button('Jump to latest').waitFor();
  });

  it('keep a focused action above the button that jumps to the end', async () => {
    await setup.newChat();
    for (const question of ['a long one', 'another long one']) {
      await setup.answered(question, LONG.join('\n\n'));
    }
    await chat.log.evaluate((log) => log.scrollTo(0, 0));
    const [action, jump] = [chat.button('Copy answer').first(), chat.button('Jump to latest')];
    await jump.waitFor();
    await action.evaluate((button) => {
      button.focus({ preventScroll: true });
      button.scrollIntoView({ block: 'nearest' });
    });
    const [at, end] = await Promise.all([action, jump].map((one) => one.boundingBox()));
    assert.ok(at && end && at.y + at.height <= end.y);
    // The focus returns there by a click, whose target must not move.
    await jump.evaluate((button) => button.closest('.conversation')?.querySelector('.log')?.scrollTo(0, 0));
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new Event('focus'));
    });
    await focuses(chat, /^Copy answer$/);
    assert.equal(await chat.log.evaluate(({ scrollTop }) => scrollTop), 0);
  });

  it('keep a menu beside its button while an answer streams', async () => {
    const written = await setup.start('a long one');
    const result = { schema: [{ name: 'n', columnType: 'number' }], data: [[1]] };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Menu' }, result);
    written.say(LONG.slice(0, 4).join('\n\n'));
    await chat.view.getByText('Paragraph 4 of').waitFor();
    await page.setViewportSize({ width: 250, height: 700 });
    const more = chat.button('More actions');
    await becomes(isAtEnd, true);
    await more.click();
    const at = (await more.boundingBox())?.y ?? NaN;
    written.say(`\n\n${LONG.slice(4).join('\n\n')}`);
    await chat.view.getByText('Paragraph 60 of').waitFor({ state: 'attached' });
    await chat.button('Jump to latest').waitFor();
    await staysAt(more, at);
    await page.keyboard.press('Escape');
    written.answer(LONG.join('\n\n'));
    await chat.told('Answer finished');
    await page.setViewportSize({ width: 400, height: 700 });
  });

  it('stay scrolled to the end when a table replaces a chart', async () => {
    for (const turn of ['first', 'second']) {
      if (turn === 'first') await setup.newChat();
      await chat.ask(`the ${turn} table`);
      const written = await service.next();
      written.think(`m ${turn}`, 'Slowly.');
      const result = {
        schema: [
          { name: 'label', columnType: 'string' },
          { name: 'n', columnType: 'number' },
        ],
        data: Array.from({ length: 60 }, (_, row) => [`row ${row}`, String(row)]),
        totalRows: '60',
      };
      written.tool(`t ${turn}`, 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: `Long ${turn}` }, result);
      written.say(LONG.slice(0, 12).join('\n\n'), `final ${turn}`);
      const grid = chat.view.getByRole('grid', { name: `Results: Long ${turn}` });
      await grid.getByText('row 3', { exact: true }).waitFor();
      assert.ok(((await grid.boundingBox())?.height ?? 0) > 200, 'there was no chart to be as high as');
      written.say(`\n\n${LONG.slice(12).join('\n\n')}`, `final ${turn}`);
      await chat.answers().last().getByText('Paragraph 60 of').waitFor({ state: 'attached' });
      written.answer(LONG.join('\n\n'), `final ${turn}`);
      await chat.button('Send').waitFor();
      await chat.button('Jump to latest').waitFor({ state: 'detached' });
      await chat.answers().last().getByText('Paragraph 60 of').click({ trial: true });
      await becomes(isAtEnd, true);
    }
  });

  it('keep pressed buttons and visible selections', async () => {
    const written = await setup.start('a long one');
    written.think('m1', 'Slowly.');
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Moving' });
    written.say(LONG.slice(0, 2).join('\n\n'));
    await chat.view.getByText('Paragraph 2 of').waitFor();
    const sql = chat.view
      .getByRole('group', { name: 'SQL query: Moving' })
      .getByRole('button', { name: 'SQL', exact: true });
    await sql.hover();
    await page.mouse.down();
    written.say(`\n\n${LONG.slice(2, 40).join('\n\n')}`);
    await chat.view.getByText('Paragraph 40 of').waitFor({ state: 'attached' });
    await page.mouse.up();
    await chat.view.getByRole('button', { name: 'SQL', exact: true, expanded: true }).waitFor({ state: 'attached' });
    const read = chat.view.getByText('Paragraph 38 of');
    await read.click({ trial: true });
    const box = await read.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 5, { steps: 4 });
    written.say(`\n\n${LONG.slice(40).join('\n\n')}`);
    await chat.view.getByText('Paragraph 60 of').waitFor({ state: 'attached' });
    await page.mouse.up();
    await chat.button('Jump to latest').waitFor();
    await staysAt(read, box.y);
    written.answer(LONG.join('\n\n'), 'final');
    await chat.told('Answer finished');
  });

  it('open a thread of a thousand messages at its end', async () => {
    const written = await setup.start('the last question');
    const history = Array.from({ length: 499 }, (_, index) => [
      {
        id: `16000000${String(index).padStart(5, '0')}-message`,
        role: 'user',
        content: `question ${index}`,
        isDelta: false,
      },
      {
        id: `h${index}`,
        role: 'assistant',
        content: `answer ${index}`,
        graphPath: ['final'],
        isDelta: false,
        isInProcess: false,
      },
    ]).flat();
    written.line(...history);
    written.answer('the last answer');
    await chat.told('Answer finished');
    await setup.reload();
    const last = chat.answers().last();
    await last.waitFor();
    assert.ok((await chat.answers().count()) < 100);
    await becomes(isAtEnd, true);
    // A busy browser reports that something left the view and came back in one call.
    await page.evaluate(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        constructor(onChange: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          const unreported: IntersectionObserverEntry[] = [];
          super((changes, observer) => {
            unreported.push(...changes);
            if (changes.at(-1)?.isIntersecting) onChange(unreported.splice(0), observer);
          }, options);
        }
      };
    });
    // The page gives its first focus to the message field; before that, it would take the key.
    await chat.view.locator('textarea:focus').waitFor();
    for (let times = 0; times < 3; times += 1) {
      const first = await chat.answers().first().innerText();
      await chat.log.press('Home');
      await becomes(async () => (await chat.answers().first().innerText()) === first, false);
      await settled(chat.answers().first());
    }
  });
});
