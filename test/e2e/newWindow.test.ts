/**
 * A window that has not used the extension yet: a link to it, link syntax in an error, and the walkthrough; then answers
 * that survive the window and its extension host.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { chatIn } from '../support/chat.ts';
import { answeringService, WHOLE, type AnsweringService } from '../support/service/answeringService.ts';
import { until } from '../support/until.ts';
import { useSetup } from '../support/useSetup.ts';
import { runningAnswer, type AnsweringEditor } from './chat/resume.ts';
import { dialog, notification, quickInput, quickPickItem, runCommand, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';

const LINK = 'code-oss://analytics-chat.analytics-chat/ask?text=orders%20by%20month';

describe('Without a workspace', function () {
  this.timeout(240_000);
  const setup = useSetup(async () => {
    const service = await answeringService();
    const env = { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' };
    const editor = await launch({ env });
    return {
      ...{ service, editor },
      stop: async () => {
        await editor.stop();
        await service.stop();
      },
    };
  });

  describe('A new window', () => newWindow(setup));
  describe('A running answer', () => runningAnswer(setup));
});

function newWindow(setup: AnsweringEditor): void {
  let service: AnsweringService;
  let editor: Launched;

  before(() => ({ service, editor } = setup));

  it('is where a link activates the extension, and asks its question after the user confirms it', async () => {
    const { page } = editor;
    await runCommand(page, 'Developer: Open URL');
    await quickInput(page).fill(LINK);
    await page.keyboard.press('Enter');
    // VS Code asks for confirmation first.
    await dialog(page).getByRole('button', { name: 'Open', exact: true }).click();
    await dialog(page).getByText('orders by month').waitFor();
    assert.equal(service.requests.length, 0);
    await dialog(page).getByRole('button', { name: 'Ask', exact: true }).click();
    await until(() => service.requests.length > 0);
    assert.equal(service.requests[0]?.body.input, 'orders by month');
    service.finish();
    await chatIn(webview(page)).answers().getByText(WHOLE).waitFor();
  });

  it('shows a link in an error of the service as text in a notification', async () => {
    service.forbid('Failed: [see why](command:workbench.action.terminal.new)');
    await runCommand(editor.page, 'Analytics Chat: Test Connection');
    const shown = notification(editor.page, 'see why');
    await shown.waitFor();
    assert.equal(await shown.getByRole('link').count(), 0);
    assert.equal(await shown.locator('a[href], a[data-href]').count(), 0);
    service.forbid();
  });

  it('has a walkthrough that leads from the sample to the wizard, and checks off completed steps', async () => {
    const { page } = editor;
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await quickInput(page).fill('Ask your data');
    // By keyboard: the row's tooltip may cover it before a click.
    await quickPickItem(page, 'Ask your data while you edit models').and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    const steps = page.locator('.gettingStartedContainer');
    const done = (id: string) =>
      steps.locator(`[data-step-id$="#${id}"] .codicon-getting-started-step-checked`).first().waitFor();

    await steps.getByRole('button', { name: 'Open the Sample' }).click();
    await webview(page).getByText('This chat is a recording').waitFor();
    await done('sample');

    await steps.getByText('Connect to your agent', { exact: true }).click();
    await steps.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.locator('.quick-input-widget:visible').filter({ hasText: 'Chat API URL' }).waitFor();
    await quickInput(page).press('Escape');

    await steps.getByText('Ask on your branch', { exact: true }).click();
    await steps.getByRole('button', { name: 'Switch Branch' }).click();
    await quickInput(page).press('Escape');
    await done('branch');
  });
}
