/** Service tokens that a command of the user's prints. */
import assert from 'node:assert/strict';
import { SignJWT } from 'jose';
import { describe, it } from 'mocha';
import { ChatClient } from '../../../../src/api/client.ts';
import { queryTable } from '../../../../src/api/dataQuery.ts';
import { ChatError } from '../../../../src/api/errors.ts';
import { describeError } from '../../../../src/chat/connection/errorMessages.ts';
import { commandIn, runProgram, TokenCommand, type Ran } from '../../../../src/chat/connection/tokenCommand.ts';
import { collect } from '../../../support/collect.ts';
import { useSandbox } from '../../sandbox/support.ts';

const secret = 'a-shared-secret-of-enough-length-for-hs256';
const ran = (fields: Partial<Ran>): Ran => ({ code: 0, stdout: '', stderr: '', isLate: false, ...fields });
/** @param lifetime seconds from now */
const sign = (lifetime: number, now = Date.now()): Promise<string> =>
  new SignJWT({ externalId: 'ana', scope: ['chat'] })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(now / 1000) + lifetime)
    .sign(new TextEncoder().encode(secret));

/** A command that prints the tokens in turn, and how often it ran. */
function printing(...tokens: string[]): { command: TokenCommand; printed: string[]; clock: { now: number } } {
  const printed: string[] = [];
  const clock = { now: 1_700_000_000_000 };
  const run = (): Promise<Ran> => Promise.resolve(ran({ stdout: `${tokens[printed.length] ?? 'none'}\n` }));
  const command = new TokenCommand(
    run,
    (token) => printed.push(token),
    () => clock.now,
  );
  return { command, printed, clock };
}

const messageOf = async (fields: Partial<Ran>): Promise<string> => {
  const command = new TokenCommand(() => Promise.resolve(ran(fields)), assert.fail);
  const failure = await command.renew().then(assert.fail, (error: unknown) => error);
  assert.ok(failure instanceof ChatError);
  const { message, actions } = describeError(failure);
  assert.deepEqual(actions, ['retry', 'openSettings']);
  return message;
};

describe('a token command', () => {
  it('runs once until a minute before the token expires', async () => {
    const { command, printed, clock } = printing(await sign(3600, 1_700_000_000_000), 'second-token');
    const [first, again] = await Promise.all([command.renew(), command.renew()]);
    assert.equal(first, again);
    clock.now += 3_539_000;
    assert.equal(await command.renew(), first);
    clock.now += 1000;
    assert.equal(await command.renew(), 'second-token');
    clock.now += 1e12;
    assert.deepEqual([await command.renew(), printed.length], ['second-token', 2], 'a token without expiry is kept');
  });

  it('runs again for a token that was rejected, unless that has been renewed meanwhile', async () => {
    const { command, printed } = printing('first-token', 'second-token');
    await command.renew();
    assert.equal(await command.renew('first-token'), 'second-token');
    assert.equal(await command.renew('first-token'), 'second-token');
    assert.deepEqual(printed, ['first-token', 'second-token']);
  });

  it('that fails shows its exit code and the end of its error output, without tokens', async () => {
    const token = await sign(3600);
    const stderr = `${'x'.repeat(300)}\n\u001b[31mexpired ${token}\nopaque-token log in again`;
    const message = await messageOf({ code: 3, stdout: 'opaque-token', stderr });
    assert.match(
      message,
      /^The token command failed with exit code 3: …x+ \[31mexpired \[redacted\] \[redacted\] log in/,
    );
    assert.equal(await messageOf({ code: 1 }), 'The token command failed with exit code 1.');
    assert.equal(await messageOf({ code: 'ENOENT' }), 'The token command can’t be run (ENOENT).');
    assert.equal(await messageOf({ isLate: true, code: 'SIGKILL' }), 'The token command took longer than 30 seconds.');
    for (const stdout of ['', 'not a token'])
      assert.equal(await messageOf({ stdout }), 'The token command did not print a token.');
  });

  it('is a list of texts that begins with a program', () => {
    assert.deepEqual(commandIn(['vault', '', '-x']), ['vault', '', '-x']);
    for (const value of [undefined, [], [''], 'vault', ['vault', 1], {}]) assert.equal(commandIn(value), undefined);
  });
});

describe('a program that prints a token', () => {
  const script = (code: string, ...args: string[]): Promise<Ran> => runProgram([process.execPath, '-e', code, ...args]);

  it('runs without a shell and without input, and its exit code and output are returned', async () => {
    const code = 'process.stdin.on("end", () => console.log(process.argv[1])).resume(); console.error("e")';
    assert.deepEqual(await script(code, '$(id); "x"'), ran({ stdout: '$(id); "x"\n', stderr: 'e\n' }));
    assert.equal((await script('process.exit(7)')).code, 7);
    assert.equal((await runProgram(['no-such-program'])).code, 'ENOENT');
    assert.equal((await script('', 'a null byte: \0')).code, 'ERR_INVALID_ARG_VALUE');
  });

  it('is killed if it takes too long', async () => {
    const code = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6)';
    assert.equal((await runProgram([process.execPath, '-e', code], undefined, 1)).isLate, true);
  });
});

describe('a service that accepts tokens', () => {
  const sandbox = useSandbox({ serviceTokens: { kind: 'secret', secret } });

  it('gets a new one, once, after it has rejected one', async () => {
    const { command, printed } = printing(await sign(-60), await sign(3600), 'third');
    const { credential } = command;
    const client = new ChatClient({ chatApiUrl: sandbox.chatApiUrl, credential });
    const lines = await collect(client.stream({ input: 'revenue in 2024' }));
    assert.ok(lines.some((line) => line.kind === 'message' && line.graphPath[0] === 'final'));
    const query = { dataQueryUrl: sandbox.dataQueryUrl, credential, signal: new AbortController().signal };
    const sql = 'SELECT MEASURE(sales.revenue) FROM sales';
    assert.equal((await queryTable(sql, query)).rows.length, 1);
    assert.equal(printed.length, 2);
    const wrong = printing('wrong-token', 'wrong-again', await sign(3600));
    const other = new ChatClient({ chatApiUrl: sandbox.chatApiUrl, credential: wrong.command.credential });
    await assert.rejects(collect(other.stream({ input: 'x' })), { kind: 'auth' });
    assert.deepEqual(wrong.printed, ['wrong-token', 'wrong-again']);
  });
});
