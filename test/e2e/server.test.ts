/** Only the user who started `npm start` can use its server. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { startServer, type EditorServer } from '../vscode/server.ts';

/** @returns the response status; `fetch` doesn't allow setting the Host header */
const get = (server: EditorServer, path: string, host = server.authority): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`http://${server.authority}${path}`, { headers: { host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    })
      .on('error', reject)
      .end();
  });

const upgrade = (server: EditorServer, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { host, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    request(`http://${server.authority}/`, { headers: { ...headers, 'sec-websocket-key': 'YWFhYWFhYWFhYWFhYWFhYQ==' } })
      .on('upgrade', (_answer, socket) => {
        socket.destroy();
        resolve('connected');
      })
      .on('response', (answer) => resolve(`refused: ${answer.statusCode}`))
      .on('error', reject)
      .end();
  });

describe('The server of `npm start`', function () {
  this.timeout(240_000);
  let server: EditorServer;
  const file = '/vscode-remote-resource?path=/etc/hosts';

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('serves neither its page nor files without the token', async () => {
    assert.equal(await get(server, '/'), 403);
    assert.equal(await get(server, file), 403);
    assert.equal(await get(server, `${file}&tkn=wrong`), 403);
    assert.equal(await get(server, `${file}&tkn=${server.token}`), 200);
  });

  it('rejects requests for another host, as in DNS rebinding', async () => {
    const port = server.authority.split(':')[1];
    const withToken = `${file}&tkn=${server.token}`;
    assert.equal(await get(server, withToken, `evil.example:${port}`), 403);
    assert.equal(await get(server, withToken, `127.0.0.1.evil.example:${port}`), 403);
    assert.equal(await get(server, withToken, '127.0.0.1:1'), 403);
    assert.equal(await get(server, withToken, `localhost:${port}`), 200);
    assert.equal(await upgrade(server, `evil.example:${port}`), 'refused: 403');
    assert.equal(await upgrade(server, server.authority), 'connected');
  });
});
