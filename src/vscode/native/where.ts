/** Where a question goes that somebody else wants to ask, for the user to agree to. */
import { shownName } from '../../chat/connection/connectionList.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App } from '../app.ts';

/** @param branch that is asked for; the current one when empty */
export function whereWords({ branches, connections, identities }: App, branch = ''): string {
  const { current, several } = connections;
  const name = branch || branches.label;
  return current && several
    ? t('to {0}, on the branch “{1}” as “{2}”', shownName(current), name, identities.current)
    : t('on the branch “{0}” as “{1}”', name, identities.current);
}
