/** Text from the service in VS Code notifications, which turn link syntax into links. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { notification, runCommand } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { scriptedService, type ScriptedService } from '../support/scriptedService.ts';

describe('A notification', function () {
  this.timeout(90_000);
  let service: ScriptedService;
  let editor: Launched;

  before(async () => {
    service = await scriptedService((_request, response) => {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Failed: [see why](command:workbench.action.terminal.new)' } }));
    });
    editor = await launch({ env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' } });
  });
  after(async () => {
    await editor.stop();
    await service.stop();
  });

  it('shows a link in an error of the service as text', async () => {
    await runCommand(editor.page, 'Analytics Chat: Test Connection');
    const shown = notification(editor.page, 'see why');
    await shown.waitFor();
    assert.equal(await shown.getByRole('link').count(), 0);
    assert.equal(await shown.locator('a[href], a[data-href]').count(), 0);
  });
});
