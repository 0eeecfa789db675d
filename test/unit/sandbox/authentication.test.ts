import assert from 'node:assert/strict';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { describe, it } from 'mocha';
import { ask, chatIdOf, dev, finalOf, post, postAbort, postChat, queryOf, startFast, useSandbox } from './support.ts';

const secret = 'a-shared-secret-of-enough-length-for-hs256';
const claims = { externalId: 'token.user', scope: ['chat'] };

const sign = (payload: JWTPayload, key: string = secret): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(new TextEncoder().encode(key));
const withToken = (token: string): Record<string, string> => ({ 'X-Svc-Auth-Token': token });

/** A rejection is a response with status 200 and one line of JSON-RPC without a line end. */
async function assertRefused(response: Response, why: RegExp): Promise<void> {
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.ok(!text.includes('\n'));
  const { jsonrpc, id, error } = JSON.parse(text) as {
    jsonrpc: string;
    id: null;
    error: { code: number; message: string };
  };
  assert.deepEqual([jsonrpc, id, typeof error.code], ['2.0', null, 'number']);
  assert.match(error.message, why);
}

describe('sandbox: authentication', () => {
  const sandbox = useSandbox({ serviceTokens: { kind: 'secret', secret } });

  const chat = (headers: Record<string, string>, body: object = { input: 'revenue in 2024' }): Promise<Response> =>
    post(sandbox, sandbox.chatApiUrl, body, headers);

  it('accepts the API key only in its exact form', async () => {
    for (const value of [
      'Api-Key wrong',
      `Bearer ${sandbox.apiKey}`,
      sandbox.apiKey,
      `api-key ${sandbox.apiKey}`,
      'Api-Key',
    ])
      await assertRefused(await postChat(sandbox, { input: 'x' }, { Authorization: value }), /invalid API key/);
    await assertRefused(await postChat(sandbox, { input: 'x' }, {}), /no credentials/);
    await assertRefused(
      await postAbort(sandbox, { chatId: 'x' }, { Authorization: 'Api-Key wrong' }),
      /invalid API key/,
    );
  });

  it('requires session settings with an API key', async () => {
    assert.equal((await post(sandbox, sandbox.chatApiUrl, { input: 'x' })).status, 400);
  });

  it('uses only Authorization if both headers are sent', async () => {
    const both = { ...withToken(await sign(claims)), Authorization: 'Api-Key wrong' };
    await assertRefused(await chat(both), /invalid API key/);
    const good = { ...withToken('nonsense'), Authorization: `Api-Key ${sandbox.apiKey}` };
    const lines = await ask(sandbox, { input: 'revenue in 2024' }, good);
    assert.match(finalOf(lines), /Revenue/);
  });

  it('accepts a token signed with the shared secret, without session settings', async () => {
    const response = await chat(withToken(await sign(claims)));
    assert.match(await response.text(), /"graphPath":\["final"\]/);
  });

  it('rejects API keys, but no tokens, at the URL of a deployment', async () => {
    const url = sandbox.chatApiUrl.replace('/agents/', '/deployments/');
    const body = { input: 'revenue in 2024', sessionSettings: dev };
    const rejected = await post(sandbox, url, body);
    assert.deepEqual(
      [rejected.status, await rejected.text()],
      [403, '{"error":"agentId is required for Api-Key authentication"}'],
    );
    const accepted = await post(sandbox, url, body, withToken(await sign(claims)));
    assert.match(await accepted.text(), /"graphPath":\["final"\]/);
  });

  it('uses sub if there is no externalId, in lowercase', async () => {
    const bySub = withToken(await sign({ sub: 'Ana@Acme.Example', scope: ['chat'] }));
    const lines = await ask(sandbox, { input: 'revenue in 2024', sessionSettings: undefined }, bySub);
    const byId = withToken(await sign({ externalId: 'ana@acme.example', scope: ['chat', 'data'] }));
    const read = await post(sandbox, sandbox.chatApiUrl, { chatId: chatIdOf(lines) }, byId);
    assert.equal(read.status, 200);
  });

  it('ignores session settings with a token, even invalid ones', async () => {
    const token = withToken(await sign(claims));
    const lines = await ask(
      sandbox,
      { input: 'revenue in 2024', sessionSettings: { externalId: 'SOMEONE ELSE' } },
      token,
    );
    const read = await post(sandbox, sandbox.chatApiUrl, { chatId: chatIdOf(lines) }, token);
    assert.equal(read.status, 200);
    assert.equal((await postChat(sandbox, { chatId: chatIdOf(lines) })).status, 404);
  });

  it('rejects tokens that break a rule', async () => {
    const refused: readonly (readonly [Promise<string> | string, RegExp])[] = [
      ['nonsense', /invalid token/],
      [sign(claims, 'another-secret-of-enough-length-for-hs256'), /invalid token/],
      [
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .setExpirationTime(1)
          .sign(new TextEncoder().encode(secret)),
        /invalid token/,
      ],
      [sign({ scope: ['chat'] }), /no externalId or sub/],
      [sign({ externalId: 'a' }), /lacks the scope chat/],
      [sign({ externalId: 'a', scope: ['data'] }), /lacks the scope chat/],
      [sign({ externalId: 'a', scope: 'chat' }), /lacks the scope chat/],
    ];
    for (const [token, why] of refused) await assertRefused(await chat(withToken(await token)), why);
  });

  it('restricts rows by the claims of the token', async () => {
    const ofToken = async (extra: JWTPayload): Promise<unknown[][]> =>
      queryOf(
        await ask(sandbox, { input: 'revenue by region in 2024' }, withToken(await sign({ ...claims, ...extra }))),
      ).data;
    assert.equal((await ofToken({})).length, 4);
    assert.deepEqual(
      (await ofToken({ userAttributes: [{ name: 'region', value: 'Europe' }] })).map(([region]) => region),
      ['Europe'],
    );
  });

  it('rejects service tokens unless they are enabled', async () => {
    const plain = await startFast();
    try {
      await assertRefused(
        await post(plain, plain.chatApiUrl, { input: 'x' }, withToken(await sign(claims))),
        /not enabled/,
      );
    } finally {
      await plain.stop();
    }
  });

  it('accepts tokens of the key set only', async () => {
    const [ours, theirs] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
    const keySet = { keys: [{ ...(await exportJWK(ours.publicKey)), kid: 'one', alg: 'ES256' }] };
    const keyed = await startFast({ serviceTokens: { kind: 'keySet', keySet } });
    const signed = (key: CryptoKey): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key);
    try {
      const good = await post(
        keyed,
        keyed.chatApiUrl,
        { input: 'revenue in 2024' },
        withToken(await signed(ours.privateKey)),
      );
      assert.match(await good.text(), /"graphPath":\["final"\]/);
      await assertRefused(
        await post(keyed, keyed.chatApiUrl, { input: 'x' }, withToken(await signed(theirs.privateKey))),
        /invalid token/,
      );
      await assertRefused(
        await post(keyed, keyed.chatApiUrl, { input: 'x' }, withToken(await sign(claims))),
        /invalid token/,
      );
    } finally {
      await keyed.stop();
    }
  });

  it('checks the scope in the result of a custom validation', async () => {
    const custom = await startFast({
      serviceTokens: {
        kind: 'custom',
        check: (token) => {
          if (token === 'bad') throw new Error('unknown');
          return { sub: token, ...(token === 'scoped' ? { scope: ['chat'] } : {}) };
        },
      },
    });
    const send = (token: string): Promise<Response> =>
      post(custom, custom.chatApiUrl, { input: 'revenue in 2024' }, withToken(token));
    try {
      assert.match(await (await send('scoped')).text(), /"graphPath":\["final"\]/);
      await assertRefused(await send('plain'), /lacks the scope chat/);
      await assertRefused(await send('bad'), /invalid token/);
    } finally {
      await custom.stop();
    }
  });

  it('checks the credential before the body', async () => {
    await assertRefused(
      await post(sandbox, sandbox.chatApiUrl, '{', { Authorization: 'Api-Key wrong' }),
      /invalid API key/,
    );
    assert.equal((await post(sandbox, sandbox.chatApiUrl, { sessionSettings: dev, chatId: 1 })).status, 400);
  });
});
