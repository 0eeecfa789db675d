/** For how long the service keeps users that it makes for this API, and with them their threads (2.2, part 8). */
import type { CredentialKind } from '../../api/sessionRules.ts';
import type { SessionSettings } from '../../shared/wire.ts';

const WEEK = 7 * 24 * 60 * 60;

/**
 * @param settings of the user who asks; with a service token they do not count, and the service decides
 * @returns seconds; undefined for users who stay: those of the platform itself, and those who were asked to
 */
export function lifetimeOf(kind: CredentialKind, settings: SessionSettings): number | undefined {
  if (kind === 'serviceToken') return WEEK;
  if (settings.internalId !== undefined || settings.isEphemeral === false) return undefined;
  return settings.ephemeralTtlSeconds ?? WEEK;
}
