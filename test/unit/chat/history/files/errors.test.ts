/** Which problem of the disk an error is, and how long a file in use is waited for. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import {
  HistoryError,
  historyError,
  isNotFound,
  retried,
  type HistoryErrorKind,
} from '../../../../../src/chat/history/files/errors.ts';

describe('an error of the file system', () => {
  const errors: [HistoryErrorKind, ...unknown[]][] = [
    ['notFound', { code: 'ENOENT' }, { code: 'FileNotFound' }, { name: 'FileNotFound' }],
    [
      'full',
      { code: 'ENOSPC' },
      { code: 'EDQUOT' },
      { name: 'QuotaExceededError' },
      new Error('The Quota was reached'),
    ],
    ['denied', { code: 'EACCES' }, { code: 'EPERM' }, { code: 'NoPermissions' }],
    ['readOnly', { code: 'EROFS' }],
    ['busy', { code: 'EBUSY' }, { code: 'EMFILE' }, { code: 'ENFILE' }, { code: 'Unavailable' }],
    ['tooLarge', { code: 'EFBIG' }, { code: 'ERR_STRING_TOO_LONG' }, new RangeError('Invalid string length')],
    ['failed', { code: 'EIO' }, new Error('x'), 'x', null, undefined, {}],
  ];
  for (const [kind, ...failures] of errors)
    it(`has a kind and a message for the user: ${kind}`, () => {
      for (const failure of failures) {
        const error = historyError(failure);
        assert.deepEqual([error.kind, error.cause, error.name], [kind, failure, 'HistoryError']);
        assert.equal(isNotFound(failure), kind === 'notFound');
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

  /** @returns the number of tries of work that fails so often, and the result */
  async function triesOf(
    code: string,
    failures: number,
  ): Promise<[tries: number, milliseconds: number, result: unknown]> {
    mock.timers.enable({ apis: ['setTimeout'] });
    let tries = 0;
    let result: unknown;
    const work = (): Promise<string> => {
      tries += 1;
      return tries > failures ? Promise.resolve('done') : Promise.reject(Object.assign(new Error(), { code }));
    };
    retried(work).then(
      (value) => (result = value),
      (error: HistoryError) => (result = error.kind),
    );
    let milliseconds = -1;
    while (result === undefined && milliseconds < 1000) {
      milliseconds += 1;
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      if (result === undefined) mock.timers.tick(1);
    }
    mock.timers.reset();
    return [tries, milliseconds, result];
  }

  it('is tried again for about 300 milliseconds', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY', 'EMFILE', 'ENFILE']) {
      assert.deepEqual(await triesOf(code, 2), [3, 30, 'done']);
      assert.deepEqual(await triesOf(code, 99), [6, 310, historyError({ code }).kind]);
    }
  });

  it('is distinguished from other failures, which are reported at once', async () => {
    assert.deepEqual(await triesOf('ENOENT', 1), [1, 0, 'notFound']);
    assert.deepEqual(await triesOf('EIO', 1), [1, 0, 'failed']);
  });
});
