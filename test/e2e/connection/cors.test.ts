/**
 * In a web extension host, a service that does not allow the editor's origin can't be reached, and the user sees why.
 */
import { after, before, describe, it } from 'mocha';
import { resultLines } from '../../support/answers.ts';
import { becomes } from '../../support/until.ts';
import { openChat } from '../support/chat.ts';
import { notification } from '../support/editor.ts';
import { launch, type Launched } from '../support/launch.ts';
import { scriptedService, writeInPieces, type ScriptedService } from '../../support/scriptedService.ts';
import { connect } from '../support/wizard.ts';

const QUESTION = 'how many orders today?';

describe("A service that does not allow the editor's origin", function () {
  this.timeout(120_000);
  let service: ScriptedService;
  let editor: Launched;
  /** The origin that the service allows. */
  let allowed: string | undefined;

  before(async () => {
    service = await scriptedService(({ body, headers }, response) => {
      if (allowed) response.setHeader('Access-Control-Allow-Origin', allowed);
      response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type');
      if (headers['access-control-request-method']) response.writeHead(204).end();
      else writeInPieces(response, resultLines(body.messageId, body.input, {}), 1000);
    });
    editor = await launch({ host: 'web' });
  });
  after(async () => {
    await editor.stop();
    await service.stop();
  });

  it('is explained in the wizard and in the chat, and the question is kept', async () => {
    const { page, server } = editor;
    const site = `http://${server.authority}`;
    const words = `allow requests from ${site} (CORS)`;
    await connect(page, service.chatApiUrl, 'a-key-of-the-user');
    await notification(page, words).waitFor();
    const chat = await openChat(page);
    await chat.ask(QUESTION);
    const alert = chat.view.getByRole('alert').filter({ hasText: words });
    await alert.waitFor();
    await becomes(() => chat.field.inputValue(), QUESTION);

    allowed = site;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await chat.answers().getByText('That is all.').waitFor();
    await becomes(() => chat.field.inputValue(), '');
  });
});
