/** The connections that the user has set up: which of them can be used, which is current, and which a thread is on. */
import { chatAddresses } from '../../api/address.ts';
import { errorFromFetch } from '../../api/errors.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import { fieldsOf, isFields } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home } from '../../shared/thread/model.ts';

/** One agent and how it is asked. */
export interface ConnectionEntry {
  /** Empty for the one that the settings `chatApiUrl`, `authentication` and `sessionSettings` make. */
  name: string;
  chatApiUrl: string;
  authentication: CredentialKind;
  sessionSettings?: Record<string, unknown>;
  /** Empty where all rows of a result cannot be loaded. */
  dataQueryUrl: string;
}

/** An entry of the settings that cannot be used, and why not, for the user. */
export interface UnusableEntry {
  /** As far as it has one. */
  name: string;
  label: string;
  problem: string;
}

const nameIn = (value: unknown): string => {
  const { name } = fieldsOf(value);
  return typeof name === 'string' ? name.trim() : '';
};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** @returns why the text cannot be a Chat API URL, in words; undefined when it can */
export function addressProblem(chatApiUrl: string): string | undefined {
  try {
    chatAddresses(chatApiUrl);
    return undefined;
  } catch (failure) {
    return errorFromFetch(failure).message;
  }
}

/** @param value an entry of the setting `connections`, as the user wrote it */
function problemOf(value: unknown, taken: ReadonlySet<string>): string | undefined {
  if (!isFields(value)) return t('An entry must be an object.');
  const name = nameIn(value);
  if (name === '') return t('It has no name.');
  if (taken.has(name)) return t('Another connection has this name.');
  if (typeof value.chatApiUrl !== 'string') return t('It has no Chat API URL.');
  if (!['apiKey', 'serviceToken', undefined].includes(value.authentication as string | undefined))
    return t('“authentication” must be “apiKey” or “serviceToken”.');
  if (value.sessionSettings !== undefined && !isFields(value.sessionSettings))
    return t('“sessionSettings” must be an object.');
  if (value.dataQueryUrl !== undefined && typeof value.dataQueryUrl !== 'string')
    return t('“dataQueryUrl” must be an address.');
  return addressProblem(value.chatApiUrl);
}

/**
 * @param value the setting `connections`, as the user wrote it
 * @returns what can be used of it, in its order, and what cannot
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
    const { chatApiUrl, authentication, sessionSettings, dataQueryUrl } = entry as Partial<ConnectionEntry>;
    usable.push({
      name,
      chatApiUrl: chatApiUrl ?? '',
      authentication: authentication ?? 'apiKey',
      ...(sessionSettings && Object.keys(sessionSettings).length > 0 ? { sessionSettings } : {}),
      dataQueryUrl: dataQueryUrl ?? '',
    });
  });
  return { usable, unusable };
}

/**
 * @param value the setting `connections`, as the user wrote it
 * @returns it with the entry added, or with the fields of the one of that name changed; all else stays
 */
export function withConnection(value: unknown, entry: Partial<ConnectionEntry> & { name: string }): unknown[] {
  const list = [...listOf(value)];
  const at = list.findIndex((known) => nameIn(known) === entry.name);
  if (at < 0) list.push(entry);
  else list[at] = { ...fieldsOf(list[at]), ...entry };
  return list;
}

/** @returns the setting `connections` without the one of that name */
export function withoutConnection(value: unknown, name: string): unknown[] {
  const list = listOf(value);
  const at = list.findIndex((known) => nameIn(known) === name);
  return list.filter((_, index) => index !== at);
}

/** @returns what a credential is kept by and a thread belongs to; empty when the address cannot be used */
export function originOf({ chatApiUrl }: Pick<ConnectionEntry, 'chatApiUrl'>): string {
  return addressProblem(chatApiUrl) === undefined ? chatAddresses(chatApiUrl).origin : '';
}

/** @returns the name, or the host where there is none */
export function shownName(entry: ConnectionEntry): string {
  return entry.name || hostOf(originOf(entry)) || entry.chatApiUrl;
}

/** @returns the address without what all of them have in common */
export function addressOf({ chatApiUrl }: ConnectionEntry): string {
  return addressProblem(chatApiUrl) === undefined ? hostOf(chatAddresses(chatApiUrl).base) : chatApiUrl;
}

/** @param address that begins with its scheme */
export const hostOf = (address: string): string => address.replace(/^https?:\/\//, '');

/** @returns the first connection that is wished for by its name and exists; else the first of all */
export function chosenConnection(
  all: readonly ConnectionEntry[],
  ...wishes: readonly (string | undefined)[]
): ConnectionEntry | undefined {
  for (const wish of wishes) {
    const found = all.find(({ name }) => name === wish);
    if (found) return found;
  }
  return all[0];
}

/**
 * The connection that a thread goes on with: never one of another origin, for there its id means nothing or
 * something else. Its name decides among several; one that has been renamed meanwhile is found while it is alone.
 * @returns undefined when none leads there any more
 */
export function connectionAt(all: readonly ConnectionEntry[], home: Home): ConnectionEntry | undefined {
  const there = all.filter((entry) => home.origin !== '' && originOf(entry) === home.origin);
  const named = there.find(({ name }) => name === home.connection);
  // A thread of before there were names was asked on the one that has none.
  return named ?? (there.length === 1 || home.connection === undefined ? there[0] : undefined);
}
