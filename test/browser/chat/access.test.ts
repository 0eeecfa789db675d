/** The chat by keyboard, without motion, narrow and enlarged. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { innerFrame, type Chat } from '../../support/chat.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useChatPage } from '../support/chatPage.ts';
import { focusedName, focuses, tabTo } from '../../support/keyboard.ts';
import { finish, MEMBERS, work } from '../../support/service/ordersAnswer.ts';
import { becomes, until } from '../../support/until.ts';

const BRANCH = 'feature/sales-pipeline-rework-2026';
describe('The chat view', () => {
  const setup = useChatPage({ context: { branch: BRANCH, mainBranch: BRANCH } });
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  it('moves the focus when the focused control disappears', async () => {
    await setup.newChat();
    await tabTo(page, chat, / by /, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const written = await service.next();
    await chat.button('Stop').waitFor();
    await focuses(chat, /^Message$/);
    await page.keyboard.type('wait');
    await page.keyboard.press('Enter');
    await chat.button('Remove queued message').waitFor();
    await tabTo(page, chat, /^Remove queued message$/, 'Shift+Tab');
    // The focus may be elsewhere in VS Code.
    await page.evaluate(() => (document.hasFocus = () => false));
    await page.keyboard.press('Enter');
    await chat.button('Remove queued message').waitFor({ state: 'detached' });
    assert.equal(await focusedName(chat), '');
    await page.evaluate(() => {
      document.hasFocus = Document.prototype.hasFocus;
      window.dispatchEvent(new Event('focus'));
    });
    await focuses(chat, /^Message$/);
    written.line({ error: 'The warehouse does not answer.' });
    await chat.view.getByRole('alert').waitFor();
    await tabTo(page, chat, /^Retry$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    (await service.next()).answer('There it is.');
    await chat.told('Answer finished');
    await until(() => focusedName(chat));
  });

  it('moves the focus to a chat when it is shown, not to the one before', async () => {
    await setup.newChat();
    await chat.field.blur();
    const focused = await page.evaluateHandle(() => {
      const elements: Element[] = [];
      document.addEventListener('focusin', ({ target }) => elements.push(target as Element));
      const askForFocus = ({ data }: MessageEvent<{ type?: string }>): void => {
        if (data.type !== 'snapshot') return;
        window.removeEventListener('message', askForFocus);
        window.postMessage({ type: 'focus', what: 'composer' }, window.origin);
      };
      window.addEventListener('message', askForFocus);
      return elements;
    });
    await setup.newChat();
    await chat.view.locator('textarea:focus').waitFor();
    assert.deepEqual(await focused.evaluate((elements) => elements.map(({ isConnected }) => isConnected)), [true]);
  });

  it('returns the focus to the control that had it before a prompt', async () => {
    await setup.newChat();
    await tabTo(page, chat, /^Branch/, 'Shift+Tab');
    await page.evaluate(() => {
      const elsewhere = document.body.appendChild(document.createElement('button'));
      elsewhere.focus();
      window.postMessage({ type: 'focus', what: 'last' }, window.origin);
    });
    await focuses(chat, /^Branch/);
  });

  it('avoids motion if the user prefers reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await setup.newChat();
    await chat.ask('move');
    work(await service.next());
    await chat.view.getByRole('group', { name: /^SQL query/ }).waitFor();
    const frame = await innerFrame(chat);
    assert.equal(await frame.evaluate(() => document.getAnimations().length), 0);
    await chat.field.press('Escape');
    await page.emulateMedia({ reducedMotion: null });
  });

  it('fits into 250 px, and into a wider view at 200 % zoom', async () => {
    const written = await setup.start(
      'how does the number of orders depend on their status, on the region and on the month of the year?',
    );
    work(written);
    const word = 'Umsatzentwicklungsvergleich_nach_Vertriebsregionen_und_Kundengruppen';
    const members = [...MEMBERS, { name: `orders.${word}`, title: word, description: '', type: 'string' }];
    written.tool('t3', 'svcMeta', { searchQuery: word }, { cubes: [{ name: 'orders', title: word, members }] });
    await finish(written, chat);
    await chat.button(/^Steps/).click();
    await chat.view.getByRole('list', { name: 'Follow-up questions' }).getByText(word.slice(1)).waitFor();
    const frame = await innerFrame(chat);
    const clipped = (): Promise<string[]> =>
      frame.evaluate(() => {
        const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
        const parts =
          'button, vscode-button, textarea, .bubble, .card, .search-head, summary, time, .answer-footer > *';
        const controls = [...document.querySelectorAll(parts)];
        return controls
          .filter((control) => control.checkVisibility() && !control.closest('.card-body, .grid'))
          .filter((control) => {
            const { left, right } = control.getBoundingClientRect();
            const overflows =
              control.matches('.chip, .search-head, summary') && control.scrollWidth > control.clientWidth;
            const edge =
              control.closest('.card')?.getBoundingClientRect().right ?? document.documentElement.clientWidth;
            return overflows || left < -0.5 || right > edge + 0.5;
          })
          .map((control) => control.outerHTML.slice(0, 200))
          .concat(wide);
      });
    await page.setViewportSize({ width: 250, height: 700 });
    await becomes(clipped, []);
    const count = chat.view.locator('.search-head').getByText('3 members');
    const lines = await count.evaluate((span) => {
      const range = document.createRange();
      range.selectNodeContents(span);
      return range.getClientRects().length;
    });
    assert.equal(lines, 1, 'the number of members is broken');
    const name = await chat.view.locator('.card-title').getAttribute('title');
    assert.equal(name, 'Orders by status\nOrders of all years', 'what is cut off is told whole');
    const branch = chat.button(`Branch: ${BRANCH}`);
    assert.equal(await branch.getAttribute('title'), `Branch: ${BRANCH}`);
    assert.equal(await branch.textContent(), BRANCH);
    const share = await branch.evaluate((button) => button.clientWidth / (button.parentElement?.clientWidth ?? 0));
    assert.ok(share > 0.5, `a short identity leaves the branch only ${share} of its row`);
    await chat.ask('fail');
    (await service.next()).line({ error: 'BadRequestError: Bad branch' });
    await chat.view.getByRole('alert').waitFor();
    await becomes(clipped, []);
    // As narrow as the editor allows, with words as long as in other languages.
    await page.setViewportSize({ width: 170, height: 700 });
    for (const action of await chat.view.locator('.sql-actions button').all())
      await action.evaluate((button) => (button.textContent += 'lijk'));
    await becomes(clipped, []);
    await page.setViewportSize({ width: 500, height: 700 });
    await frame.evaluate(() => (document.documentElement.style.zoom = '2'));
    await becomes(clipped, []);
    await frame.evaluate(() => (document.documentElement.style.zoom = ''));
  });

  it('keeps the title of a card in a narrow view by moving less common actions into a menu', async () => {
    const title = chat.view.locator('.card-title').first();
    const isWhole = (): Promise<boolean> =>
      title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    await page.setViewportSize({ width: 290, height: 700 });
    await until(isWhole, () => 'The title is cut off.');
    for (const name of ['Show table', 'Save chart']) await chat.button(name).waitFor();
    await chat.button('Change chart').waitFor({ state: 'detached' });
    const more = chat.button('More actions');
    assert.equal(await more.getAttribute('aria-haspopup'), 'menu');
    await more.click();
    const item = chat.view.getByRole('menuitem', { name: 'Change chart' });
    await item.waitFor();
    // The browser tells the page after it has shown or hidden the menu.
    await becomes(() => more.getAttribute('aria-expanded'), 'true');
    // A second click closes it.
    await more.click();
    await item.waitFor({ state: 'detached' });
    await becomes(() => more.getAttribute('aria-expanded'), null);
    await more.click();
    await item.hover();
    // The menus that were closed before are no longer the button's.
    await item.dispatchEvent('wheel');
    assert.equal(await item.count(), 1);
    assert.equal(await more.getAttribute('aria-expanded'), 'true');
    await chat.log.hover({ position: { x: 20, y: 20 } });
    await page.mouse.wheel(0, 10);
    await item.waitFor({ state: 'detached' });
    await focuses(chat, /^More actions$/);
    await more.click();
    await item.click();
    const studio = chat.view.getByRole('group', { name: 'Change chart' });
    await studio.getByLabel('Chart type').press('Escape');
    await studio.waitFor({ state: 'detached' });
    // The button that opened the studio.
    await focuses(chat, /^More actions$/);
    await page.setViewportSize({ width: 500, height: 700 });
    await chat.button('Change chart').waitFor();
    await more.waitFor({ state: 'detached' });
  });

  // The last one: the browser keeps the emulation.
  it('shows the actions of questions on touch screens without a pointer over them', async () => {
    const actions = chat.view.locator('.question-actions').first();
    const opacity = (): Promise<string> => actions.evaluate((element) => getComputedStyle(element).opacity);
    await chat.field.hover();
    await becomes(opacity, '0');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await becomes(opacity, '1');
  });

  it('keeps the actions and the tokens of an answer in a narrow view', async () => {
    await page.setViewportSize({ width: 400, height: 700 });
    const written = await setup.start('all in one');
    const result = { schema: [{ name: 'n', columnType: 'number' }], data: [[1]] };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'One' }, result);
    written.line({ id: 'all', role: 'assistant', content: '| n |\n|---|\n| 1 |', graphPath: ['final'] });
    written.end({ id: '__usage__', type: 'usage', usage: { inputTokens: 300, outputTokens: 5 } });
    await chat.view.getByText('305 tokens').waitFor();
    const footer = chat.view.locator('.answer-footer');
    assert.equal(await footer.getByRole('button').count(), 5);
    const beyond = (): Promise<(string | null)[]> =>
      footer.evaluate(({ parentElement, children }) => {
        const edge = parentElement?.getBoundingClientRect().right ?? NaN;
        return [...children]
          .filter((each) => !(each.getBoundingClientRect().right <= edge))
          .map((each) => each.textContent);
      });
    for (const [width, content] of [
      [225, 201],
      [214, 190],
      [170, 146],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await becomes(() => footer.evaluate(({ clientWidth }) => clientWidth), content);
      assert.deepEqual(await beyond(), [], `${width}`);
    }
    await page.setViewportSize({ width: 400, height: 700 });
  });
});
