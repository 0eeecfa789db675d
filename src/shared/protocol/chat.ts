/**
 * The messages between the extension host and a webview: two unions, notifications only. The host sends events of
 * the thread; the webview sends ids and intents, never SQL text, command names or HTML.
 */
import { isFields } from '../text/checks.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import type { ErrorAction, Thread, ThreadEvent } from '../thread/model.ts';
import type { ThreadAct, ThreadsPart } from './threads.ts';
import type { ImageAttachment } from '../wire.ts';

/** What the webview shows besides the thread itself. */
export interface Surroundings {
  connected: boolean;
  /** The thread's connection, or that of its first question; empty while there is only one. */
  connection: string;
  /** As shown; the main branch's name where none was chosen. */
  branch: string;
  mainBranch: string;
  identity: string;
  sendKey: 'enter' | 'modEnter';
  showThinking: 'collapsed' | 'expanded' | 'hidden';
  /** Whether "Load all" can work: an address for it is set. */
  canLoadAll: boolean;
  /** The thread is a recording or an import: shown, not continued. */
  readOnly: boolean;
  /** Seconds after which the service may delete the thread; 0 when there is nothing to tell of that. */
  lifetime: number;
  examples: readonly string[];
  /** Whether text that a spreadsheet would take for a formula is copied so that it does not. */
  guardFormulas: boolean;
  /** Charts that the user has changed: Vega-Lite specifications by tool call. */
  chartSpecs: Readonly<Record<string, string>>;
}

/** What the user has typed and not sent yet. */
export interface Draft {
  text: string;
  images: readonly ImageAttachment[];
}

export const emptyDraft: Draft = { text: '', images: [] };

/** How far "Load all" is; `limited` when there are more rows than a view can show. */
export type LoadState = 'loading' | 'done' | 'limited' | 'stopped';

/** Rows of a query that is being loaded whole, a part of them. */
export interface LoadedRows {
  /** How many came before: a page that was not there then has no use for these. */
  from: number;
  rows: ResultTable['rows'];
  state: LoadState;
  /** How the rows differ from those of the answer, in words; only with the last part. */
  notice?: string;
}

/** Parts of a view that take the keyboard when they are asked for. */
export type FocusTarget = 'composer' | 'find' | 'history';

export type ToWebview =
  | { type: 'snapshot'; seq: number; thread: Thread; around: Surroundings; draft: Draft; l10n: Record<string, string> }
  | { type: 'events'; seq: number; events: readonly ThreadEvent[] }
  | { type: 'surroundings'; around: Surroundings }
  /** Text and images for the composer, ahead of what is there: a message that could not be sent, or an attachment. */
  | { type: 'compose'; draft: Draft }
  /** What is written in another view of the same thread. */
  | { type: 'draft'; draft: Draft }
  | { type: 'focus'; what: FocusTarget }
  /** More rows of a query that is being loaded whole. */
  | ({ type: 'rows'; toolCallId: string } & LoadedRows)
  /** A part of the list of threads, for a view that has asked for it. */
  | ({ type: 'threads' } & ThreadsPart)
  | { type: 'ping'; id: number };

export type SlashCommand = 'new' | 'branch' | 'identity' | 'compare' | 'sql' | 'export' | 'help';

export type FromWebview =
  | { type: 'ready' }
  | { type: 'needSnapshot' }
  /** The events with this number, and all before them, are drawn. */
  | { type: 'drawn'; seq: number }
  | { type: 'pong'; id: number }
  | { type: 'send'; text: string; images: readonly ImageAttachment[] }
  | { type: 'stop' }
  | { type: 'unqueue'; id: string }
  | { type: 'sendQueued'; id: string }
  | { type: 'errorAction'; action: ErrorAction }
  | { type: 'draft'; threadId: string; draft: Draft }
  /** The keyboard has come to the page. */
  | { type: 'focused' }
  | { type: 'newChat' }
  | { type: 'connect' }
  | { type: 'switchConnection' }
  | { type: 'openSample' }
  | { type: 'switchBranch' }
  | { type: 'switchIdentity' }
  | { type: 'insertSql'; toolCallId: string }
  | { type: 'copySql'; toolCallId: string }
  | { type: 'openSql'; toolCallId: string }
  | { type: 'copy'; text: string }
  | { type: 'copyMessage'; messageId: string }
  | { type: 'insertMember'; name: string }
  | { type: 'openResults'; toolCallId: string }
  | { type: 'exportResults'; toolCallId: string }
  | { type: 'loadAll'; toolCallId: string }
  | { type: 'saveChart'; toolCallId: string; format: 'png' | 'svg'; data: string }
  | { type: 'openChartSpec'; toolCallId: string }
  /** The chart as the user wants it from now on; an empty specification stands for the service's own. */
  | { type: 'changeChart'; toolCallId: string; spec: string }
  | { type: 'pickImage' }
  /** Something of the workspace for the composer: `file` asks for a file at once, `any` asks what. */
  | { type: 'attach'; what: 'file' | 'any' }
  | { type: 'attachUris'; uris: readonly string[] }
  | { type: 'command'; name: SlashCommand }
  | { type: 'openLink'; href: string }
  /** The view shows the first so many threads, or those in which the query is found, until it closes the list. */
  | { type: 'listThreads'; query: string; count: number }
  | { type: 'closeThreads' }
  | { type: 'dismissLifetime' }
  | { type: 'threadAct'; act: ThreadAct; threadId: string }
  | { type: 'renameThread'; threadId: string; title: string }
  | { type: 'problem'; text: string };

/** What a user does in a view; the rest of what comes from it only keeps the page in step. */
export type Intent = Exclude<FromWebview, { type: 'ready' | 'needSnapshot' | 'drawn' | 'pong' }>;

const hostTypes: Record<ToWebview['type'], true> = {
  snapshot: true,
  events: true,
  surroundings: true,
  compose: true,
  draft: true,
  focus: true,
  rows: true,
  threads: true,
  ping: true,
};

/** @returns whether a message has the shape of one from the host */
export function isToWebview(message: unknown): message is ToWebview {
  return isFields(message) && typeof message.type === 'string' && Object.hasOwn(hostTypes, message.type);
}

/** For the default branch of a switch: does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
