/** Whether the service deletes the user of a thread, and the thread, after a time. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lifetimeOf } from '../../../../src/chat/connection/identity.ts';

const WEEK = 604_800;

describe('The lifetime of a user', () => {
  it('is a week for users that the service creates, or the configured time', () => {
    assert.equal(lifetimeOf('apiKey', { externalId: 'ana' }), WEEK);
    assert.equal(lifetimeOf('apiKey', { externalId: 'ana', isEphemeral: true, ephemeralTtlSeconds: 3600 }), 3600);
    assert.equal(lifetimeOf('serviceToken', { isEphemeral: false }), WEEK, 'settings are not sent with a token');
  });

  it('is unlimited for internal users, and for those who are kept', () => {
    assert.equal(lifetimeOf('apiKey', { internalId: 'ana@acme.com' }), undefined);
    assert.equal(lifetimeOf('apiKey', { externalId: 'ana', isEphemeral: false, ephemeralTtlSeconds: 60 }), undefined);
  });
});
