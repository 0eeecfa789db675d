/** Validates session settings (2.2). */
import type { SessionSettings } from '../../../src/shared/wire/streamLines.ts';
import { badRequest } from '../http/failures.ts';
import type { Policies } from './policies.ts';

type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const isTimeZone = (value: unknown): boolean =>
  typeof value === 'string' && [...Intl.supportedValuesOf('timeZone'), 'UTC'].includes(value);

const notWithInternalId = ['userAttributes', 'groups', 'securityContext', 'roles'] as const;

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  externalId: (value) => typeof value === 'string',
  internalId: (value) => typeof value === 'string',
  email: (value) => typeof value === 'string',
  userAttributes: (value) =>
    Array.isArray(value) &&
    value.every((entry) => isFields(entry) && typeof entry['name'] === 'string' && typeof entry['value'] === 'string'),
  groups: isTexts,
  securityContext: isFields,
  roles: isTexts,
  publicDashboardId: (value) => typeof value === 'string',
  isEphemeral: (value) => typeof value === 'boolean',
  ephemeralTtlSeconds: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  timezone: isTimeZone,
  allowChatWorkspaceAuthoring: (value) => typeof value === 'boolean',
};

/**
 * @returns the validated settings
 * @throws HttpFailure 400 that names the broken rule
 */
export function checkSessionSettings(value: unknown, policies: Policies): SessionSettings {
  if (value === undefined) throw badRequest('sessionSettings is required with an API key');
  if (!isFields(value)) throw badRequest('sessionSettings must be an object');
  for (const [field, isValid] of Object.entries(kinds))
    if (value[field] !== undefined && !isValid(value[field]))
      throw badRequest(`sessionSettings.${field} has a wrong type or value`);
  const settings: SessionSettings = value;
  const { externalId, internalId, userAttributes } = settings;
  if (externalId === undefined && internalId === undefined)
    throw badRequest('sessionSettings needs externalId or internalId');
  if (externalId !== undefined && internalId !== undefined)
    throw badRequest('sessionSettings takes externalId or internalId, not both');
  if (
    externalId !== undefined &&
    (externalId === '' || /\s/.test(externalId) || externalId !== externalId.toLowerCase())
  )
    throw badRequest('sessionSettings.externalId must be lowercase without whitespace');
  if (internalId !== undefined)
    for (const field of notWithInternalId)
      if (settings[field] !== undefined) throw badRequest(`sessionSettings.${field} is not allowed with internalId`);
  for (const { name } of userAttributes ?? [])
    if (!policies.hasAttribute(name)) throw badRequest(`The user attribute '${name}' is not configured`);
  return settings;
}
