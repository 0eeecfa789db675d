/** Which problem of the disk an error is, and how long a file in use is waited for. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import {
  HistoryError,
  historyError,
  retried,
  type HistoryErrorKind,
} from '../../../../../src/chat/history/files/errors.ts';

describe('an error of the file system', () => {
  const errors: [HistoryErrorKind, ...unknown[]][] = [
    ['notFound', { code: 'ENOENT' }, { code: 'FileNotFound' }],
    ['full', { code: 'ENOSPC' }, { code: 'EDQUOT' }, new Error('The Quota was reached')],
    ['denied', { code: 'EACCES' }, { code: 'EPERM' }, { code: 'NoPermissions' }],
    ['readOnly', { code: 'EROFS' }],
    ['busy', { code: 'EBUSY' }, { code: 'EMFILE' }, { code: 'Unavailable' }],
    ['failed', { code: 'EIO' }, new Error('x'), 'x', null, undefined, {}],
  ];
  for (const [kind, ...failures] of errors)
    it(`has a kind and a message for the user: ${kind}`, () => {
      for (const failure of failures) {
        const error = historyError(failure);
        assert.deepEqual([error.kind, error.cause, error.name], [kind, failure, 'HistoryError']);
      }
    });

  it('is converted once', () => {
    const error = new HistoryError('busy');
    assert.equal(historyError(error), error);
    assert.ok(!('cause' in error));
  });
});

describe('a file in use', () => {
  afterEach(() => mock.timers.reset());

  /** @returns when work ends whose file is in use for a time, in milliseconds, and its result */
  async function workOn(code: string, inUse: number): Promise<{ after: number; result: unknown }> {
    mock.timers.enable({ apis: ['setTimeout'] });
    let [after, result]: [number, unknown] = [0, undefined];
    void retried(async () => {
      if (after < inUse) throw Object.assign(new Error(), { code });
      return 'done';
    })
      .catch(({ kind }: HistoryError) => kind)
      .then((value) => (result = value));
    for (; ; after += 1) {
      await new Promise(setImmediate);
      if (result !== undefined) break;
      mock.timers.tick(1);
    }
    mock.timers.reset();
    return { after, result };
  }

  for (const code of ['EPERM', 'EACCES', 'EBUSY', 'EMFILE'])
    it(`is written if it is free again soon, and is reported within a second otherwise: ${code}`, async () => {
      assert.equal((await workOn(code, 250)).result, 'done');
      const { after, result } = await workOn(code, Infinity);
      assert.equal(result, historyError({ code }).kind);
      assert.ok(after < 1000);
    });

  it('is distinguished from other failures, which are reported at once', async () => {
    assert.deepEqual(await workOn('ENOENT', 1), { after: 0, result: 'notFound' });
    assert.deepEqual(await workOn('EIO', 1), { after: 0, result: 'failed' });
  });
});
