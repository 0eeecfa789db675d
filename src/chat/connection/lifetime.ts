/** Computes how long the service keeps ephemeral users and their threads (2.2, part 8). */
import type { CredentialKind } from '../../api/sessionRules.ts';
import type { SessionSettings } from '../../shared/wire/streamLines.ts';

const WEEK = 7 * 24 * 60 * 60;

/**
 * @param settings session settings of the user; ignored with a service token, where the service decides
 * @returns seconds; undefined for permanent users: internal users, and external ones with `isEphemeral: false`
 */
export function lifetimeOf(kind: CredentialKind, settings: SessionSettings): number | undefined {
  if (kind === 'serviceToken') return WEEK;
  if (settings.internalId !== undefined || settings.isEphemeral === false) return undefined;
  return settings.ephemeralTtlSeconds ?? WEEK;
}
