/** A question is sent with the identity that it names, or not at all. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  labelOf,
  ownName,
  sessionSettingsOf,
  type IdentitySettings,
} from '../../../../src/chat/connection/identity.ts';

const settings: IdentitySettings = {
  own: { externalId: 'ceo' },
  named: { restricted: { externalId: 'clerk' }, both: { externalId: 'a', internalId: 'b' } },
};

const refusal = (name: string, given: IdentitySettings, words: RegExp): void =>
  assert.throws(() => sessionSettingsOf(name, given), { kind: 'badRequest', code: 'INVALID_SETTINGS', message: words });

describe('the identity of a question', () => {
  it("is the connection's default by its own name, and another by its given name", () => {
    assert.equal(ownName(settings), 'ceo');
    assert.deepEqual(sessionSettingsOf('ceo', settings), { externalId: 'ceo' });
    assert.deepEqual(sessionSettingsOf('restricted', settings), { externalId: 'clerk' });
  });

  it('is never replaced by another when it no longer exists', () => {
    refusal('restricted', { ...settings, named: {} }, /identity “restricted” no longer exists/);
    refusal('ceo', { ...settings, own: { externalId: 'founder' } }, /identity “ceo” no longer exists/);
    refusal('toString', settings, /identity “toString” no longer exists/);
  });

  it('is rejected with a message if it is missing or invalid', () => {
    refusal(ownName({ own: undefined }), { own: undefined, named: {} }, /No identity is set/);
    refusal('both', settings, /“both” are invalid/);
    refusal('empty', { ...settings, named: { empty: null } }, /“empty” are invalid/);
  });

  it('is labeled by the first id in its settings that is a text', () => {
    assert.equal(labelOf({ email: 'c', internalId: 'b', externalId: 'a' }), 'a');
    assert.equal(labelOf({ email: 'c', internalId: 'b', externalId: '' }), 'b');
    assert.equal(labelOf({ email: 'c', externalId: 7 }), 'c');
    assert.deepEqual([labelOf({}), labelOf(undefined)], ['', '']);
  });
});
