/** Keeps threads over restarts: saves what changes, opens what was left, and takes up answers that were running. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { Release } from '../../chat/history/files.ts';
import type { History } from '../../chat/history/history.ts';
import type { Home, ThreadEvent } from '../../shared/thread/model.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import type { Sessions } from './sessions.ts';

const ACTIVE = 'activeThread';
/** After a reload the old extension host may still be streaming for a few seconds; milliseconds. */
const CLAIM_PATIENCE = 8000;
const CLAIM_EVERY = 400;

export class Keeper implements vscode.Disposable {
  readonly #history: () => Promise<History>;
  readonly #sessions: Sessions;
  readonly #memento: vscode.Memento;
  readonly #origin: () => string;
  readonly #onProblem: (failure: unknown) => void;
  readonly #claims = new Map<string, Promise<Release | undefined>>();
  readonly #readOnly = new Set<string>();
  /** Threads that are being read: two views that open one get one session. */
  readonly #opening = new Map<string, Promise<ChatSession>>();
  readonly #subscriptions: vscode.Disposable[];
  #restored: Promise<ChatSession> | undefined;

  /** @param history opened at the first use, so that activation stays quick */
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

  /** @returns the thread that was looked at last in this workspace, or a new one */
  restore(): Promise<ChatSession> {
    this.#restored ??= this.#restore();
    return this.#restored;
  }

  /** From now on the thread is shown but not continued. */
  markReadOnly(threadId: string): void {
    this.#readOnly.add(threadId);
  }

  /** @returns whether the thread is shown but not continued */
  isReadOnly(threadId: string): boolean {
    return this.#readOnly.has(threadId);
  }

  /**
   * @returns the thread's session; its running answer is taken up again
   * @throws HistoryError when it cannot be read
   */
  async open(threadId: string): Promise<ChatSession> {
    const known = this.#sessions.get(threadId) ?? this.#opening.get(threadId);
    if (known) return known;
    const opening = this.#read(threadId).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }

  /** Saves what waits, at the end of this host. */
  async flush(): Promise<void> {
    await (await this.#history()).end();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #read(threadId: string): Promise<ChatSession> {
    const history = await this.#history();
    const { thread, draft, meta } = await history.open(threadId);
    if (meta.readOnly) this.#readOnly.add(threadId);
    const session = this.#sessions.add(thread, draft, homeIn(meta));
    // A recording that was being played is left where it was.
    if (isRunning(thread) && meta.readOnly) session.dispatch([{ type: 'finished' }]);
    else if (isRunning(thread)) void this.#takeUp(session).catch(this.#onProblem);
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
      // Never saved, deleted meanwhile, or damaged: the history says so where it is looked at.
      return this.#sessions.active;
    }
  }

  async #takeUp(session: ChatSession): Promise<void> {
    const { id } = session.thread;
    const claim = this.#claimAfterOthers(id);
    this.#claims.set(id, claim);
    // Without the claim too: attaching twice does no harm, an answer that nobody takes up does.
    await session.reattach(claim);
  }

  async #claimAfterOthers(threadId: string): Promise<Release | undefined> {
    for (const since = Date.now(); Date.now() - since < CLAIM_PATIENCE;) {
      const release = await (await this.#history()).claim(threadId).catch(() => undefined);
      if (release) return release;
      await new Promise((resolve) => setTimeout(resolve, CLAIM_EVERY));
    }
    return undefined;
  }

  async #save(session: ChatSession, events: readonly ThreadEvent[]): Promise<void> {
    const { thread } = session;
    const history = await this.#history();
    history.save(thread, { ...this.#homeOf(session), readOnly: this.#readOnly.has(thread.id) });
    if (events.some(({ type }) => type === 'sent') && !this.#claims.has(thread.id))
      this.#claims.set(
        thread.id,
        history.claim(thread.id).catch(() => undefined),
      );
    if (isRunning(thread)) return;
    const release = await this.#claims.get(thread.id);
    this.#claims.delete(thread.id);
    await release?.();
  }

  async #saveDraft(threadId: string, draft: Parameters<History['saveDraft']>[1]): Promise<void> {
    (await this.#history()).saveDraft(threadId, draft, this.#homeOf(this.#sessions.get(threadId)));
  }

  #homeOf(session: ChatSession | undefined): Home {
    return (session && this.#sessions.homeOf(session)) ?? { origin: this.#origin() };
  }
}

/** Nothing is known of where a thread lives that was begun without a connection. */
const homeIn = ({ origin, connection }: Home): Home | undefined =>
  origin === '' ? undefined : { origin, ...(connection === undefined ? {} : { connection }) };
