/** The composer, against a service whose every line the test writes. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { dropFile, innerFrame, pasteFile, type Chat } from '../../support/chat.ts';
import { PIXEL, pixel } from '../../support/samples.ts';
import { focuses } from '../../support/keyboard.ts';
import { becomes, until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useChatPage } from '../support/chatPage.ts';

describe('The composer', () => {
  const setup = useChatPage();
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  it('sends with the key of the settings, and shows as much thinking as they say', async () => {
    setup.setContext({ sendKey: 'modEnter', showThinking: 'expanded' });
    const send = chat.view.locator('vscode-button[aria-label=Send]');
    await until(async () => /^Send \((Ctrl\+|⌘)Enter\)$/.test((await send.getAttribute('title')) ?? ''));
    await chat.field.fill('two');
    await chat.field.press('Enter');
    await page.keyboard.type('lines');
    assert.equal(await chat.field.inputValue(), 'two\nlines');
    await chat.field.press('Control+Enter');
    const written = await service.next();
    assert.equal(written.body.input, 'two\nlines');
    // The Command key of macOS.
    await chat.field.fill('three');
    await chat.field.press('Meta+Enter');
    await becomes(() => chat.field.inputValue(), '');
    await chat.button('Remove queued message').click();
    written.think('m1', 'All in the open.');
    written.answer('Yes.');
    await chat.told('Answer finished');
    const thought = chat.view.getByRole('group', { name: 'Thinking' }).getByText('All in the open.');
    for (const state of ['visible', 'detached'] as const) {
      await thought.waitFor({ state });
      await chat.button(/^Steps/).click();
    }
    await thought.waitFor();
    // In a recalled question of several lines, the arrow keys first move the caret.
    for (const [key, text] of [
      ['ArrowUp', 'two\nlines'],
      ['ArrowUp', 'two\nlines'],
      ['ArrowDown', 'two\nlines'],
      ['ArrowDown', ''],
    ] as const) {
      await chat.field.press(key);
      await becomes(() => chat.field.inputValue(), text);
    }
    setup.setContext({ sendKey: 'enter', showThinking: 'hidden' });
    await thought.waitFor({ state: 'detached' });
    assert.equal(await chat.button(/^Steps/).count(), 0);
    setup.setContext({ showThinking: 'collapsed' });
  });

  it('sends nothing if it is empty, or with the keys of other settings', async () => {
    await setup.newChat();
    const before = setup.asked.length;
    for (const [text, ...keys] of [
      ['', 'Enter'],
      [' \n', 'Enter'],
      ['x', 'Control+Enter', 'Meta+Enter', 'Alt+Enter', 'Escape'],
    ]) {
      await chat.field.fill(text!);
      for (const key of keys) await chat.field.press(key);
    }
    await chat.field.press('Shift+Enter');
    assert.equal(await chat.field.inputValue(), 'x\n');
    // The draft is posted last.
    await becomes(() => setup.draft(), 'x\n');
    assert.deepEqual(new Set(setup.asked.slice(before).map(({ type }) => type)), new Set(['draft']));
    await chat.field.fill('');
  });

  it('does not send while an input method is composing', async () => {
    await setup.newChat();
    const cdp = await page.context().newCDPSession(page);
    const before = service.requests.length;
    await chat.field.click();
    await cdp.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    await page.keyboard.press('Enter');
    await cdp.send('Input.insertText', { text: '日本' });
    await page.keyboard.type(' sales');
    assert.match(await chat.field.inputValue(), /日本 sales/);
    assert.equal(service.requests.length, before);
    assert.equal(await chat.view.getByRole('article', { name: 'You' }).count(), 0);
    await chat.field.fill('日本 sales');
    await page.keyboard.press('Enter');
    const written = await service.next();
    assert.equal(written.body.input, '日本 sales');
    written.answer('Many.');
    await chat.told('Answer finished');
  });

  it('queues messages during an answer: shown, edited, removed, and sent in order', async () => {
    const first = await setup.start('first');
    for (const text of ['second', 'third', 'fourth']) await chat.ask(text);
    const queue = chat.view.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await queue.nth(2).waitFor();
    await becomes(() => queue.allTextContents(), ['second', 'third', 'fourth']);
    await queue.nth(1).getByRole('button', { name: 'Remove queued message' }).click();
    await queue.nth(2).waitFor({ state: 'detached' });
    await chat.field.fill('not sent yet');
    await queue.nth(1).getByRole('button', { name: 'Edit queued message' }).click();
    await queue.nth(1).waitFor({ state: 'detached' });
    await becomes(() => chat.field.inputValue(), 'fourth\nnot sent yet');
    await page.keyboard.type(' and last');
    await page.keyboard.press('Shift+Control+End');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await queue.nth(1).waitFor();
    await chat.field.fill('not sent yet');
    const before = service.requests.length;
    first.answer('1');
    const second = await service.next();
    assert.equal(second.body.input, 'second');
    await queue.nth(1).waitFor({ state: 'detached' });
    assert.equal(await chat.field.inputValue(), 'not sent yet', 'only the text that was sent is cleared');
    await chat.field.fill('');
    second.answer('2');
    const last = await service.next();
    assert.equal(last.body.input, 'fourth and last');
    last.answer('3');
    await chat.told('Answer finished');
    await queue.first().waitFor({ state: 'detached' });
    await becomes(() => chat.answers().allInnerTexts(), ['1', '2', '3']);
    assert.equal(service.requests.length, before + 2);
  });

  it('recalls earlier questions with the arrow keys, one that was repeated only once', async () => {
    await setup.answered('fourth and last', '3 again');
    for (const [key, text] of [
      ['ArrowUp', 'fourth and last'],
      ['ArrowUp', 'second'],
      ['ArrowDown', 'fourth and last'],
      ['ArrowDown', ''],
    ] as const) {
      await chat.field.press(key);
      await becomes(() => chat.field.inputValue(), text);
    }
    for (const key of ['ArrowUp', 'Shift+ArrowUp', 'Control+ArrowUp']) await chat.field.press(key);
    await becomes(() => chat.field.inputValue(), 'fourth and last');
    await chat.field.fill('');
  });

  it('lets the user edit a question, with the draft back after it is asked anew or the editing is canceled', async () => {
    const question = chat.view.getByRole('article', { name: 'You' }).first();
    const editing = chat.view
      .locator('.editing')
      .getByText('Editing an earlier question. It will be asked as a new one.');
    await chat.field.fill('not sent yet');
    await pasteFile(chat, { name: 'notes.svg', type: 'image/svg+xml', bytes: 10 });
    const refused = chat.view.locator('.refused');
    await refused.waitFor();
    const edit = async (): Promise<void> => {
      // The draft stays aside however often it is pressed.
      for (let presses = 1; presses <= 2; presses += 1) {
        await question.getByRole('button', { name: 'Edit question' }).click();
        await becomes(() => chat.field.inputValue(), 'first');
      }
      assert.equal(await refused.count(), 0, 'it was about the other draft');
      await editing.waitFor();
    };
    for (const cancel of [() => chat.button('Cancel editing').click(), () => chat.field.press('Escape')]) {
      await edit();
      await cancel();
      await focuses(chat, /^Message$/);
      await becomes(() => chat.field.inputValue(), 'not sent yet');
      await editing.waitFor({ state: 'detached' });
    }
    await edit();
    await chat.told('Editing an earlier question');
    await focuses(chat, /^Message$/);
    await page.keyboard.type(' of all');
    await page.keyboard.press('Enter');
    const edited = await service.next();
    assert.equal(edited.body.input, 'first of all');
    await becomes(() => chat.field.inputValue(), 'not sent yet');
    edited.answer('1 of all');
    await chat.told('Answer finished');
    await chat.field.fill('');
    await question.getByRole('button', { name: 'Ask again' }).click();
    const again = await service.next();
    assert.equal(again.body.input, 'first');
    again.answer('1 again');
    await chat.told('Answer finished');
    await chat.answers().last().hover();
    await chat.answers().last().getByRole('button', { name: 'Copy answer' }).click();
    await until(() => setup.intents.some(({ type }) => type === 'copyAnswer'));
  });

  it('keeps queued messages after a stop until the user sends them', async () => {
    await setup.newChat();
    await chat.ask('first');
    await service.next();
    for (let at = 1; at <= 12; at += 1) await chat.ask(`waiting ${at}`);
    const queue = chat.view.getByRole('list', { name: 'Queued messages' });
    assert.equal(await chat.button('Send queued message').count(), 0);
    await chat.button('Stop').click();
    await chat.told('Stopped');
    const [field, view] = [await chat.field.boundingBox(), await chat.view.locator('main').boundingBox()];
    assert.ok(field && view && field.y + field.height <= view.y + view.height, 'the field is in sight');
    await becomes(() => queue.getByRole('listitem').count(), 12);
    await chat.button('Send queued message').first().click();
    const written = await service.next();
    assert.equal(written.body.input, 'waiting 1');
    await becomes(() => queue.getByRole('listitem').count(), 11);
    for (let at = 2; at <= 12; at += 1) {
      const one = queue.getByRole('listitem').filter({ has: chat.view.getByText(`waiting ${at}`, { exact: true }) });
      await one.getByRole('button', { name: 'Remove queued message' }).click();
      await one.waitFor({ state: 'detached' });
    }
    written.answer('At last.');
    await chat.told('Answer finished');
  });

  it('shows the images of a queued message, also without text, and keeps other images when it is sent', async () => {
    const first = await setup.start('first');
    await pasteFile(chat, pixel);
    await chat.button('Send').click();
    const queue = chat.view.getByRole('list', { name: 'Queued messages' });
    const attached = chat.view.getByRole('list', { name: 'Attached images' });
    await chat.button('Edit queued message').click();
    await attached.getByRole('img', { name: 'pixel.png' }).waitFor();
    await chat.button('Send').click();
    await queue.getByRole('img', { name: 'pixel.png' }).waitFor();
    await pasteFile(chat, { ...pixel, name: 'next.png', bytes: [...pixel.bytes, 0] });
    await attached.getByRole('img', { name: 'next.png' }).waitFor();
    first.answer('1');
    const second = await service.next();
    assert.deepEqual(second.body.images, [{ mimeType: 'image/png', data: PIXEL, name: 'pixel.png' }]);
    await queue.waitFor({ state: 'detached' });
    assert.equal(await chat.view.locator('.question-pin').count(), 1, 'there is no text to pin');
    assert.equal(await attached.getByRole('img', { name: 'next.png' }).count(), 1, 'it was not sent');
    await chat.button('Remove image').click();
    second.answer('2');
    await chat.told('Answer finished');
  });

  it('offers slash commands by keyboard alone', async () => {
    await chat.field.press('/');
    const options = chat.view.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await becomes(() => options.count(), 7);
    await page.keyboard.press('ArrowDown');
    const active = await options.and(chat.view.locator('[aria-selected=true]')).getAttribute('id');
    await becomes(() => chat.field.getAttribute('aria-activedescendant'), active);
    const controls = (): Promise<string | null> => chat.field.getAttribute('aria-controls');
    assert.equal(await chat.view.getByRole('listbox').getAttribute('id'), await controls());
    await page.keyboard.press('Shift+Tab');
    await focuses(chat, /^New chat$/);
    await chat.button('Identity: dev').click();
    await until(() => setup.intents.some(({ type }) => type === 'switchIdentity'));
    await chat.button('New chat').focus();
    assert.equal(await options.count(), 7, 'leaving the field runs no command');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(() => setup.intents.some((intent) => intent.type === 'command' && intent.name === 'identity'));
    await page.keyboard.press('/');
    await options.first().and(chat.view.locator('[aria-selected=true]')).waitFor();
    for (const key of ['ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    await options.first().and(chat.view.locator('[aria-selected=true]')).waitFor();
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    assert.deepEqual([await controls(), await chat.field.getAttribute('aria-activedescendant')], [null, null]);
    for (const name of ['branch', 'identity', 'compare', 'sql', 'export', 'help'] as const) {
      await chat.field.fill(`/${name}`);
      await page.keyboard.press('Tab');
      await becomes(() => setup.asked.findLast(({ type }) => type !== 'draft'), { type: 'command', name });
      await focuses(chat, /^Message$/);
    }
    // Shift+Enter starts a line, as without a list.
    await chat.field.fill('/');
    await page.keyboard.press('Shift+Enter');
    assert.equal(await chat.field.inputValue(), '/\n');
    await chat.field.fill('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('E');
    await becomes(
      () => options.and(chat.view.locator('[aria-selected=true]')).allTextContents(),
      ['/exportExport this chat'],
    );
    await chat.field.fill('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('i');
    await options.first().and(chat.view.locator('[aria-selected=true]')).getByText('/identity').waitFor();
    await chat.field.fill('/');
    await page.keyboard.type('ne');
    await becomes(() => options.count(), 1);
    await page.keyboard.press('Enter');
    await chat.view.getByText('Ask about your data.').waitFor();
    await becomes(() => chat.field.inputValue(), '');
  });

  it('highlights the slash command under the pointer, and runs it by a click of the left button', async () => {
    await setup.newChat();
    const option = chat.view.getByRole('option', { name: /^\/export/ });
    const runs = (): number => setup.intents.filter((i) => i.type === 'command' && i.name === 'export').length;
    const color = (): Promise<string> => option.evaluate((element) => getComputedStyle(element).backgroundColor);
    await chat.field.press('/');
    const [plain, before] = [await color(), runs()];
    await option.click({ button: 'right' });
    assert.notEqual(await color(), plain);
    assert.equal(runs(), before);
    await option.click();
    await until(() => runs() === before + 1);
    await focuses(chat, /^Message$/);
    await becomes(() => chat.field.inputValue(), '');
  });

  it('does not stop an answer by the second click of a double-click on Send', async () => {
    await setup.newChat();
    await chat.field.fill('twice');
    await chat.button('Send').hover();
    const click = async (clickCount: number): Promise<void> => {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
    };
    await click(1);
    const written = await service.next();
    await chat.button('Stop').waitFor();
    await click(2);
    written.answer('Once.');
    await chat.told('Answer finished');
    await becomes(() => chat.answers().allInnerTexts(), ['Once.']);
  });

  /** Posts a message as the host does. */
  const fromHost = (message: object): Promise<void> =>
    page.evaluate((each) => window.postMessage(each, window.origin), message);
  const attach = (attachment: object): Promise<void> =>
    fromHost({ type: 'compose', draft: { text: '', images: [], attachments: [attachment] } });

  it('completes files behind an @ at the start of a word, not behind one that is pasted or left over', async () => {
    await setup.newChat();
    const asked = (type: string): unknown[] => setup.intents.filter((intent) => intent.type === type);
    const before = asked('listFiles').length;
    const paths = ['dbt_project.yml', 'model/cubes/orders.yml', 'model/views/reorders.yml', 'orders/readme.md'];
    const list = (): Promise<void> =>
      fromHost({ type: 'files', files: paths.map((path) => ({ path, uri: `file:///shop/${path}` })) });
    await chat.field.fill('see @');
    for (const key of ['x', 'Backspace', 'a', '@', ' ', '@']) await chat.field.press(key);
    assert.equal(await chat.field.inputValue(), 'see @a@ @');
    await becomes(() => Promise.resolve(asked('listFiles').length - before), 1);
    await list();
    const options = chat.view.getByRole('listbox', { name: 'Files' }).getByRole('option');
    await becomes(() => options.count(), 4);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('ORD');
    const orders = ['orders.ymlmodel/cubes', 'reorders.ymlmodel/views', 'readme.mdorders'];
    await becomes(() => options.allTextContents(), orders);
    assert.equal(await options.first().getAttribute('aria-selected'), 'true', 'the first of the new list');
    await page.keyboard.press('ArrowDown');
    assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await becomes(() => Promise.resolve(asked('attachUris').at(-1)), {
      type: 'attachUris',
      uris: ['file:///shop/model/cubes/orders.yml'],
    });
    await becomes(() => chat.field.inputValue(), 'see @a@ ');
    await options.first().waitFor({ state: 'detached' });
    // Escape, a space, another place of the caret and of the focus close the list, and Enter sends.
    const ways = ['Escape', ' ', 'ArrowLeft', 'Home', 'PageUp'].map((key) => () => page.keyboard.press(key));
    for (const leave of [...ways, () => chat.field.click(), () => chat.log.focus()]) {
      await chat.field.focus();
      await page.keyboard.type(' @');
      assert.equal(await options.count(), 0, 'the files may have changed');
      await list();
      await options.first().waitFor();
      await leave();
      await options.first().waitFor({ state: 'detached' });
    }
    await chat.field.fill('');
  });

  it('keeps attached texts as chips, and sends them above the question', async () => {
    const chips = chat.view.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await chat.field.fill('why?');
    await chat.field.press('Home');
    await attach({ kind: 'file', name: 'orders.yml', text: `About orders.yml:\n${'x'.repeat(2000)}\n` });
    await attach({ kind: 'problem', name: 'orders.yml:12', text: 'Problem in orders.yml:12: Unknown cube\n' });
    await attach({ kind: 'selection', name: 'orders.yml', text: 'x'.repeat(40_000), cut: true });
    await becomes(() => chips.count(), 3);
    assert.equal(await chat.field.inputValue(), 'why?');
    assert.equal(await chat.field.evaluate((field) => (field as HTMLTextAreaElement).selectionEnd), 0, 'the caret');
    await chat.button('Remove orders.yml').last().click();
    await becomes(() => chips.allInnerTexts(), ['orders.yml\n2 kB', 'orders.yml:12\n0.1 kB']);
    await chat.button('Remove orders.yml').first().click();
    await becomes(() => chips.count(), 1);
    // Kept while the page is unloaded.
    await setup.reload();
    await becomes(() => chips.allInnerTexts(), ['orders.yml:12\n0.1 kB']);
    await chat.button('Send').click();
    const written = await service.next();
    assert.equal(written.body.input, 'Problem in orders.yml:12: Unknown cube\n\nwhy?');
    await focuses(chat, /^Message$/);
    await chips.first().waitFor({ state: 'detached' });
    written.answer('So.');
    await chat.told('Answer finished');
    // Emptied when its message is sent in another view, text and attachments, and by no other message.
    await attach({ kind: 'file', name: 'a.yml', text: 'About a.yml:\n' });
    await chips.first().waitFor();
    await chat.field.fill('and?');
    const context = { branch: '', isDefaultBranch: true, identity: 'dev' };
    const questions = chat.view.getByRole('article', { name: 'You' });
    const asked = await questions.count();
    for (const [text, left] of [
      ['and?', 1],
      ['About a.yml:\n\nand?', 0],
    ] as const) {
      setup.session().dispatch([{ type: 'sent', id: text, text, images: [], context, time: 0 }, { type: 'finished' }]);
      await becomes(() => questions.count(), asked + 2 - left);
      await becomes(() => chips.count(), left);
    }
    assert.equal(await chat.field.inputValue(), '');
  });

  it('folds attached texts in a question that was asked, and edits it with its chips', async () => {
    await setup.newChat();
    const chips = chat.view.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await attach({ kind: 'file', name: 'orders.yml', text: 'About orders.yml:\n```yaml\ncubes: []\n```\n' });
    await chips.first().waitFor();
    await chat.ask('why?');
    const first = await service.next();
    first.answer('So.');
    await chat.told('Answer finished');
    const attached = chat.view.getByRole('article', { name: 'You' }).getByText('cubes: []');
    await attached.waitFor({ state: 'hidden' });
    await chat.view.getByText('About orders.yml:').click();
    await attached.waitFor();
    assert.equal(await attached.textContent(), '```yaml\ncubes: []\n```\n\n');
    // What is copied from there is what was asked.
    assert.equal(await chat.log.locator('.bubble').textContent(), first.body.input);
    await chat.button('Edit question').click();
    await becomes(() => chips.allInnerTexts(), ['About orders.yml:\n0.1 kB']);
    assert.equal(await chat.field.inputValue(), 'why?');
    await chat.button('Send').click();
    const second = await service.next();
    assert.equal(second.body.input, first.body.input);
    second.answer('So.');
    await chat.told('Answer finished');
    // Recalled like that, too.
    await chat.field.press('ArrowUp');
    await becomes(() => chips.count(), 1);
    await becomes(() => chat.field.inputValue(), 'why?');
    await chat.field.press('ArrowDown');
    await becomes(() => chips.count(), 0);
  });

  it('shows the caret below a long message that returns', async () => {
    await fromHost({ type: 'compose', draft: { text: 'line\n'.repeat(100), images: [] } });
    const showsEnd = (): Promise<boolean> =>
      chat.field.evaluate(
        ({ scrollTop, scrollHeight, clientHeight }) => scrollTop > 0 && scrollHeight - scrollTop - clientHeight < 2,
      );
    await becomes(showsEnd, true);
    await chat.field.fill('');
  });

  it('accepts pasted images of allowed types and sizes, sends them as plain base64, and recalls them', async () => {
    await setup.newChat();
    await pasteFile(chat, { name: 'notes.svg', type: 'image/svg+xml', bytes: 10 });
    await chat.told('Not attached');
    await chat.view.locator('.refused').getByText('Not attached').waitFor();
    assert.equal(await chat.view.getByRole('alert').count(), 0, 'it is announced once');
    await pasteFile(chat, { name: 'huge.png', type: 'image/png', bytes: 5 * 1024 * 1024 + 1 });
    assert.equal(await chat.view.getByRole('list', { name: 'Attached images' }).count(), 0);
    await chat.field.fill('/br');
    await chat.view.getByRole('option', { name: /^\/branch/ }).waitFor();
    await pasteFile(chat, pixel);
    await chat.view.getByRole('img', { name: 'pixel.png' }).waitFor();
    await chat.field.press('Enter');
    await until(() => setup.intents.some((intent) => intent.type === 'command' && intent.name === 'branch'));
    await chat.view.getByRole('img', { name: 'pixel.png' }).waitFor();
    await becomes(() => chat.field.inputValue(), '');
    await pasteFile(chat, { ...pixel, name: 'wrong.png' });
    await chat.view.getByRole('img', { name: 'wrong.png' }).waitFor();
    await pasteFile(chat, { ...pixel, name: 'second.png', bytes: [...pixel.bytes, 0] });
    await chat.view.getByRole('img', { name: 'second.png' }).waitFor();
    await chat.button('Remove image').nth(1).click();
    await chat.view.getByRole('img', { name: 'wrong.png' }).waitFor({ state: 'detached' });
    await chat.ask('what is this?');
    const written = await service.next();
    assert.deepEqual(written.body.images, [
      { mimeType: 'image/png', data: PIXEL, name: 'pixel.png' },
      {
        mimeType: 'image/png',
        data: Buffer.from([...pixel.bytes, 0]).toString('base64'),
        name: 'second.png',
      },
    ]);
    await chat.view.getByRole('list', { name: 'Attached images' }).waitFor({ state: 'detached' });
    written.answer('A pixel.');
    await chat.told('Answer finished');
    await pasteFile(chat, { name: 'notes.svg', type: 'image/svg+xml', bytes: 10 });
    await chat.view.locator('.refused').waitFor();
    await chat.ask('and now?');
    await chat.view.locator('.refused').waitFor({ state: 'detached' });
    (await service.next()).answer('Nothing.');
    await chat.told('Answer finished');
    const images = chat.view.getByRole('list', { name: 'Attached images' }).getByRole('img');
    for (const [key, count] of [
      ['ArrowUp', 0],
      ['ArrowUp', 2],
      ['ArrowDown', 0],
      ['ArrowDown', 0],
    ] as const) {
      await chat.field.press(key);
      await becomes(() => images.count(), count);
    }
  });

  it('pastes the text of copied cells, not their picture, and a copied file, not its name', async () => {
    await setup.newChat();
    await page.evaluate(async () => {
      const canvas = document.createElement('canvas');
      const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
      const typed = (type: string, text: string): Blob => new Blob([text], { type });
      const item = new ClipboardItem({
        'text/plain': typed('text/plain', 'north\t12'),
        'text/html': typed('text/html', '<table><tr><td>north</td><td>12</td></tr></table>'),
        'image/png': picture!,
      });
      await navigator.clipboard.write([item]);
    });
    await chat.field.press('Control+v');
    await becomes(() => chat.field.inputValue(), 'north\t12');
    assert.equal(await chat.view.getByRole('list', { name: 'Attached images' }).count(), 0);
    await chat.field.fill('');
    // A file that is copied in a file manager.
    await chat.field.evaluate((field, bytes) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'pixel.png');
      clipboardData.items.add(new File([Uint8Array.from(bytes)], 'pixel.png', { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, pixel.bytes);
    await chat.button('Remove image').click();
  });

  it('accepts dropped images, checked like pasted ones, and leaves other dropped files to VS Code', async () => {
    await setup.newChat();
    await dropFile(chat, { name: 'notes.svg', type: 'image/svg+xml', bytes: 10 });
    await chat.view.locator('.refused').getByText('Not attached').waitFor();
    await dropFile(chat, pixel);
    await chat.view.getByRole('img', { name: 'pixel.png' }).waitFor();
    await chat.view.locator('.refused').waitFor({ state: 'detached' });
    await chat.field.evaluate((field) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', '# two files\r\nfile:///repo/orders.yml\r\nfile:///repo/pixel.png');
      field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    const dropped = await until(() =>
      setup.intents.findLast((each) => each.type === 'attachUris' && each.uris.length === 2),
    );
    assert.deepEqual(dropped, { type: 'attachUris', uris: ['file:///repo/orders.yml', 'file:///repo/pixel.png'] });
    await chat.button('Remove image').click();
    await chat.view.getByRole('img', { name: 'pixel.png' }).waitFor({ state: 'detached' });
    // An image of a web page.
    await chat.field.evaluate((field, bytes) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', 'https://example.com/web.png');
      data.setData('text/html', '<img src="https://example.com/web.png">');
      data.items.add(new File([Uint8Array.from(bytes)], 'web.png', { type: 'image/png' }));
      field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, pixel.bytes);
    await chat.view.getByRole('img', { name: 'web.png' }).waitFor();
    await chat.button('Remove image').click();
    // A file of VS Code, on any file system, of which the browser has a copy.
    await chat.field.evaluate((field) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', 'https://file.example/orders.yml');
      data.setData('application/vnd.code.uri-list', 'vscode-vfs://github/orders.yml');
      data.items.add(new File(['x'], 'orders.yml'));
      field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await becomes(() => setup.intents.at(-1), { type: 'attachUris', uris: ['vscode-vfs://github/orders.yml'] });
    // Beside the field.
    await dropFile(chat, pixel, chat.log);
    await chat.view.getByRole('img', { name: 'pixel.png' }).waitFor();
    await chat.button('Remove image').click();
  });

  it('takes the focus with a returned message once VS Code gives it, so that an open prompt stays open', async () => {
    await setup.newChat();
    await chat.field.blur();
    const isFocused = (): Promise<boolean> => chat.field.evaluate((field) => field === document.activeElement);
    await page.evaluate(() => {
      document.hasFocus = () => false;
      window.postMessage({ type: 'compose', draft: { text: 'and now?', images: [] } }, window.origin);
    });
    await becomes(() => chat.field.inputValue(), 'and now?');
    assert.equal(await isFocused(), false);
    await page.evaluate(() => {
      document.hasFocus = Document.prototype.hasFocus;
      window.dispatchEvent(new Event('focus'));
    });
    await until(isFocused);
    await chat.field.fill('');
    // Only then.
    await chat.button('New chat').focus();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await focuses(chat, /^New chat$/);
  });

  it('says if a returned message has more images than a message can have', async () => {
    await setup.newChat();
    await page.evaluate((data) => {
      const images = Array.from({ length: 11 }, (_, at) => ({ mimeType: 'image/png', data, name: `${at}.png` }));
      window.postMessage({ type: 'compose', draft: { text: '', images } }, window.origin);
    }, PIXEL);
    await chat.view.locator('.refused').getByText('A message can have 10 images.').waitFor();
    const images = chat.view.getByRole('list', { name: 'Attached images' }).getByRole('img');
    await becomes(() => images.count(), 10);
    await chat.told('Not attached: A message can have 10 images.');
    // A message without any says nothing of the kind.
    await fromHost({ type: 'compose', draft: { text: 'and this', images: [] } });
    await chat.view.locator('.refused').waitFor({ state: 'detached' });
    await pasteFile(chat, pixel);
    await chat.told('Not attached: A message can have 10 images.');
    assert.equal(await images.count(), 10);
    await setup.newChat();
    await chat.field.evaluate((field, bytes) => {
      const dataTransfer = new DataTransfer();
      for (let at = 0; at < 11; at += 1)
        dataTransfer.items.add(new File([Uint8Array.from(bytes)], `${at}.png`, { type: 'image/png' }));
      field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, pixel.bytes);
    await chat.told('Not attached: A message can have 10 images.');
    await becomes(
      () => images.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).alt)),
      [...Array.from({ length: 10 }, (_, at) => `${at}.png`)],
    );
  });

  it('saves its text at once when the focus leaves it or another chat is shown, and otherwise after a moment', async () => {
    for (const leave of ['blur', 'focusout', 'new chat']) {
      await setup.newChat();
      const before = setup.asked.length;
      await page.evaluate(() => {
        const wait = window.setTimeout.bind(window);
        const never = (run: () => void, ms?: number): number => (ms === 300 ? 1 : wait(run, ms));
        Object.assign(window, { setTimeout: never, restore: () => Object.assign(window, { setTimeout: wait }) });
      });
      await chat.field.fill(leave);
      const saved = (): unknown =>
        setup.asked.slice(before).flatMap((each) => (each.type === 'draft' ? each.draft.text : []));
      assert.deepEqual(saved(), []);
      if (leave === 'new chat') await setup.newChat();
      else
        await chat.field.evaluate(
          (field, type) => (type === 'blur' ? window : field).dispatchEvent(new Event(type, { bubbles: true })),
          leave,
        );
      await becomes(saved, [leave]);
      await page.evaluate(() => Reflect.get(window, 'restore')());
    }
    await chat.field.fill('later');
    await becomes(() => setup.draft(), 'later');
    await chat.field.fill('');
  });

  it('lets files be dropped anywhere, and text only into fields', async () => {
    const accepts = (type: string): Promise<boolean[]> =>
      chat.log.evaluate((log, kind) => {
        const dataTransfer = new DataTransfer();
        if (kind === 'Files') dataTransfer.items.add(new File(['x'], 'x.png'));
        else dataTransfer.setData(kind, 'x');
        const given = { dataTransfer, bubbles: true, cancelable: true };
        return ['dragover', 'drop'].map((event) => !log.dispatchEvent(new DragEvent(event, given)));
      }, type);
    const answers = await Promise.all(['Files', 'text/uri-list', 'text/plain', 'text/html'].map(accepts));
    assert.deepEqual(
      answers,
      [true, true, false, false].map((accepted) => [accepted, accepted]),
    );
  });

  it('keeps unsaved text when the draft is edited in another view', async () => {
    await setup.newChat();
    const shown = await chat.field.evaluate(async (field) => {
      (field as HTMLTextAreaElement).value = 'typed here';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      window.postMessage({ type: 'draft', draft: { text: 'typed there', images: [] } }, window.origin);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return (field as HTMLTextAreaElement).value;
    });
    assert.equal(shown, 'typed here');
    await becomes(() => setup.draft(), 'typed here');
    await fromHost({ type: 'draft', draft: { text: 'typed there', images: [] } });
    await becomes(() => chat.field.inputValue(), 'typed there');
    await chat.field.fill('');
  });

  it('ignores messages of other origins, of other windows and of another form', async () => {
    await setup.newChat();
    await fromHost({ type: 'unknown' });
    await page.evaluate(() => {
      const compose = (text: string, options: MessageEventInit): boolean =>
        window.dispatchEvent(
          new MessageEvent('message', { data: { type: 'compose', draft: { text, images: [] } }, ...options }),
        );
      compose('another origin', { origin: 'https://evil.example', source: window });
      compose('another window', { origin: window.origin, source: new MessageChannel().port1 });
      compose('no window', { origin: window.origin });
      compose('the host', { origin: window.origin, source: window });
    });
    await becomes(() => chat.field.inputValue(), 'the host');
    await chat.field.fill('');
  });

  it('leaves its focus to a recorded chat, and is below how long another chat lasts', async () => {
    await setup.newChat();
    await setup.answered('one', '1');
    setup.setContext({ readOnly: true });
    await chat.view.getByRole('group', { name: 'Recorded chat' }).waitFor();
    await page.evaluate(() => window.postMessage({ type: 'focus', what: 'composer' }, window.origin));
    await focuses(chat, /^New chat$/);
    for (const [lifetime, words] of [
      [5400, '2 hours'],
      [24 * 60 * 60, '1 day'],
      [20, '1 minute'],
    ] as const) {
      setup.setContext({ readOnly: false, lifetime });
      await chat.view.getByRole('note').getByText(`The service may delete this chat after ${words}.`).waitFor();
    }
    setup.setContext({ lifetime: 0 });
  });

  it('keeps a message that comes back while a recorded chat has no field for it', async () => {
    await setup.newChat();
    setup.setContext({ readOnly: true });
    await chat.view.getByRole('group', { name: 'Recorded chat' }).waitFor();
    for (const text of ['second', 'first']) await fromHost({ type: 'compose', draft: { text, images: [] } });
    setup.setContext({ readOnly: false });
    await becomes(() => chat.field.inputValue(), 'first\nsecond');
    await chat.field.fill('');
  });

  it('shows the icons of buttons that appear with a queue and an answer', async () => {
    await setup.newChat();
    const frame = await innerFrame(chat);
    const widths = await frame.evaluateHandle(() => {
      const drawn: Record<string, number> = {};
      const known = new WeakSet<Element>();
      // A frame may be painted right after this.
      new MutationObserver(() => {
        for (const each of document.querySelectorAll('vscode-button[aria-label]')) {
          if (known.has(each)) continue;
          known.add(each);
          drawn[each.getAttribute('aria-label') ?? ''] = each.getBoundingClientRect().width;
        }
      }).observe(document.body, { childList: true, subtree: true });
      return drawn;
    });
    await chat.ask('one');
    await chat.ask('two');
    await chat.button('Remove queued message').click();
    await chat.button('Remove queued message').waitFor({ state: 'detached' });
    (await service.next()).answer('First.');
    await chat.button('Copy answer').waitFor();
    await chat.button('Send').waitFor();
    const drawn = await widths.jsonValue();
    for (const name of ['Edit queued message', 'Remove queued message', 'Stop', 'Copy answer', 'Send'])
      assert.ok((drawn[name] ?? Infinity) <= 24, `${name} was ${drawn[name]} pixels wide`);
  });

  it('stays within the view, however long its text is', async () => {
    await setup.newChat();
    const frame = await innerFrame(chat);
    const bytes = await frame.evaluate(async () => {
      const picture = new OffscreenCanvas(200, 150);
      picture.getContext('2d');
      return [...new Uint8Array(await (await picture.convertToBlob()).arrayBuffer())];
    });
    await page.setViewportSize({ width: 400, height: 500 });
    for (let count = 1; count <= 9; count += 1) {
      await pasteFile(chat, { name: `${count}.png`, type: 'image/png', bytes });
      await chat.view.getByRole('img', { name: `${count}.png` }).waitFor();
    }
    const outOfSight = (): Promise<(string | null)[]> =>
      frame.evaluate(() =>
        [...document.querySelectorAll('textarea, .where-row, .box-actions > vscode-button')]
          .filter((part) => part.getBoundingClientRect().top < 0 || part.getBoundingClientRect().bottom > innerHeight)
          .map((part) => part.getAttribute('aria-label') ?? part.className),
      );
    await chat.field.fill('a line\n'.repeat(40));
    await becomes(outOfSight, []);
    await chat.field.fill('/');
    const options = chat.view.getByRole('option');
    await options.first().waitFor();
    await becomes(outOfSight, []);
    await page.setViewportSize({ width: 400, height: 300 });
    await page.keyboard.press('ArrowUp');
    await options.last().and(chat.view.locator('[aria-selected=true]')).waitFor();
    const list = chat.view.getByRole('listbox', { name: 'Commands' });
    await until(
      async () => {
        const [outer, last] = [await list.boundingBox(), await options.last().boundingBox()];
        return outer && last && last.y + last.height <= outer.y + outer.height;
      },
      () => 'The selected command is out of sight.',
    );
    await page.setViewportSize({ width: 400, height: 700 });
    for (const name of ['New chat', 'Send']) {
      const { x, width } = (await chat.button(name).boundingBox())!;
      assert.ok(x + width > 370, `${name} is at the right edge`);
    }
    await chat.field.fill('');
    for (let count = 1; count <= 9; count += 1) await chat.button('Remove image').first().click();
  });
});
