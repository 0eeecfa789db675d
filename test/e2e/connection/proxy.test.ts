/** A corporate network: a proxy with a password, and a certificate of a private authority. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { SELF_SIGNED } from '../../unit/api/support/selfSigned.ts';
import { reply, serve, type Asked, type Service } from '../../unit/api/support/service.ts';
import { resultLines } from '../../support/service/answers.ts';
import { becomes } from '../../support/until.ts';
import { openChat } from '../support/chat.ts';
import { launch, type Launched } from '../support/launch.ts';
import { PRIVATE_CA, SIGNED } from '../support/privateCa.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';

const KEY = 'a-key-of-the-user';
/** VS Code bypasses the proxy for local addresses, so the service has a name that only the proxy resolves. */
const ADDRESS = 'https://agent.example/api/v1/agent';
const portOf = ({ origin }: Service): number => Number(new URL(origin).port);

describe('Behind a proxy', function () {
  this.timeout(240_000);
  let proxy: Proxy;
  let trusted: Service;
  let unknown: Service;
  let editor: Launched;
  const folder = mkdtempSync(join(tmpdir(), 'private-ca-'));

  before(async () => {
    const answer = (asked: Asked): void => reply(asked, ...resultLines(asked.body.messageId, asked.body.input, {}));
    trusted = await serve(answer, SIGNED);
    unknown = await serve(answer, SELF_SIGNED);
    proxy = await startProxy('me:pass');
    const certificates = join(folder, 'ca.pem');
    writeFileSync(certificates, PRIVATE_CA);
    editor = await launch({
      env: {
        ANALYTICS_CHAT_API_URL: ADDRESS,
        ANALYTICS_CHAT_API_KEY: KEY,
        // Stands in for the system's certificates, to which an administrator adds the authority.
        SSL_CERT_FILE: certificates,
        NO_PROXY: undefined,
        no_proxy: undefined,
      },
      settings: { 'http.proxy': `http://${proxy.authority}` },
    });
  });
  after(async () => {
    await editor.stop();
    await proxy.stop();
    await Promise.all([trusted.close(), unknown.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('explains a missing password or trusted certificate, and works with both', async () => {
    const { page, server } = editor;
    proxy.leadTo(portOf(unknown));
    let chat = await openChat(page);
    await chat.ask('a question');
    const password = chat.view.getByRole('alert').filter({ hasText: 'The proxy requires a user name and password' });
    await password.getByRole('button', { name: 'Open proxy settings' }).waitFor();
    await becomes(() => chat.field.inputValue(), 'a question');
    assert.deepEqual(proxy.asked[0], { target: 'agent.example:443', authorization: undefined });

    server.writeSettings({ 'http.proxy': `http://me:pass@${proxy.authority}` });
    await page.reload();
    chat = await openChat(page);
    await chat.ask('another question');
    const trust = chat.view.getByRole('alert').filter({ hasText: /certificate .* not trusted \(\w+\)/ });
    await trust.filter({ hasText: 'restart VS Code' }).waitFor();
    assert.equal(proxy.asked.at(-1)?.authorization, `Basic ${btoa('me:pass')}`);
    assert.equal(unknown.asked.length, 0, 'nothing is sent to a service that nobody vouches for');

    proxy.leadTo(portOf(trusted));
    await trust.getByRole('button', { name: 'Retry' }).click();
    await chat.answers().getByText('That is all.').waitFor();
    assert.equal(trusted.asked.at(-1)?.headers.authorization, `Api-Key ${KEY}`);
    assert.equal(trusted.asked.at(-1)?.headers['proxy-authorization'], undefined);
  });
});
