import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mock } from 'node:test';
import type * as Notify from '../../../../src/vscode/host/notify.ts';
import type * as QuickPick from '../../../../src/vscode/host/quickPick.ts';
import { Editor, loadWithEditor } from '../support.ts';

const HOSTILE = '[x](command:workbench.action.terminal.new) $(error)';

describe('Text that VS Code shows', () => {
  /** @param count how many texts there are */
  const arePlain = (count: number, ...texts: (string | undefined)[]): void => {
    assert.equal(texts.length, count);
    for (const text of texts) {
      assert.ok(text?.includes('terminal'), text);
      assert.doesNotMatch(text ?? '', /\]\(|\$\(error/);
    }
  };

  it('contains no live link in notifications, dialogs, inputs, progress and the status bar', async () => {
    const user = Object.assign(new Editor(), { entered: [HOSTILE] });
    const notify = await user.load<typeof Notify>('host/notify');
    // They stay open.
    void notify.showInformationMessage(HOSTILE);
    void notify.showWarningMessage(HOSTILE);
    void notify.showErrorMessage(HOSTILE);
    await notify.askWithWarning(HOSTILE, HOSTILE);
    await notify.askWithInformation(HOSTILE, HOSTILE);
    arePlain(7, ...user.messages, ...user.details);
    const validateInput = (text: string): string => text;
    await notify.showInputBox({ title: HOSTILE, prompt: HOSTILE, placeHolder: HOSTILE, validateInput });
    arePlain(4, ...user.prompts, ...user.explained, ...user.placeholders, ...user.invalid);
    notify.setStatusBarMessage(HOSTILE, 1);
    await notify.withProgress(HOSTILE, true, (_signal, report) => Promise.resolve(report(HOSTILE)));
    notify.createStatusItem('id', 0, 'name', 'command').show('plug', HOSTILE, HOSTILE);
    const { text, tooltip } = user.statusItems.get('id')!;
    arePlain(5, ...user.statuses, ...user.titles, ...user.progress, text, tooltip);
  });

  it('contains no foreign icon in quick picks, which return the given item', async () => {
    const user = new Editor();
    const module = await user.load<typeof QuickPick>('host/quickPick');
    const { showQuickPick, showQuickPicks, createQuickPick, setItems, picked } = module;
    const given = { icon: 'file', label: HOSTILE, description: HOSTILE, detail: HOSTILE };
    user.picks = [HOSTILE.replace('](', '] (').replace('$(', '$ (')];
    assert.equal(await showQuickPick([given], { title: HOSTILE, placeHolder: HOSTILE }), given);
    await showQuickPicks([given], { title: HOSTILE, placeHolder: HOSTILE });
    const pick = createQuickPick(HOSTILE, HOSTILE);
    setItems(pick, [given]);
    await picked(pick);
    assert.deepEqual([user.icons, user.stays], [Array(3).fill(['file']), [false, true, true]]);
    const { offered, described, detailed, prompts, placeholders } = user;
    arePlain(15, ...[offered, described, detailed, prompts, placeholders].flat(2));
  });
});

describe('Messages', () => {
  it('offer to trust the workspace or to connect, and do so only if their button is pressed', async () => {
    const user = new Editor();
    const { offerTrust, offerToConnect } = await user.load<typeof Notify>('host/notify');
    for (const [offer, button, command] of [
      [offerTrust, 'Manage Workspace Trust', 'workbench.trust.manage'],
      [offerToConnect, 'Connect', 'analyticsChat.connect'],
    ] as const)
      for (const answer of [undefined, button]) {
        user.answers = [answer];
        await offer('Why.');
        assert.equal(user.messages.pop(), `Why. [${button}]`);
        assert.deepEqual(user.executed.splice(0), answer === undefined ? [] : [[command]]);
      }
  });

  it('have paragraphs of one line each, in which nothing is a link', async () => {
    const { titledMarkdownString } = await loadWithEditor<typeof Notify>('vscode/host/notify.ts', {});
    const { value } = titledMarkdownString('a\nb', '', '[x](y)');
    assert.equal(value, '**a b**\n\n&#91;x&#93;&#40;y&#41;');
  });

  it('of work end with it, and cancel it while it runs', async () => {
    const user = new Editor();
    const { withProgress } = await user.load<typeof Notify>('host/notify');
    let isCanceled = false;
    user.onProgress = () => user.cancel();
    await withProgress('Loading', true, (signal) => Promise.resolve().then(() => void (isCanceled = signal.aborted)));
    const kept = await withProgress('Loading', false, (signal) => Promise.resolve(signal));
    user.onProgress = () => undefined;
    const ended = await withProgress('Loading', true, (signal) => Promise.resolve(signal));
    user.cancel();
    assert.deepEqual([isCanceled, kept.aborted, ended.aborted], [true, false, false]);
  });
});

describe('Prompts', () => {
  it('stay open when the focus returns from the prompt before, and close like others otherwise', async () => {
    const user = Object.assign(new Editor(), { picks: [undefined, undefined, 'Here', undefined] });
    const { showQuickPick, createQuickPick, setItems, picked } = await user.load<typeof QuickPick>('host/quickPick');
    const pickOf = (title: string) => {
      const pick = createQuickPick(title, '');
      setItems(pick, [{ label: 'Here' }]);
      return picked(pick);
    };
    const clock = mock.method(performance, 'now', () => 5000);
    try {
      await showQuickPick([], { title: 'first' });
      await showQuickPick([], { title: 'second' });
      assert.equal((await pickOf('third'))?.label, 'Here');
      clock.mock.mockImplementation(() => 6000);
      assert.equal(await pickOf('later'), undefined);
    } finally {
      clock.mock.restore();
    }
    assert.deepEqual(user.stays, [false, true, true, false]);
    assert.deepEqual(user.closed, ['third', 'later']);
  });
});
