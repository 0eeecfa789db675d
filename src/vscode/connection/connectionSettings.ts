/** Writes connections into the user's settings. */
import { withConnection, withoutConnection, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { readSettings, writeSetting } from '../host/settings.ts';

type Fields = Pick<ConnectionEntry, 'name' | 'chatApiUrl' | 'authentication' | 'sessionSettings'>;

/** Adds a connection, or changes the one of that name; what is not given stays. */
export async function saveConnection(fields: Fields): Promise<void> {
  const { name, ...own } = fields;
  if (name !== '') return writeSetting('connections', withConnection(readSettings().connections, fields));
  for (const [key, value] of Object.entries(own)) await writeSetting(key, value);
}

/** @param name of the connection; empty for the one that settings of their own make */
export async function removeConnection(name: string): Promise<void> {
  if (name !== '') return writeSetting('connections', withoutConnection(readSettings().connections, name));
  for (const key of ['chatApiUrl', 'authentication', 'sessionSettings']) await writeSetting(key, undefined);
}
