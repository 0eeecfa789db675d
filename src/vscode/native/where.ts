/** Describes the connection, branch and identity of a question, for confirmation dialogs. */
import { shownName } from '../../chat/connection/connectionList.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Branches } from '../connection/branches.ts';
import type { Identities } from '../connection/identities.ts';
import type { Connections } from '../connection/connections.ts';

export interface WhereServices {
  branches: Branches;
  identities: Identities;
  connections: Connections;
}

/** @param branch requested branch; empty for the current one */
export function whereWords({ branches, connections, identities }: WhereServices, branch = ''): string {
  const { current, several } = connections;
  const name = branch || branches.label;
  return current && several
    ? t('to {0}, on branch “{1}” as “{2}”', shownName(current), name, identities.current)
    : t('on branch “{0}” as “{1}”', name, identities.current);
}
