/**
 * Messages between the extension host and a chat webview: two unions, notifications only. The host sends thread events;
 * the webview sends ids and intents, never SQL text, command names or HTML.
 */
import type { Arrangement } from '../results/arrange.ts';
import { splitMessage, titleOfAttached } from '../text/attachedTexts.ts';
import { isFields } from '../text/checks.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import type { ErrorAction, Question, Thread, ThreadEvent } from '../thread/model.ts';
import type { ThreadAct, ThreadsPart } from './threads.ts';
import type { ImageAttachment } from '../wire/streamLines.ts';

/** State that the webview shows next to the thread. */
export interface ViewContext {
  connected: boolean;
  /** Name of the thread's connection; empty while there is only one connection. */
  connection: string;
  /** Display name; that of the main branch if none was chosen. */
  branch: string;
  mainBranch: string;
  /** The branch that Git has checked out, offered if questions run on another one; empty if there is no offer. */
  offeredBranch: string;
  identity: string;
  sendKey: 'enter' | 'modEnter';
  showThinking: 'collapsed' | 'expanded' | 'hidden';
  /** The thread is a recording or an import, and can't be continued. */
  readOnly: boolean;
  /** Seconds after which the service may delete the thread; 0 if there is no such limit to show. */
  lifetime: number;
  examples: readonly string[];
  /** Whether text that a spreadsheet would interpret as a formula is escaped when copied. */
  guardFormulas: boolean;
  /** IANA names of time zones by identity, for those that have one. */
  timeZones: Readonly<Record<string, string>>;
  /** Charts changed by the user: Vega-Lite specifications by tool call id. */
  chartSpecs: readonly (readonly [toolCallId: string, spec: string])[];
  /** Results whose SQL is that of a certified query, with the paths of its files. */
  certified: readonly (readonly [toolCallId: string, path: string])[];
}

/** A text attached to a draft, shown as a chip. */
export interface Attachment {
  kind: 'file' | 'selection' | 'problem' | 'sql';
  /** Shown on the chip. */
  name: string;
  /** What is sent, with its heading. */
  text: string;
  /** Whether the end of the text was cut off. */
  cut?: boolean;
}

/** The unsent content of the composer. */
export interface Draft {
  text: string;
  images: readonly ImageAttachment[];
  attachments?: readonly Attachment[];
  /** While an earlier question is edited: the draft that was in the composer before. */
  aside?: Draft;
}

export const emptyDraft: Draft = { text: '', images: [] };

/** @returns the message to send: the attached texts above the typed one */
export const draftMessage = ({ text, images, attachments = [] }: Draft): Pick<Draft, 'text' | 'images'> => ({
  text: [...attachments.map((attached) => attached.text), text].join('\n').trim(),
  images,
});

/** @returns the draft of a sent message, to edit it or to send it again */
export function draftOf({ content, images = [] }: Pick<Question, 'content' | 'images'>): Draft {
  const { attached, typed } = splitMessage(content);
  const attachments = attached.map((text): Attachment => ({ kind: 'file', name: titleOfAttached(text), text }));
  return { text: typed, images, ...(attachments.length > 0 ? { attachments } : {}) };
}

export const isEmptyDraft = (draft: Draft): boolean => draftMessage(draft).text === '' && draft.images.length === 0;

/** @returns what is in the composer after the draft was sent, or the editing of a question was canceled */
export const restOf = ({ aside }: Draft): Draft => aside ?? emptyDraft;

/** Progress of "Load all"; `limited` if there are more rows than a view can show. */
export type LoadState = 'loading' | 'done' | 'limited' | 'stopped';

/** A batch of rows sent while "Load all" runs. */
export interface LoadedRows {
  /** Number of rows sent before this batch; a page that did not receive those ignores the batch. */
  from: number;
  rows: ResultTable['rows'];
  state: LoadState;
  /** Message about rows that differ from those of the answer; only in the last batch. */
  notice?: string;
}

/** Parts of a chat view that the host can focus; `last` is the control that had the focus last. */
export type FocusTarget = 'composer' | 'find' | 'history' | 'last';

/** A file that can be attached. */
export interface WorkspaceFile {
  /** Path relative to its workspace folder. */
  path: string;
  uri: string;
}

export type ToWebview =
  | {
      type: 'snapshot';
      seq: number;
      thread: Thread;
      viewContext: ViewContext;
      draft: Draft;
      l10n: Record<string, string>;
    }
  | { type: 'events'; seq: number; events: readonly ThreadEvent[] }
  | { type: 'viewContext'; viewContext: ViewContext }
  /** Adds to the composer: a message that was not sent, or attachments. */
  | { type: 'compose'; draft: Draft }
  /** The draft was edited in another view of the same thread. */
  | { type: 'draft'; draft: Draft }
  /** The files of the workspace, for a view that requested them. */
  | { type: 'files'; files: readonly WorkspaceFile[] }
  | { type: 'focus'; what: FocusTarget }
  /** A batch of rows for "Load all". */
  | ({ type: 'rows'; toolCallId: string } & LoadedRows)
  /** Part of the thread list, for a view that requested it. */
  | ({ type: 'threads' } & ThreadsPart)
  /** Asks for a `pong`, which shows that the page responds. */
  | { type: 'ping' };

export type SlashCommand = 'new' | 'branch' | 'identity' | 'compare' | 'sql' | 'export' | 'help';

export type FromWebview =
  | { type: 'ready' }
  | { type: 'needSnapshot' }
  /** Events up to and including this sequence number are rendered. */
  | { type: 'drawn'; seq: number }
  | { type: 'pong' }
  | { type: 'send'; text: string; images: readonly ImageAttachment[] }
  | { type: 'stop' }
  /** Reconnects before the time that the service asked to wait. */
  | { type: 'retryNow' }
  | { type: 'unqueue'; id: string }
  | { type: 'sendQueued'; id: string }
  | { type: 'errorAction'; action: ErrorAction }
  | { type: 'draft'; threadId: string; draft: Draft }
  /** The page received focus. */
  | { type: 'focused' }
  | { type: 'newChat' }
  | { type: 'connect' }
  | { type: 'switchConnection' }
  | { type: 'openSample' }
  | { type: 'switchBranch' }
  | { type: 'switchIdentity' }
  /** Switches to the branch that Git has checked out, or declines the offer to do so. */
  | { type: 'offeredBranch'; accept: boolean }
  | { type: 'insertSql'; toolCallId: string }
  | { type: 'copySql'; toolCallId: string }
  | { type: 'openSql'; toolCallId: string }
  | { type: 'copy'; text: string }
  | { type: 'copyAnswer'; messageId: string }
  | { type: 'addAsTest'; toolCallId: string }
  | { type: 'certify'; toolCallId: string }
  | { type: 'correct'; toolCallId: string }
  | { type: 'insertMember'; name: string }
  /** `shown` is how a grid shows the rows, unless a chart is shown. */
  | { type: 'openCertified'; toolCallId: string }
  | { type: 'openResults'; toolCallId: string; shown?: Arrangement }
  | { type: 'exportResults'; toolCallId: string; shown?: Arrangement }
  | { type: 'loadAll'; toolCallId: string }
  | { type: 'saveChart'; toolCallId: string; format: 'png' | 'svg'; data: string }
  | { type: 'openChartSpec'; toolCallId: string }
  /** Replaces the chart's specification; an empty one restores the service's chart. */
  | { type: 'changeChart'; toolCallId: string; spec: string }
  /** Asks what to attach. */
  | { type: 'attach' }
  | { type: 'listFiles' }
  | { type: 'attachUris'; uris: readonly string[] }
  | { type: 'command'; name: SlashCommand }
  | { type: 'openLink'; href: string }
  /** Subscribes to the first `count` threads that match the query, until `closeThreads`. */
  | { type: 'listThreads'; query: string; count: number }
  | { type: 'closeThreads' }
  | { type: 'dismissLifetime' }
  | { type: 'threadAct'; act: ThreadAct; threadId: string }
  | { type: 'renameThread'; threadId: string; title: string }
  | { type: 'problem'; text: string };

/** A message caused by a user action; the other messages keep the page in sync. */
export type Intent = Exclude<FromWebview, { type: 'ready' | 'needSnapshot' | 'drawn' | 'pong' }>;

const hostTypes: Record<ToWebview['type'], true> = {
  snapshot: true,
  events: true,
  viewContext: true,
  compose: true,
  draft: true,
  files: true,
  focus: true,
  rows: true,
  threads: true,
  ping: true,
};

/** @returns whether the message has a type that the host sends */
export function isToWebview(message: unknown): message is ToWebview {
  return isFields(message) && typeof message.type === 'string' && Object.hasOwn(hostTypes, message.type);
}

/** For the default branch of a switch: a missing case is a compile error. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
