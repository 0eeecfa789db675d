/** One thread: holds the truth about it, asks, stops, re-attaches and reads. Every front end is an adapter over it. */
import { errorFromFetch, type ChatError } from '../api/errors.ts';
import { reduce } from '../shared/reduce.ts';
import type { Item, StopOutcome, Thread, ThreadEvent, ThreadStatus } from '../shared/thread.ts';
import { completenessOf, isRunning, measureOf } from '../shared/turns.ts';
import type { ChatRequest, ImageAttachment } from '../shared/wire.ts';
import { newMessageId, systemClock, type Clock } from './clock.ts';
import { requestOn, type Connect, type Connection } from './connection.ts';
import { describeError } from './errorWords.ts';
import { runToEnd, type RunEnd } from './run.ts';
import { stopOnService } from './stop.ts';

export interface SessionOptions {
  thread: Thread;
  connect: Connect;
  /** Told of every change, with the events that made it. */
  onEvents: (events: readonly ThreadEvent[], session: ChatSession) => void;
  /** Gets back what could not be sent. */
  onUnsent: (message: Message) => void;
  onFailure?: (error: ChatError) => void;
  clock?: Clock;
}

/** What the user wrote. */
export interface Message {
  text: string;
  images: readonly ImageAttachment[];
}

interface Running {
  controller: AbortController;
  connection?: Connection;
  stopped: boolean;
  done: Promise<void>;
}

export class ChatSession {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  #thread: Thread;
  #running: Running | undefined;
  #stopping: Promise<StopOutcome> | undefined;
  /** The last message that never reached the service, so that sending it again keeps its id. */
  #unsent: (Message & { id: string }) | undefined;

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

  /** Settles when nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running.done;
  }

  /**
   * Asks; while an answer is being written the message waits in the queue.
   * @returns the message's id, when its run has ended or it has been queued
   */
  async send(message: Message): Promise<string> {
    const again = this.#unsent?.text === message.text ? this.#unsent.id : undefined;
    const id = again ?? newMessageId(this.#clock.now());
    if (isRunning(this.#thread)) this.dispatch([{ type: 'queued', message: { ...message, id } }]);
    else await this.#ask({ ...message, id });
    return id;
  }

  /**
   * Stops the running answer: here at once, on the service as soon as it answers.
   * @returns when it is known what came of it on the service
   */
  async abort(): Promise<StopOutcome | undefined> {
    const running = this.#running;
    if (running === undefined || running.stopped) return undefined;
    running.stopped = true;
    const { messageId } = this.#thread;
    this.dispatch([{ type: 'stopped', messageId, service: 'pending' }]);
    const stopping = stopOnService(running.connection, () => this.#thread.chatId, running.controller, this.#clock);
    this.#stopping = stopping;
    const service = await stopping;
    this.dispatch([{ type: 'stopped', messageId, service }]);
    return service;
  }

  /** Takes up the answer of the last question, with its own `messageId`, branch and identity. */
  async reattach(): Promise<void> {
    const question = this.#lastQuestion();
    if (question === undefined || this.#running) return;
    this.dispatch([{ type: 'resumed', messageId: question.id }]);
    await this.#run(question.stamp, () => this.#requestFor(question), true);
  }

  /** Reads the thread from the service and adds what is not here yet. */
  async load(): Promise<void> {
    if (this.#running || this.#thread.chatId === undefined) return;
    this.dispatch([{ type: 'loading' }]);
    await this.#run(undefined, () => ({ chatId: this.#thread.chatId }), false);
  }

  /** Tries again what failed last: the same question under the same id, or a thread that could not be read. */
  async retry(): Promise<void> {
    if (this.#unsent && !isRunning(this.#thread)) {
      await this.#ask(this.#unsent);
      return;
    }
    const question = this.#lastQuestion();
    if (question?.outcome?.state === 'failed' && question.outcome.error.kind !== 'stream') await this.reattach();
    else if (question) await this.send({ text: question.content, images: question.images ?? [] });
    else await this.load();
  }

  /** Attaches to the answer that the service is still writing in this thread. */
  async attach(): Promise<void> {
    const open = this.#lastQuestion();
    this.dispatch([{ type: 'errorCleared' }]);
    if (open && open.outcome?.state !== 'done') await this.reattach();
    else await this.load();
  }

  /** Stops whatever the service is writing in this thread, then asks what it had refused meanwhile. */
  async stopAndSend(): Promise<void> {
    const connection = await this.#connect(undefined);
    if (connection) await stopOnService(connection, () => this.#thread.chatId, undefined, this.#clock);
    await this.retry();
  }

  dispatch(events: readonly ThreadEvent[]): void {
    const before = this.#thread;
    for (const event of events) this.#thread = reduce(this.#thread, event);
    if (this.#thread !== before) this.#options.onEvents(events, this);
  }

  #lastQuestion(): Item | undefined {
    return this.#thread.items.findLast(({ role }) => role === 'user');
  }

  async #connect(stamp: Item['stamp']): Promise<Connection | undefined> {
    try {
      return await this.#options.connect(stamp);
    } catch (failure) {
      this.#fail(errorFromFetch(failure));
      return undefined;
    }
  }

  #fail(error: ChatError): void {
    this.#options.onFailure?.(error);
    this.dispatch([{ type: 'failed', error: describeError(error) }]);
  }

  async #ask(message: Message & { id: string }): Promise<void> {
    let connection: Connection;
    try {
      connection = await this.#options.connect();
    } catch (failure) {
      this.#returnUnsent(message, errorFromFetch(failure));
      return;
    }
    this.#unsent = undefined;
    const { id, text, images } = message;
    this.dispatch([{ type: 'sent', id, text, images, stamp: connection.stamp, time: this.#clock.now() }]);
    const question = this.#lastQuestion();
    if (question) await this.#run(connection, () => this.#requestFor(question), false);
  }

  #requestFor(question: Item): ChatRequest {
    return {
      input: question.content,
      chatId: this.#thread.chatId,
      messageId: question.id,
      ...(question.images ? { images: [...question.images] } : {}),
    };
  }

  /** @param via a connection, or the stamp of the question that one is wanted for */
  async #run(via: Connection | Item['stamp'], request: () => ChatRequest, begun: boolean): Promise<void> {
    const running: Running = { controller: new AbortController(), stopped: false, done: Promise.resolve() };
    this.#running = running;
    running.done = this.#drive(running, via, request, begun).finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    await running.done;
    const [next] = this.#thread.queue;
    if (next === undefined || this.#running || this.#thread.status !== 'ready' || running.stopped) return;
    this.dispatch([{ type: 'unqueued', id: next.id }]);
    await this.#ask(next);
  }

  async #drive(
    running: Running,
    via: Connection | Item['stamp'],
    request: () => ChatRequest,
    begun: boolean,
  ): Promise<void> {
    const connection = via && 'client' in via ? via : await this.#connect(via);
    // The service would refuse a message while it still winds up the answer that was stopped.
    await this.#stopping;
    if (connection === undefined || running.stopped) return;
    running.connection = connection;
    const result = await runToEnd({
      client: connection.client,
      stallTimeout: connection.stallTimeout,
      clock: this.#clock,
      signal: running.controller.signal,
      begun,
      request: () => requestOn(connection, request()),
      // Once stopped, only the thread's id is still of use: to stop it on the service.
      dispatch: (events) => this.dispatch(running.stopped ? onlyChatId(events) : events),
      measure: () => measureOf(this.#thread),
      completeness: () => completenessOf(this.#thread),
    });
    if (!running.stopped) this.#conclude(result);
  }

  #conclude(result: RunEnd): void {
    const { messageId } = this.#thread;
    if (result.how === 'done') this.dispatch([{ type: 'finished' }]);
    else if (result.how === 'abortedByService') this.dispatch([{ type: 'stopped', messageId, service: 'byService' }]);
    else {
      const question = this.#thread.items.find(({ id }) => id === messageId);
      if (!result.begun && question)
        this.#returnUnsent({ ...question, text: question.content, images: question.images ?? [] }, result.error);
      else this.#fail(result.error);
    }
  }

  #returnUnsent(message: Message & { id: string }, error: ChatError): void {
    const { id, text, images } = message;
    // Asked again on another branch or by other rights it is another message; after a lost connection the same.
    const same =
      error.kind === 'network' || error.kind === 'server' || error.kind === 'stalled' || error.kind === 'busy';
    this.#unsent = { id: same ? id : newMessageId(this.#clock.now()), text, images };
    this.#options.onFailure?.(error);
    this.dispatch([{ type: 'unsent', id, error: describeError(error) }]);
    this.#options.onUnsent({ text, images });
  }
}

function onlyChatId(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return events.flatMap((event) =>
    event.type === 'line' && event.line.kind === 'cutoff' && event.line.chatId !== undefined
      ? [{ type: 'named', chatId: event.line.chatId }]
      : [],
  );
}
