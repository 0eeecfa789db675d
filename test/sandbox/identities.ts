/** Users of the demo in addition to `dev`, who can see every row; each demonstrates a rule of `model/policies.yml`. */
import type { SessionSettings } from '../../src/shared/wire/streamLines.ts';

export const demoIdentities: Readonly<Record<string, SessionSettings>> = {
  'Ana, Europe': { externalId: 'ana', userAttributes: [{ name: 'region', value: 'Europe' }] },
  'Ben, Germany': { externalId: 'ben', userAttributes: [{ name: 'country', value: 'Germany' }] },
  'Chloé, Electronics': { externalId: 'chloe', userAttributes: [{ name: 'category', value: 'Electronics' }] },
  'Dev, online orders': { externalId: 'dev-online', groups: ['online'] },
  'Elif, enterprise customers': { externalId: 'elif', securityContext: { segment: 'Enterprise' } },
  'Marc, internal user': { internalId: 'marc@acme.example' },
};
