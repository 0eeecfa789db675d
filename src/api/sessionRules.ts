/** Validates session settings (2.2, part 5). */
import { isFields, listOf, text } from '../shared/text/checks.ts';
import { t } from '../shared/text/l10n.ts';
import { isZone } from '../shared/results/zones.ts';
import type { SessionSettings } from '../shared/wire/streamLines.ts';

export type CredentialKind = 'apiKey' | 'serviceToken';

/** A rule of 2.2 that the session settings violate. */
export interface Violation {
  field: keyof SessionSettings;
  message: string;
}

const isTexts = listOf(text);
const isAttribute = (value: unknown): boolean =>
  isFields(value) && typeof value.name === 'string' && value.name !== '' && typeof value.value === 'string';

/** Fields that must not be sent for an internal user, who has permissions of their own. */
const NOT_WITH_INTERNAL = ['userAttributes', 'groups', 'securityContext', 'roles'] as const;

function checkExternalId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return t('externalId must be a non-empty string.');
  if (/\s/.test(value)) return t('externalId must not contain spaces.');
  if (value !== value.toLowerCase()) return t('externalId must be lowercase: {0}', value.toLowerCase());
  return undefined;
}

const checks: { [F in keyof SessionSettings]-?: (value: unknown) => string | undefined } = {
  externalId: checkExternalId,
  internalId: (value) =>
    typeof value === 'string' && value.trim() !== '' ? undefined : t('internalId must be a non-empty string.'),
  email: (value) => (typeof value === 'string' ? undefined : t('email must be a string.')),
  userAttributes: (value) =>
    Array.isArray(value) && value.every(isAttribute)
      ? undefined
      : t('userAttributes must be an array of objects, each with a string name and a string value.'),
  groups: (value) => (isTexts(value) ? undefined : t('groups must be an array of strings.')),
  securityContext: (value) => (isFields(value) ? undefined : t('securityContext must be an object.')),
  roles: (value) => (isTexts(value) ? undefined : t('roles must be an array of strings.')),
  publicDashboardId: (value) => (typeof value === 'string' ? undefined : t('publicDashboardId must be a string.')),
  isEphemeral: (value) => (typeof value === 'boolean' ? undefined : t('isEphemeral must be true or false.')),
  ephemeralTtlSeconds: (value) =>
    typeof value === 'number' && Number.isFinite(value) && value > 0
      ? undefined
      : t('ephemeralTtlSeconds must be a positive number.'),
  timezone: (value) =>
    typeof value === 'string' && /^\w/.test(value) && isZone(value)
      ? undefined
      : t('timezone must be the IANA name of a time zone, such as Europe/Berlin.'),
  allowChatWorkspaceAuthoring: (value) =>
    typeof value === 'boolean' ? undefined : t('allowChatWorkspaceAuthoring must be true or false.'),
};

/** @returns the names of the session settings that are unknown here; they are sent unchanged */
export const unknownSettings = (settings: object): string[] =>
  Object.keys(settings).filter((field) => !Object.hasOwn(checks, field));

/**
 * @param settings session settings as written by the user
 * @returns every violation of 2.2, with a message for the user; empty if the settings are valid
 */
export function checkSessionSettings(settings: unknown): Violation[] {
  if (!isFields(settings)) return [{ field: 'externalId', message: t('Session settings must be an object.') }];
  const violations: Violation[] = [];
  const has = (field: string): boolean => settings[field] !== undefined;
  if (!has('externalId') && !has('internalId'))
    violations.push({ field: 'externalId', message: t('Either externalId or internalId is required.') });
  if (has('externalId') && has('internalId'))
    violations.push({ field: 'internalId', message: t('Set either externalId or internalId, not both.') });
  for (const [field, check] of Object.entries(checks) as [
    keyof SessionSettings,
    (value: unknown) => string | undefined,
  ][]) {
    const message = has(field) ? check(settings[field]) : undefined;
    if (message !== undefined) violations.push({ field, message });
  }
  if (has('internalId'))
    for (const field of NOT_WITH_INTERNAL)
      if (has(field)) violations.push({ field, message: t('{0} is not allowed with internalId.', field) });
  return violations;
}
