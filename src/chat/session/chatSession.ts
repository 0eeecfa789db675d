/** One thread: holds the truth about it, asks, stops, re-attaches and reads. Every front end is an adapter over it. */
import { errorFromFetch, type ChatError } from '../../api/errors.ts';
import type { QuestionContext, StopOutcome, Thread, ThreadEvent, ThreadStatus } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import { currentTurn, questionsOf, turnsOf } from '../../shared/thread/turns.ts';
import type { ChatRequest } from '../../shared/wire/streamLines.ts';
import { newMessageId, systemClock, type Clock } from './clock.ts';
import { requestOn, type Connection } from '../connection/connection.ts';
import { describeError, describeUnsent } from '../connection/errorMessages.ts';
import { lastQuestion, requestFor, sameContext, type Message, type Unsent } from './message.ts';
import { Outbox } from './outbox.ts';
import { runToEnd, type Delivered, type RunEnd } from './run.ts';
import type { SessionOptions } from './sessionOptions.ts';
import { abortOnService, newActiveRequest, onlyChatId, stopOnService, type ActiveRequest } from './stop.ts';

export type { Message } from './message.ts';
export type { SessionOptions } from './sessionOptions.ts';

export class ChatSession {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  #thread: Thread;
  /** Number of requests so far. */
  #count = 0;
  #running: ActiveRequest | undefined;
  #stopping: Promise<StopOutcome> | undefined;
  readonly #outbox = new Outbox();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#thread = options.thread;
  }

  get thread(): Thread {
    return this.#thread;
  }

  get status(): ThreadStatus {
    return this.#thread.status;
  }

  /** Settles when nothing runs any more; what was stopped does not run. */
  async idle(): Promise<void> {
    for (let running = this.#active; running; running = this.#active) await running.done;
  }

  /**
   * Asks; while an answer is being written, or others wait, the message waits in the queue, for its turn and for the
   * branch and the identity that are chosen now.
   * @returns the message's id, when its run has ended or it has been queued
   */
  async send(message: Message): Promise<string> {
    const addressed = this.#outbox.address(message, this.#clock.now());
    const { id, text, images } = addressed;
    const [next = addressed] = this.#thread.queue;
    // What came back was written before all that waits.
    if (!this.#active && (next === addressed || id === this.#outbox.unsent?.id)) return this.#ask(addressed);
    this.dispatch([{ type: 'queued', message: { id, text, images, context: this.#options.context?.() } }]);
    await this.sendQueued(next.id);
    return id;
  }

  /** Asks what waits in the queue, unless an answer is being written. */
  async sendQueued(id: string): Promise<void> {
    const message = this.#thread.queue.find((each) => each.id === id);
    if (message === undefined || this.#active) return;
    this.dispatch([{ type: 'unqueued', id }]);
    await this.#ask(message, message.context);
  }

  /**
   * Stops the running answer: here at once, on the service as soon as it answers.
   * @returns when it is known what came of it on the service; `undefined` when nothing was running there
   */
  async abort(): Promise<StopOutcome | undefined> {
    const running = this.#active;
    if (running === undefined) return undefined;
    running.stopped = true;
    if (!running.shown) return 'stopped';
    if (running.answered) {
      running.controller.abort();
      this.dispatch([{ type: 'finished' }]);
      return undefined;
    }
    const { messageId } = this.#thread;
    const count = this.#count;
    this.dispatch([{ type: 'stopped', messageId, service: 'pending' }]);
    // One that still waits for an earlier one to be stopped leaves that to be waited for.
    if (running.requested) this.#stopping = stopOnService(running, () => this.#thread.chatId, this.#clock);
    const service = running.requested ? await this.#stopping! : 'stopped';
    const isLast = this.#count === count;
    if (isLast || (messageId !== undefined && messageId !== this.#thread.messageId))
      this.dispatch([{ type: 'stopped', messageId, service }]);
    return service;
  }

  /**
   * Takes up the answer of the last question, with its own `messageId`, branch and identity.
   * @param free settles when nobody else takes the answer any more; it counts as running, and can be stopped, before
   */
  async reattach(free?: Promise<unknown>): Promise<void> {
    const question = lastQuestion(this.#thread);
    if (question === undefined || this.#active) return;
    this.#outbox.setAside();
    await this.#begin(async (running) => {
      running.shown = running.requested = true;
      if (free) {
        running.connection = this.#connect(running, question.context);
        await free;
        if (running.stopped) return;
      }
      this.dispatch([{ type: 'resumed', messageId: question.id }]);
      await this.#drive(
        running,
        this.#connect(running, question.context),
        () => requestFor(this.#thread, question),
        'yes',
      );
    });
  }

  /** Reads the thread from the service and adds what is not here yet. */
  async load(): Promise<void> {
    if (this.#active || this.#thread.chatId === undefined) return;
    this.#outbox.setAside();
    await this.#begin(async (running) => {
      running.shown = running.requested = true;
      this.dispatch([{ type: 'loading' }]);
      await this.#drive(running, this.#connect(running), () => ({ chatId: this.#thread.chatId }), 'no');
    });
  }

  /** Tries again what failed last: the same question under the same id, or a thread that could not be read. */
  async retry(): Promise<void> {
    if (this.#active) return;
    const question = lastQuestion(this.#thread);
    const { failed } = this.#outbox;
    const { outcome } = turnsOf(this.#thread).at(-1) ?? {};
    if (failed) await this.#ask(failed);
    else if (this.#thread.error || question === undefined) await this.load();
    else if (outcome?.state === 'failed' && outcome.error.kind !== 'stream') await this.reattach();
    else {
      const { content: text, images = [] } = question;
      await this.#ask(this.#outbox.address({ text, images }, this.#clock.now()));
    }
  }

  /** Attaches to the answer that the service is still writing in this thread. */
  async attach(): Promise<void> {
    if (this.#active) return;
    this.dispatch([{ type: 'errorCleared' }]);
    // A question that was asked elsewhere is read, so that it can never be asked once more.
    const { question, outcome } = turnsOf(this.#thread).at(-1) ?? {};
    if (question?.context && (outcome === undefined || outcome.state === 'failed')) await this.reattach();
    else await this.load();
  }

  /** Stops whatever the service is writing in this thread, then asks what it had refused meanwhile. */
  async stopAndSend(): Promise<void> {
    const connection = await this.#connect(undefined);
    if (connection === undefined) return;
    const { chatId } = this.#thread;
    if (chatId !== undefined) await (this.#stopping = abortOnService(connection, chatId));
    const { unsent } = this.#outbox;
    if (unsent && !this.#active) await this.#ask(unsent);
    else await this.retry();
  }

  dispatch(events: readonly ThreadEvent[]): void {
    const before = this.#thread;
    this.#thread = reduceAll(before, events);
    if (this.#thread === before) return;
    try {
      this.#options.onEvents(events, this);
    } catch (failure) {
      // A listener's own fault: told where such faults are told, it must not end an answer.
      void Promise.reject(failure);
    }
  }

  get #active(): ActiveRequest | undefined {
    return this.#running?.stopped ? undefined : this.#running;
  }

  /** @param running what it is for; what has been stopped meanwhile fails without a word */
  async #connect(running: ActiveRequest | undefined, context?: QuestionContext): Promise<Connection | undefined> {
    try {
      return await this.#options.connect(context);
    } catch (failure) {
      if (!running?.stopped) this.#fail(errorFromFetch(failure));
      return undefined;
    }
  }

  #fail(error: ChatError): void {
    this.#options.onFailure?.(error);
    const hasItems = (turnsOf(this.#thread).at(-1)?.items.length ?? 0) > 0;
    this.dispatch([{ type: 'failed', error: describeError(error, hasItems) }]);
  }

  /** One request at a time: it counts from the moment it is made, before anything is known of its connection. */
  #begin(work: (running: ActiveRequest) => Promise<void>): Promise<void> {
    const running = newActiveRequest();
    this.#running = running;
    this.#count += 1;
    running.done = work(running).finally(() => {
      running.named.abort();
      if (this.#running !== running) return;
      this.#running = undefined;
      const [next] = this.#thread.queue;
      if (next === undefined || this.#thread.status !== 'ready' || running.stopped) return;
      void this.sendQueued(next.id);
    });
    return running.done;
  }

  /** @param at branch and identity to ask with; those that are chosen by then when absent */
  async #ask(message: Unsent, at?: QuestionContext): Promise<string> {
    let { id } = message;
    await this.#begin(async (running) => {
      const { text, images, context } = message;
      let connection: Connection;
      try {
        connection = await this.#options.connect(at);
      } catch (failure) {
        if (running.stopped) this.#options.onUnsent({ text, images });
        else this.#returnUnsent(message, errorFromFetch(failure));
        return;
      }
      if (running.stopped) return this.#options.onUnsent({ text, images });
      this.#outbox.clear();
      // On another branch or for another user it is another question.
      if (context && !sameContext(context, connection.context)) id = newMessageId(this.#clock.now());
      running.shown = true;
      this.dispatch([{ type: 'sent', id, text, images, context: connection.context, time: this.#clock.now() }]);
      const question = lastQuestion(this.#thread);
      // The service would refuse a message while it still winds up the answer that was stopped.
      const windingUp = (await this.#stopping) === 'stopped';
      if (question === undefined || running.stopped) return;
      this.#stopping = undefined;
      running.requested = true;
      const delivered = message.possiblyDelivered && id === message.id ? 'possibly' : 'no';
      await this.#drive(
        running,
        Promise.resolve(connection),
        () => requestFor(this.#thread, question),
        delivered,
        windingUp,
      );
    });
    return id;
  }

  async #drive(
    running: ActiveRequest,
    connecting: Promise<Connection | undefined>,
    request: () => ChatRequest,
    delivered: Delivered,
    windingUp = false,
  ): Promise<void> {
    running.connection = connecting;
    const connection = await connecting;
    if (connection === undefined || running.stopped) return;
    const result = await runToEnd({
      client: connection.client,
      stallTimeout: connection.stallTimeout,
      clock: this.#clock,
      signal: running.controller.signal,
      isWanted: () => !running.stopped,
      delivered,
      windingUp,
      request: () => requestOn(connection, request()),
      dispatch: (events) => {
        this.dispatch(running.stopped ? onlyChatId(events) : events);
        if (this.#thread.chatId !== undefined) running.named.abort();
      },
      onAnswered: () => void (running.answered = true),
      thread: () => this.#thread,
    });
    if (!running.stopped) this.#conclude(result);
  }

  #conclude(result: RunEnd): void {
    const { messageId } = this.#thread;
    if (result.how === 'done') this.dispatch([{ type: 'finished' }]);
    else if (result.how === 'abortedByService') this.dispatch([{ type: 'stopped', messageId, service: 'byService' }]);
    else {
      const { question } = currentTurn(this.#thread) ?? {};
      if (result.taken || messageId === undefined || question === undefined) return this.#fail(result.error);
      const { id, content, images = [], context } = question;
      this.#returnUnsent({ id, text: content, images, context }, result.error, result.requests > 1);
    }
  }

  /** @param uncertain whether an earlier try was lost, so that the service may have the message all the same */
  #returnUnsent(message: Unsent, error: ChatError, uncertain = false): void {
    const { id, text, images } = message;
    this.#outbox.keep(message, error, uncertain, this.#clock.now());
    this.#options.onFailure?.(error);
    // The text first: whoever reads why it came back finds it there.
    this.#options.onUnsent({ text, images });
    const first = questionsOf(this.#thread).find((question) => question.context && question.id !== id);
    const words = describeUnsent(error, first?.context?.identity, message.context?.identity);
    this.dispatch([{ type: 'unsent', id, error: words }]);
  }
}
