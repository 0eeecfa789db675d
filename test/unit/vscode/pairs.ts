/** Services with two of each: connections, branches, identities, folders, secrets, and chats whose queries have equal ids. */
import type { ChatSession } from '../../../src/chat/session/chatSession.ts';
import type { ConnectionEntry } from '../../../src/chat/connection/connectionList.ts';
import {
  emptyThread,
  type Home,
  type Item,
  type QuestionContext,
  type Thread,
} from '../../../src/shared/thread/model.ts';
import { emptyDraft, type Draft } from '../../../src/shared/protocol/chat.ts';
import type { ChatView } from '../../../src/vscode/host/chatView.ts';
import type { AllServices } from '../../../src/vscode/services.ts';
import { Disposable, Uri } from '../../support/editorValues.ts';
import { makeItem, makeTurn, withItems } from '../../support/item.ts';
import type { ServiceStubs } from './areas.ts';
import { uriAt } from './documents.ts';

const entryOf = (name: string): ConnectionEntry =>
  ({
    ...{ name, chatApiUrl: `https://${name}.example/agent`, dataQueryUrl: `https://${name}.example/query` },
    authentication: 'apiKey',
  }) as ConnectionEntry;
/** The current connection, and that of the second chat. */
export const [sales, finance] = [entryOf('sales'), entryOf('finance')];
export const homeOf = ({ name }: ConnectionEntry): Home => ({ origin: `https://${name}.example`, connection: name });

/** The contexts of the first and of the second question of each chat; the current ones are others. */
export const [onDev, onNet]: [QuestionContext, QuestionContext] = [
  { branch: 'dev', isDefaultBranch: false, identity: 'ana' },
  { branch: 'net', isDefaultBranch: false, identity: 'ben' },
];

/** The second folder is on another file system. */
export const folders = [
  { name: 'shop', uri: uriAt('/shop'), index: 0 },
  { name: 'bank', uri: uriAt('/bank'), index: 1 },
];

/** Redacts two secrets. */
export const redact = (text: string): string => text.replaceAll(/the-key|other-key/g, '[redacted]');

interface QueryFields {
  sqlQuery: string;
  queryTitle?: string;
  description?: string;
  vegaSpec?: string;
  data?: unknown[][];
  /** Of the only column of the result; a number by default. */
  type?: string;
  totalRows?: number;
}
/** @returns a finished tool call with a result of one column */
export const queryItem = (id: string, { data = [[1]], type = 'number', totalRows, ...input }: QueryFields): Item => {
  const result = { schema: [{ name: 'n', column_type: type }], data, ...(totalRows && { totalRows }) };
  const toolCall = { name: 'svcSqlApi', input: JSON.stringify(input), result: JSON.stringify(result) };
  return makeItem(id, { toolCall });
};

/** @returns a thread with two questions; all threads have the same ids of questions and queries */
export const threadOf = (id: string): Thread => ({
  ...emptyThread(id),
  chatId: `chat-${id}`,
  turns: [
    makeTurn({ id: 'q1', content: `Costs of ${id}?`, time: 1, context: onDev }, [
      queryItem('t1', { sqlQuery: `SELECT '${id} t1'`, queryTitle: 'Costs' }),
    ]),
    makeTurn({ id: 'q2', content: `Revenue of ${id}?`, time: 2, context: onNet }, [
      queryItem('t2', { sqlQuery: `SELECT '${id} t2'` }),
      queryItem('t3', { sqlQuery: `SELECT '${id} t3'`, queryTitle: 'Revenue' }),
    ]),
  ],
});

/** Adds a query to the last answer of a chat. @returns the new thread */
export const withQuery = (session: ChatSession, id: string, fields: QueryFields): Thread =>
  Object.assign(session, { thread: withItems(session.thread, queryItem(id, fields)) }).thread;

/** @returns the members of both, with their getters; the second one has precedence */
export const merged = (given: unknown, more: unknown): unknown =>
  isPlain(given) && isPlain(more)
    ? Object.defineProperties(
        {},
        { ...Object.getOwnPropertyDescriptors(given), ...Object.getOwnPropertyDescriptors(more) },
      )
    : more;
export const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Waits until what has already settled is handled. */
export const settled = (): Promise<void> => new Promise(setImmediate);

/** @returns a view of a chat. @param reveal called when the view gets the focus */
export const viewOf = (session: ChatSession, reveal: () => unknown = () => undefined): ChatView =>
  ({ session, reveal, post: () => undefined }) as unknown as ChatView;

export interface Pairs {
  /** The active chat, on the current connection. */
  first: ChatSession;
  /** A chat on the other connection. */
  second: ChatSession;
  /** What was logged, redacted, opened, asked and so on, in order. */
  done: string[];
  /** The contexts of the chats that were pinned, and the connections of those that were added. */
  pinned: string[];
  added: (string | undefined)[];
  /** What is typed in the chats, by their ids. */
  drafts: Map<string, Draft>;
  services: AllServices;
}

/** @param more members of services, in addition to the usual ones or instead of them */
export function pairs(more: ServiceStubs = {}): Pairs {
  const done: string[] = [];
  const pinned: string[] = [];
  const added: (string | undefined)[] = [];
  const drafts = new Map<string, Draft>();
  const say = (text: string): void => void done.push(text);
  /** Later, so that it is noticed if nothing waits for it. */
  const note = (text: string): Promise<void> => settled().then(() => say(text));
  const [first, second] = ['first', 'second'].map(
    (id) => ({ thread: threadOf(id), send: ({ text }: { text: string }) => note(`send ${text} in ${id}`) }) as object,
  ) as [ChatSession, ChatSession];
  const all = [second, first];
  const get = (id: string): ChatSession | undefined => all.find(({ thread }) => thread.id === id);
  const idOf = (session: ChatSession): string => session.thread.id;
  const entryAt = (home: Home | undefined): ConnectionEntry => (home?.connection === 'finance' ? finance : sales);
  const contextOn = (branch: string) => ({ branch, isDefaultBranch: branch === 'main' });
  const nothing = (): Disposable => new Disposable(() => undefined);
  const usual: ServiceStubs = {
    context: { extensionUri: Uri.file('/extension'), subscriptions: [] },
    log: {
      ...{ redact, redactDocument: redact },
      ...{ info: say, warn: say, error: (text: string, failure: unknown) => say(`${text} ${String(failure)}`) },
      show: () => say('show log'),
    },
    guarded: (work: () => unknown) => Promise.resolve(work()),
    branches: {
      ...{ current: { name: 'now', isDefault: false }, label: 'now', main: 'main', contextOn },
      ...{ offered: [], recent: [], switchTo: (name: string) => note(`switch to ${name}`) },
      mainOf: ({ name } = folders[0]!) => (name === 'bank' ? 'trunk' : 'main'),
      currentIn: ({ name } = folders[0]!) => ({ name: name === 'bank' ? '' : 'now', isDefault: name === 'bank' }),
    },
    connections: {
      ...{ current: sales, several: true, all: [finance, sales], unusable: [], of: entryAt, label: () => 'sales' },
      described: ({ name }: ConnectionEntry) => `the one named ${name}`,
      switchTo: ({ name }: ConnectionEntry) => note(`switch to ${name}`),
    },
    history: () => Promise.resolve({ list: () => Promise.resolve([]), remove: () => Promise.resolve() }),
    identities: {
      ...{ current: 'me', names: () => ['me', 'ana', 'ben'], all: () => new Map(), timeZones: () => ({}) },
      usable: ({ name } = sales) => (name === 'finance' ? ['ana', 'ben'] : ['me', 'ana']),
      on: ({ name }: ConnectionEntry) => (name === 'finance' ? 'ben' : 'me'),
      switchTo: (name: string) => note(`switch to ${name}`),
    },
    charts: { of: () => [] },
    members: { definitions: [], viewNames: (connection: string) => new Set([`views_of_${connection}`]) },
    questionFiles: {
      ...{ load: () => Promise.resolve([]), questionsOf: () => Promise.resolve([]) },
      reload: ({ name }: { name: string }) => note(`reload ${name}`),
    },
    repository: {
      ...{ isReadOnly: () => false, restore: () => note('restore'), keep: () => Promise.resolve() },
      open: (id: string) => Promise.resolve(get(id) ?? Promise.reject(new Error(`No chat ${id}.`))),
    },
    sessions: {
      ...{ active: first, all, get, onDidChange: nothing, onDidRemove: nothing, onDidRetitle: nothing },
      ...{ isRunning: () => false, remove: () => Promise.resolve() },
      draft: (id: string) => drafts.get(id) ?? emptyDraft,
      keepDraft: (id: string, draft: Draft) => drafts.set(id, draft),
      activate: (session: ChatSession) => say(`activate ${idOf(session)}`),
      titleOf: (session: ChatSession) => `Title of ${idOf(session)}`,
      homeOf: (session: ChatSession) => homeOf(session === second ? finance : sales),
      connectionOf: (session: ChatSession) => (session === second ? finance : sales),
      add: (thread: Thread, _draft?: object, home?: Home) => {
        added.push(home?.connection);
        return { thread, send: ({ text }: { text: string }) => note(text) };
      },
      pin: (_id: string, to?: QuestionContext) =>
        to && pinned.push([to.branch, to.isDefaultBranch, to.identity].join(' ')),
    },
    views: {
      ...{ embed: nothing, viewClosed: nothing },
      reveal: (session: ChatSession) => note(`reveal ${idOf(session)}`),
      focus: (session: ChatSession) => note(`focus ${idOf(session)}`),
    },
  };
  const members = Object.entries(more).map(([name, own]) => [name, merged(usual[name as keyof ServiceStubs], own)]);
  const services = { ...usual, ...(Object.fromEntries(members) as object) } as unknown as AllServices;
  return { first, second, done, pinned, added, drafts, services };
}
