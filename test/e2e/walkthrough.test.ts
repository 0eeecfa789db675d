/** The walkthrough of the welcome page: its buttons work, and its steps are checked off. */
import { describe, it } from 'mocha';
import { quickInput, quickPickItem, runCommand, webview } from './support/editor.ts';
import { launch } from './support/launch.ts';
import { useSetup } from '../support/useSetup.ts';

describe('The walkthrough', function () {
  this.timeout(240_000);
  const setup = useSetup(() => launch({ workspace: 'model' }));

  it('leads from the sample to the wizard, and checks off completed steps', async () => {
    const { page } = setup;
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
});
