/** Reads and edits the configured connections, and selects the current one and that of a thread. */
import { chatAddresses, dataQueryAddress, type ChatAddresses } from '../../api/address.ts';
import { errorFromFetch } from '../../api/errors.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { fieldsOf, isFields, textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { commandIn, type TokenProgram } from './tokenCommand.ts';
import type { Home } from '../../shared/thread/model.ts';

/** A connection to one agent. */
export interface ConnectionEntry {
  /** Empty for the connection defined by the settings `chatApiUrl`, `authentication` and `sessionSettings`. */
  name: string;
  chatApiUrl: string;
  authentication: CredentialKind;
  sessionSettings?: Record<string, unknown>;
  /** Prints the service tokens. */
  tokenCommand?: TokenProgram;
  /** URL of the data query API; empty if "Load all" is not available. */
  dataQueryUrl: string;
}

/** An invalid entry of the settings, with the reason for the user. */
export interface UnusableEntry {
  /** Empty if the entry has no name. */
  name: string;
  label: string;
  problem: string;
}

const nameIn = (value: unknown): string => (textIn(value, 'name') ?? '').trim();
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The addresses of a Chat API URL, or the message that says why it is not valid. */
function addressesOf(chatApiUrl: string): ChatAddresses | string {
  try {
    return chatAddresses(chatApiUrl);
  } catch (failure) {
    return errorFromFetch(failure).message;
  }
}

/** @returns a message that says why the text is not a valid Chat API URL; undefined if it is valid */
export function addressProblem(chatApiUrl: string): string | undefined {
  const addresses = addressesOf(chatApiUrl);
  return typeof addresses === 'string' ? addresses : undefined;
}

/**
 * @param value an entry of the setting `connections`, unvalidated
 * @param taken names of the preceding entries
 * @returns what is wrong with the entry; undefined if it is valid
 */
function problemOf(value: unknown, taken: ReadonlySet<string>): string | undefined {
  if (!isFields(value)) return t('An entry must be an object.');
  const name = nameIn(value);
  if (name === '') return t('The name is missing.');
  if (taken.has(name)) return t('Another connection has this name.');
  if (typeof value.chatApiUrl !== 'string') return t('The Chat API URL is missing.');
  if (!['apiKey', 'serviceToken', undefined].includes(value.authentication as string | undefined))
    return t('“authentication” must be “apiKey” or “serviceToken”.');
  if (value.sessionSettings !== undefined && !isFields(value.sessionSettings))
    return t('“sessionSettings” must be an object.');
  if (value.dataQueryUrl !== undefined && typeof value.dataQueryUrl !== 'string')
    return t('“dataQueryUrl” must be a URL.');
  if (value.tokenCommand !== undefined && !commandIn(value.tokenCommand))
    return t('“tokenCommand” must be an array of a program and its arguments.');
  return addressProblem(value.chatApiUrl);
}

/**
 * @param value the setting `connections`, unvalidated
 * @returns its valid and its invalid entries, in order
 */
export function readConnections(value: unknown): { usable: ConnectionEntry[]; unusable: UnusableEntry[] } {
  const usable: ConnectionEntry[] = [];
  const unusable: UnusableEntry[] = [];
  const taken = new Set<string>();
  listOf(value).forEach((entry, index) => {
    const name = nameIn(entry);
    const problem = problemOf(entry, taken);
    if (problem !== undefined) {
      unusable.push({ name, label: name || t('Connection {0}', index + 1), problem });
      return;
    }
    taken.add(name);
    const { chatApiUrl, authentication = 'apiKey', sessionSettings = {}, dataQueryUrl = '' } = entry as ConnectionEntry;
    const { tokenCommand } = entry as ConnectionEntry;
    const settings = Object.keys(sessionSettings).length > 0 ? { sessionSettings } : {};
    usable.push({ name, chatApiUrl, authentication, ...settings, ...(tokenCommand && { tokenCommand }), dataQueryUrl });
  });
  return { usable, unusable };
}

/**
 * @param value the setting `connections`, unvalidated
 * @returns the setting with the entry added, or merged into the entry of that name; other entries are unchanged
 */
export function withConnection(value: unknown, entry: Partial<ConnectionEntry> & { name: string }): unknown[] {
  const list = [...listOf(value)];
  const at = list.findIndex((known) => nameIn(known) === entry.name);
  if (at < 0) list.push(entry);
  else list[at] = { ...fieldsOf(list[at]), ...entry };
  return list;
}

/** @returns the setting `connections` without the entry of that name */
export function withoutConnection(value: unknown, name: string): unknown[] {
  const list = listOf(value);
  const at = list.findIndex((known) => nameIn(known) === name);
  return list.filter((_, index) => index !== at);
}

/** @returns the origin, by which credentials are stored and to which threads belong; empty if the URL is invalid */
export function originOf({ chatApiUrl }: Pick<ConnectionEntry, 'chatApiUrl'>): string {
  const addresses = addressesOf(chatApiUrl);
  return typeof addresses === 'string' ? '' : addresses.origin;
}

/** Whether the credential of a connection comes from its token command. */
export const printsTokens = ({ authentication, tokenCommand }: ConnectionEntry): boolean =>
  authentication === 'serviceToken' && tokenCommand !== undefined;

/** @returns the origins with a credential, each once: that of the chat API and, if its URL is valid, of the data query API */
export function originsOf(entry: ConnectionEntry): string[] {
  const origins = [originOf(entry)];
  try {
    if (entry.dataQueryUrl !== '') origins.push(dataQueryAddress(entry.dataQueryUrl, 'main').origin);
  } catch {
    // The next data query reports the invalid URL.
  }
  return [...new Set(origins)].filter((origin) => origin !== '');
}

/** @returns where threads and questions on this connection belong */
export const homeOf = (entry: ConnectionEntry): Home => ({ origin: originOf(entry), connection: entry.name });

/** @returns the name, or the host if it has none */
export function shownName(entry: ConnectionEntry): string {
  return entry.name || withoutScheme(originOf(entry)) || entry.chatApiUrl;
}

/** @returns the base URL without its scheme */
export function addressOf({ chatApiUrl }: ConnectionEntry): string {
  const addresses = addressesOf(chatApiUrl);
  return typeof addresses === 'string' ? chatApiUrl : withoutScheme(addresses.base);
}

/** @param address an absolute URL @returns the URL without its scheme */
export const withoutScheme = (address: string): string => address.replace(/^https?:\/\//, '');

/** @returns the connection with the first of the given names that exists, or else the first connection */
export function chosenConnection(
  all: readonly ConnectionEntry[],
  ...names: readonly (string | undefined)[]
): ConnectionEntry | undefined {
  for (const wanted of names) {
    const found = all.find(({ name }) => name === wanted);
    if (found) return found;
  }
  return all[0];
}

/**
 * Finds the connection with which a thread continues. It must have the thread's origin, because thread ids are valid
 * only there. Of several, the one with the thread's connection name is used; if there is only one, its name may have
 * changed.
 * @returns undefined if there is no such connection
 */
export function connectionAt(all: readonly ConnectionEntry[], home: Home): ConnectionEntry | undefined {
  const there = all.filter((entry) => home.origin !== '' && originOf(entry) === home.origin);
  const named = there.find(({ name }) => name === home.connection);
  // Older threads, saved before connections had names, use the unnamed connection.
  return named ?? (there.length === 1 || home.connection === undefined ? there[0] : undefined);
}
