/** Resolves identities to session settings (2.2), the connection's own or a named one, and to the lifetime of their threads. */
import { ChatError } from '../../api/errors.ts';
import { checkSessionSettings, type CredentialKind } from '../../api/sessionRules.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { SessionSettings } from '../../shared/wire/streamLines.ts';

/** The session settings from the configuration, unvalidated. */
export interface IdentitySettings {
  /** The session settings of the connection's own identity. */
  own: Record<string, unknown> | undefined;
  named: Readonly<Record<string, unknown>>;
}

/** @returns a short name for the user; empty if the settings name none */
export const labelOf = (settings: Record<string, unknown> | undefined): string =>
  ['externalId', 'internalId', 'email'].map((field) => textIn(settings, field)).find(Boolean) ?? '';

/** @returns the name of the identity defined by the connection's own session settings */
export const ownName = ({ own }: Pick<IdentitySettings, 'own'>): string => labelOf(own) || t('default');

/**
 * @param name name of an identity; it may have been removed since a question was asked with it
 * @throws ChatError `badRequest` if there is no such identity, or it breaks a rule of 2.2
 */
export function sessionSettingsOf(name: string, { own, named }: IdentitySettings): SessionSettings {
  const isNamed = Object.hasOwn(named, name);
  // Never fall back to another identity: permissions and answers depend on it.
  if (!isNamed && name !== ownName({ own }))
    throw invalid(
      t('The identity “{0}” no longer exists. Add it to “identities” again to continue, or start a new chat.', name),
    );
  const settings = isNamed ? named[name] : own;
  if (settings === undefined)
    throw invalid(t('No identity is set. Set “sessionSettings”, or connect again and enter an identity.'));
  const [violation] = checkSessionSettings(settings);
  if (violation) throw invalid(t('The session settings of “{0}” are invalid: {1}', name, violation.message));
  return settings as SessionSettings;
}

/**
 * Keeps the agent from writing workbooks, reports and dashboards: nobody sees those of a test, a check or a tool.
 * @returns the settings, which win if they say otherwise
 */
export const withoutAuthoring = (settings: SessionSettings): SessionSettings => ({
  allowChatWorkspaceAuthoring: false,
  ...settings,
});

/** The message for a question as another identity on a connection with a service token. */
export const serviceTokenText = (): string =>
  t('A service token identifies its user. Connect with an API key to ask as other identities.');

const invalid = (message: string): ChatError => new ChatError('badRequest', message, { code: 'INVALID_SETTINGS' });

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
