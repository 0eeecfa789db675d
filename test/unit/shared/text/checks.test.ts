import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as checks from '../../../../src/shared/text/checks.ts';

describe('checks of outside data', () => {
  const values = [undefined, null, true, 0, NaN, Infinity, '', 'a', [], {}];
  const accepted = (check: checks.Check): unknown[] => values.filter((value) => check(value));

  it('accept exactly their type', () => {
    assert.deepEqual(accepted(checks.text), ['', 'a']);
    assert.deepEqual(accepted(checks.number), [0]);
    assert.deepEqual(accepted(checks.flag), [true]);
    assert.deepEqual(accepted(checks.isFields), [{}]);
    assert.deepEqual(accepted(checks.oneOf('a', 'b')), ['a']);
    assert.deepEqual(accepted(checks.maybe(checks.text)), [undefined, '', 'a']);
  });

  it('accept lists and objects by all of their parts', () => {
    const texts = checks.listOf(checks.text);
    assert.deepEqual([texts([]), texts(['a']), texts(['a', 1]), texts('a')], [true, true, false, false]);
    const named = checks.shape({ name: checks.text });
    assert.deepEqual([named({ name: 'a', more: 1 }), named({}), named(null), named([])], [true, false, false, false]);
    assert.ok(checks.image({ mimeType: 'image/png', data: '' }));
    assert.ok(!checks.image({ mimeType: 'image/png', data: '', name: 1 }));
  });

  it('accept the times that a date can have', () => {
    for (const time of [0, -1, checks.LATEST]) assert.equal(checks.isTimestamp(time), !isNaN(new Date(time).getTime()));
    for (const time of [checks.LATEST + 2, NaN, '0', undefined]) assert.ok(!checks.isTimestamp(time));
  });

  it('read members of anything', () => {
    assert.equal(checks.textIn({ a: 'b' }, 'a'), 'b');
    for (const value of [{ a: 1 }, {}, null, 'text', ['b']]) assert.equal(checks.textIn(value, 'a'), undefined);
    assert.deepEqual([checks.fieldsOf({ a: 1 }), checks.fieldsOf([1]), checks.fieldsOf(null)], [{ a: 1 }, {}, {}]);
  });

  it('require every field of an error and of the context of a question', () => {
    const error = { kind: 'network', message: 'a', actions: ['retry'] };
    const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
    assert.ok(checks.isThreadError(error) && checks.isQuestionContext(context));
    for (const key of Object.keys(error)) assert.ok(!checks.isThreadError({ ...error, [key]: 1 }), key);
    for (const key of Object.keys(context)) assert.ok(!checks.isQuestionContext({ ...context, [key]: 1 }), key);
  });
});
