/** Validates messages that a webview posts. Used by the host only, and not bundled into any page. */
import { arrangement } from '../results/arrange.ts';
import { draft, flag, image, isTyped, listOf, maybe, number, oneOf, text, type Check } from '../text/checks.ts';
import type { FromWebview } from './chat.ts';
import type { ErrorAction } from '../thread/model.ts';
import { isThreadAct } from './threads.ts';

const images = listOf(image);

const actions: Record<ErrorAction, true> = {
  retry: true,
  resume: true,
  connect: true,
  addConnection: true,
  setApiKey: true,
  switchBranch: true,
  switchIdentity: true,
  attach: true,
  stopAndSend: true,
  newChat: true,
  askInNewChat: true,
  openSettings: true,
  openProxySettings: true,
  showLog: true,
};

/** The fields of each message, with their checks. */
const shapes: { [T in FromWebview['type']]: Record<string, Check> } = {
  ready: {},
  needSnapshot: {},
  drawn: { seq: number },
  pong: {},
  send: { text, images },
  stop: {},
  retryNow: {},
  unqueue: { id: text },
  sendQueued: { id: text },
  errorAction: { action: (value) => text(value) && Object.hasOwn(actions, value as string) },
  draft: { threadId: text, draft },
  focused: {},
  newChat: {},
  connect: {},
  switchConnection: {},
  openSample: {},
  switchBranch: {},
  switchIdentity: {},
  offeredBranch: { accept: flag },
  insertSql: { toolCallId: text },
  copySql: { toolCallId: text },
  openSql: { toolCallId: text },
  copy: { text },
  copyAnswer: { messageId: text },
  addAsTest: { toolCallId: text },
  certify: { toolCallId: text },
  correct: { toolCallId: text },
  insertMember: { name: text },
  openCertified: { toolCallId: text },
  openResults: { toolCallId: text, shown: maybe(arrangement) },
  exportResults: { toolCallId: text, shown: maybe(arrangement) },
  loadAll: { toolCallId: text },
  saveChart: { toolCallId: text, format: oneOf('png', 'svg'), data: text },
  openChartSpec: { toolCallId: text },
  changeChart: { toolCallId: text, spec: text },
  attach: {},
  listFiles: {},
  attachUris: { uris: listOf(text) },
  command: { name: oneOf('new', 'branch', 'identity', 'compare', 'sql', 'export', 'help') },
  openLink: { href: text },
  listThreads: { query: text, count: (value) => Number.isSafeInteger(value) },
  closeThreads: {},
  dismissLifetime: {},
  threadAct: { act: isThreadAct, threadId: text },
  renameThread: { threadId: text, title: text },
  problem: { text },
};

/** @returns whether a message from a webview is a `FromWebview` with every field as declared */
export const isFromWebview = (message: unknown): message is FromWebview => isTyped(shapes, message);
