/** Writes connections to the user settings. */
import { withConnection, withoutConnection, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { readSettings, writeSetting } from '../host/settings.ts';

type Fields = Pick<ConnectionEntry, 'name' | 'chatApiUrl' | 'authentication' | 'sessionSettings'>;

/** Adds a connection or updates the one with the same name; omitted fields stay unchanged. */
export async function saveConnection(fields: Fields): Promise<void> {
  const { name, ...own } = fields;
  if (name !== '') return writeSetting('connections', withConnection(readSettings().connections, fields));
  for (const [key, value] of Object.entries(own)) await writeSetting(key, value);
}

/** @param name name of the connection; empty for the one in `chatApiUrl` and related settings */
export async function removeConnection(name: string): Promise<void> {
  if (name !== '') return writeSetting('connections', withoutConnection(readSettings().connections, name));
  for (const key of ['chatApiUrl', 'authentication', 'sessionSettings']) await writeSetting(key, undefined);
}
