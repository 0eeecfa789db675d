/** Saves open threads to the history, restores them after a restart and resumes their running answers. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { Release } from '../../chat/history/files/files.ts';
import type { History } from '../../chat/history/history.ts';
import type { Home, Thread, ThreadEvent } from '../../shared/thread/model.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import type { Sessions } from './sessions.ts';

const ACTIVE = 'activeThread';
/** Milliseconds to wait for the lock: after a reload, the old extension host may still be streaming. */
const LOCK_PATIENCE = 8000;
const LOCK_INTERVAL = 400;

export class ThreadRepository implements vscode.Disposable {
  readonly #history: () => Promise<History>;
  readonly #sessions: Sessions;
  readonly #memento: vscode.Memento;
  readonly #origin: () => string;
  readonly #onProblem: (failure: unknown) => void;
  /** Locks of answers by thread; undefined once an answer has ended and its lock is released. */
  readonly #locks = new Map<string, Promise<Release | undefined>>();
  readonly #readOnly = new Set<string>();
  readonly #discarded = new WeakSet<ChatSession>();
  /** Threads being loaded, so that concurrent calls of `open` share one session. */
  readonly #opening = new Map<string, Promise<ChatSession>>();
  readonly #subscriptions: vscode.Disposable[];
  #restored: Promise<ChatSession> | undefined;

  /**
   * @param history opens the history on first use, to keep activation fast
   * @param origin origin of the current connection; empty if there is none
   * @param onProblem called with errors of background work
   */
  constructor(
    history: () => Promise<History>,
    sessions: Sessions,
    memento: vscode.Memento,
    origin: () => string,
    onProblem: (failure: unknown) => void,
  ) {
    this.#history = history;
    this.#sessions = sessions;
    this.#memento = memento;
    this.#origin = origin;
    this.#onProblem = onProblem;
    this.#subscriptions = [
      sessions.onDidChange(({ session, events }) => void this.#save(session, events).catch(this.#onProblem)),
      sessions.onDraft(({ threadId, draft }) => void this.#saveDraft(threadId, draft).catch(this.#onProblem)),
      sessions.onDidChangeActive(({ thread }) => void memento.update(ACTIVE, thread.id)),
    ];
  }

  /** @returns the thread that was last active in this workspace, or a new one */
  restore(): Promise<ChatSession> {
    this.#restored ??= this.#restore();
    // It may have been deleted since.
    return this.#restored.then(({ thread }) => this.#sessions.get(thread.id) ?? this.#sessions.active);
  }

  /** Marks a thread as read-only: it can be shown but not continued. */
  markReadOnly(threadId: string): void {
    this.#readOnly.add(threadId);
  }

  isReadOnly(threadId: string): boolean {
    return this.#readOnly.has(threadId);
  }

  /**
   * Opens a thread from the history and resumes its running answer.
   * @throws HistoryError if the thread can't be read
   */
  async open(threadId: string): Promise<ChatSession> {
    const known = this.#sessions.get(threadId) ?? this.#opening.get(threadId);
    if (known) return known;
    const opening = this.#read(threadId).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }

  /** Saves a thread in its current state; later changes are saved automatically. */
  async keep(session: ChatSession): Promise<void> {
    await this.#save(session, []);
  }

  /** Saves no later changes of a session whose thread is deleted permanently. */
  discard(session: ChatSession): void {
    this.#discarded.add(session);
  }

  /** Writes pending changes before the extension host exits. */
  async flush(): Promise<void> {
    await (await this.#history()).flush();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #read(threadId: string): Promise<ChatSession> {
    const history = await this.#history();
    const { thread, draft, meta } = await history.open(threadId);
    if (meta.readOnly) this.#readOnly.add(threadId);
    const session = this.#sessions.add(thread, draft, homeIn(meta));
    if (meta.named) this.#sessions.retitle(session, meta.title);
    // A recording that was playing before the restart ends here.
    if (isRunning(thread) && meta.readOnly) session.dispatch([{ type: 'finished' }]);
    else if (isRunning(thread) || (!meta.readOnly && isSuspended(thread)))
      void this.#resume(session).catch(this.#onProblem);
    return session;
  }

  async #restore(): Promise<ChatSession> {
    const threadId = this.#memento.get<string>(ACTIVE);
    if (threadId === undefined) return this.#sessions.active;
    try {
      const session = await this.open(threadId);
      this.#sessions.activate(session);
      return session;
    } catch {
      // Never saved, deleted or corrupt: the history reports corrupt files itself.
      return this.#sessions.active;
    }
  }

  async #resume(session: ChatSession): Promise<void> {
    const { id } = session.thread;
    const lock = this.#lockAfterOthers(id);
    this.#locks.set(id, lock);
    // Reattach even without the lock: attaching twice is harmless, an abandoned answer is not.
    await session.reattach(lock);
  }

  async #lockAfterOthers(threadId: string): Promise<Release | undefined> {
    const deadline = Date.now() + LOCK_PATIENCE;
    while (Date.now() < deadline) {
      const release = await (await this.#history()).lockAnswer(threadId).catch(() => undefined);
      if (release) return release;
      await new Promise((resolve) => setTimeout(resolve, LOCK_INTERVAL));
    }
    return undefined;
  }

  async #save(session: ChatSession, events: readonly ThreadEvent[]): Promise<void> {
    const { thread } = session;
    const history = await this.#history();
    if (!this.#discarded.has(session))
      history.save(thread, { ...this.#homeOf(session), ...(this.#readOnly.has(thread.id) && { readOnly: true }) });
    if (events.some(({ type }) => type === 'sent')) this.#locks.set(thread.id, this.#lock(history, thread.id));
    if (isRunning(thread)) return;
    const lock = this.#locks.get(thread.id);
    const release = await lock;
    // A question that was queued takes over the lock.
    if (!release || this.#locks.get(thread.id) !== lock) return;
    const released = release().then(() => undefined);
    this.#locks.set(thread.id, released);
    await released;
  }

  /** Takes over the lock of the thread's last answer, or locks again once it is released. */
  async #lock(history: History, threadId: string): Promise<Release | undefined> {
    return (await this.#locks.get(threadId)) ?? history.lockAnswer(threadId).catch(() => undefined);
  }

  async #saveDraft(threadId: string, draft: Parameters<History['saveDraft']>[1]): Promise<void> {
    (await this.#history()).saveDraft(threadId, draft, this.#homeOf(this.#sessions.get(threadId)));
  }

  #homeOf(session: ChatSession | undefined): Home {
    return (session && this.#sessions.homeOf(session)) ?? { origin: this.#origin() };
  }
}

/** Milliseconds for which a service keeps a suspended answer. */
const SUSPENDED_FOR = 24 * 60 * 60_000;

/** Whether the last answer was suspended when it failed, so that it can still be resumed. */
function isSuspended({ turns }: Thread): boolean {
  const { question, outcome } = turns.at(-1) ?? {};
  if (question === undefined || outcome?.state !== 'failed') return false;
  return outcome.error.actions.includes('resume') && Date.now() - question.time < SUSPENDED_FOR;
}

/** @returns the origin and connection stored with a thread; undefined if it was created without a connection */
const homeIn = ({ origin, connection }: Home): Home | undefined =>
  origin === '' ? undefined : { origin, ...(connection === undefined ? {} : { connection }) };
