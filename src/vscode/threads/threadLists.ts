/** Fills, searches and refreshes the history lists of views, and runs their actions. */
import type { StoredMeta } from '../../chat/history/storedThread.ts';
import { threadEntryOf } from './entries.ts';
import type { SearchHit } from '../../chat/history/search.ts';
import { assertNever } from '../../shared/protocol/chat.ts';
import type { ThreadAct, ThreadEntry } from '../../shared/protocol/threads.ts';
import type { ChatView } from '../host/chatView.ts';
import type * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { exportThread, removeThread, type ThreadActionsServices } from './threadActions.ts';

export type ThreadListsServices = ThreadActionsServices & Services<'log' | 'branches' | 'connections' | 'guarded'>;

/** Interval in milliseconds for batching thread changes and search hits. */
const TOGETHER = 100;
const STATES = new Set(['sent', 'resumed', 'finished', 'stopped', 'failed', 'unsent', 'loading']);

/** The open list of a view. */
interface OpenList {
  query: string;
  count: number;
  /** Aborts the request or search that fills the list. */
  search: AbortController;
}

export class ThreadLists implements vscode.Disposable {
  readonly #services: ThreadListsServices;
  readonly #lists = new Map<ChatView, OpenList>();
  /** Functions that restore deleted threads, by thread id; also of threads whose deletion is in progress. */
  readonly #removed = new Map<string, Promise<() => Promise<void>>>();
  readonly #subscriptions: vscode.Disposable[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(services: ThreadListsServices) {
    this.#services = services;
    this.#subscriptions = [
      services.sessions.onDidChange(({ events }) => events.some(({ type }) => STATES.has(type)) && this.#refresh()),
      services.unread.onDidChange(() => this.#refresh()),
    ];
  }

  /** Posts the first `count` threads, or the first `count` that match `query`, and keeps the list up to date. */
  async list(view: ChatView, query: string, count: number): Promise<void> {
    this.#lists.get(view)?.search.abort();
    const search = new AbortController();
    this.#lists.set(view, { query, count, search });
    const store = await this.#services.history();
    if (query.trim() !== '') return this.#search(view, query, count, search.signal);
    const all = (await store.list()).filter(({ id }) => !this.#removed.has(id));
    if (search.signal.aborted) return;
    const entries = all.slice(0, count).map((meta) => this.#entry(meta));
    view.post({ type: 'threads', query, from: 0, entries, total: all.length, busy: false });
  }

  /** Stops updating the list of a view. */
  close(view: ChatView): void {
    this.#lists.get(view)?.search.abort();
    this.#lists.delete(view);
    // Only an open list offers to restore the threads that were deleted in it.
    if (this.#lists.size === 0) this.#removed.clear();
  }

  /** Runs an action of a list. @throws HistoryError if the thread does not exist, or can't be read or written */
  async act(view: ChatView, act: ThreadAct, threadId: string): Promise<void> {
    const { repository, sessions, views, history } = this.#services;
    const store = await history();
    switch (act) {
      case 'open':
        return views.showIn(view, await repository.open(threadId));
      case 'openInTab':
        return views.openInEditor(await repository.open(threadId));
      case 'pin':
      case 'unpin':
        await store.pin(threadId, act === 'pin');
        break;
      case 'remove':
        await this.#remove(threadId);
        break;
      case 'bringBack': {
        const bringBack = await this.#removed.get(threadId);
        await bringBack?.();
        this.#removed.delete(threadId);
        break;
      }
      case 'export':
        return exportThread(
          this.#services,
          threadId,
          (await store.list()).find(({ id }) => id === threadId)?.title ?? '',
        );
      case 'stop':
        await sessions.get(threadId)?.abort();
        break;
      default:
        return assertNever(act);
    }
    this.#refresh();
  }

  async rename(threadId: string, title: string): Promise<void> {
    const { history, sessions } = this.#services;
    if (title.trim() !== '') {
      const renamed = await (await history()).rename(threadId, title);
      const session = sessions.get(threadId);
      if (session) sessions.retitle(session, renamed.title);
    }
    this.#refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const view of [...this.#lists.keys()]) this.close(view);
  }

  /** The lists leave the thread out at once: its deletion waits until its answer is stopped on the service. */
  async #remove(threadId: string): Promise<void> {
    const removing = removeThread(this.#services, threadId);
    this.#removed.set(threadId, removing);
    try {
      await removing;
    } catch (failure) {
      this.#removed.delete(threadId);
      this.#refresh();
      throw failure;
    }
  }

  #refresh(): void {
    if (this.#lists.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const [view, { query, count }] of [...this.#lists]) {
        // VS Code unloads hidden pages; the page requests a new list when it is shown.
        if (view.visible) void this.#services.guarded(() => this.list(view, query, count));
        else this.close(view);
      }
    }, TOGETHER);
  }

  /** Searches the history and posts the hits in batches. */
  async #search(view: ChatView, query: string, count: number, signal: AbortSignal): Promise<void> {
    let from = 0;
    let found: ThreadEntry[] = [];
    let posted = performance.now();
    const post = (busy: boolean): void => {
      const total = from + found.length + (busy ? 1 : 0);
      view.post({ type: 'threads', query, from, entries: found, total, busy });
      from += found.length;
      found = [];
      posted = performance.now();
    };
    for await (const hit of (await this.#services.history()).search(query, signal)) {
      if (signal.aborted) return;
      if (this.#removed.has(hit.meta.id)) continue;
      // There is at least one more hit, so the page can offer more.
      if (from + found.length >= count) return post(true);
      found.push(this.#entry(hit.meta, hit));
      if (performance.now() - posted >= TOGETHER) post(true);
    }
    if (!signal.aborted) post(false);
  }

  #entry(meta: StoredMeta, hit?: SearchHit): ThreadEntry {
    const { sessions, unread, connections, branches } = this.#services;
    return threadEntryOf(
      meta,
      {
        isRunning: (id) => sessions.isRunning(id),
        isUnread: (id) => unread.has(id),
        connectionOf: (one) => connections.label(one),
        mainBranch: branches.main,
      },
      hit,
    );
  }
}
