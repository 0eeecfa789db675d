/**
 * The session of one thread: asks questions, stops and reattaches to answers, and reads the thread, one request at a
 * time. Every front end is an adapter over it.
 */
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import type { Question, QuestionContext, StopOutcome, Thread, ThreadEvent, Turn } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import { isElsewhere, questionsOf, turnsOf } from '../../shared/thread/turns.ts';
import { describeError, describeUnsent } from '../connection/errorMessages.ts';
import type { Host } from './backfill.ts';
import { newMessageId, systemClock, type Clock } from './clock.ts';
import { isSameMessage, lastQuestion, mayBeDelivered, type Addressed, type Message } from './message.ts';
import type { Ending } from './response.ts';
import { abortOnService } from './stop.ts';
import { ThreadRequest, type RequestOptions } from './threadRequest.ts';

export type { Message } from './message.ts';

export interface SessionOptions extends RequestOptions {
  thread: Thread;
  /** The current branch and identity, for a question that is queued; undefined without a connection. */
  context?: () => QuestionContext | undefined;
  /** Called after every change, with the events that made it. */
  onEvents: (events: readonly ThreadEvent[], session: { thread: Thread }) => void;
  /** Receives a message that could not be sent. */
  onUnsent: (message: Message) => void;
  onFailure?: (error: ChatError) => void;
  clock?: Clock;
}

/** Whether the service may still be writing the answer of a turn that failed here; after an error line, it is not. */
const isLost = (outcome: Turn['outcome']): boolean => outcome?.state === 'failed' && outcome.error.kind !== 'stream';

export class ChatSession implements Host {
  readonly clock: Clock;
  readonly #options: SessionOptions;
  #thread: Thread;
  /** The request in progress; undefined once it was stopped. */
  #active: ThreadRequest | undefined;
  /** The last message that could not be sent, so that a retry reuses its id where necessary. */
  #unsent: Addressed | undefined;
  #readError: Thread['error'];
  /** The last stop on the service; the next question waits for it. */
  #stopping: Promise<StopOutcome> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#thread = options.thread;
    this.clock = options.clock ?? systemClock;
  }

  get thread(): Thread {
    return this.#thread;
  }

  get status(): Thread['status'] {
    return this.thread.status;
  }

  /** The message that waits for its connection, so that it is neither in the thread nor in the composer. */
  get connecting(): Message | undefined {
    return this.#active?.phase === 'connecting' ? this.#active.message : undefined;
  }

  /** Whether the error of the thread is that it could not be read. */
  get failedToRead(): boolean {
    return this.thread.error !== undefined && this.thread.error === this.#readError;
  }

  dispatch(events: readonly ThreadEvent[]): void {
    const before = this.#thread;
    this.#thread = reduceAll(before, events);
    if (this.#thread === before) return;
    try {
      this.#options.onEvents(events, this);
    } catch (failure) {
      // Surfaces as an unhandled rejection: a failing listener must not end an answer.
      void Promise.reject(failure);
    }
  }

  /** Resolves when no request is active; stopped requests don't count. */
  async idle(): Promise<void> {
    while (this.#active) await this.#active.done;
  }

  /**
   * Asks a question. While a request is active, or other messages are queued, the message is queued with the current
   * branch and identity.
   * @param follows see `sendQueued`
   * @returns the message's id, when its answer has ended or the message has been queued
   */
  async send(message: Message, follows = false): Promise<string> {
    const unqueued = this.#addressed(message);
    const { id, text, images } = unqueued;
    const [next = unqueued] = this.thread.queue;
    // An unsent message that returned to the composer is older than all queued ones.
    if (!this.#active && (next === unqueued || unqueued === this.#unsent))
      return this.#ask(unqueued, undefined, follows);
    this.dispatch([{ type: 'queued', message: { id, text, images, context: this.#options.context?.() } }]);
    await this.sendQueued(next.id);
    return id;
  }

  /**
   * Asks a queued message, unless a request is active.
   * @param follows whether an answer has just ended, so that the service may take another moment to end it
   */
  async sendQueued(id: string | undefined, follows = false): Promise<void> {
    const message = this.thread.queue.find((each) => each.id === id);
    if (message === undefined || this.#active) return;
    this.dispatch([{ type: 'unqueued', id: message.id }]);
    await this.#ask(message, message.context, follows);
  }

  /** Ends the wait before the next attempt to get the answer. */
  retryNow(): void {
    this.#active?.retryNow();
  }

  /**
   * Stops the active request: locally at once, on the service when it responds.
   * @returns the outcome on the service; undefined if there was nothing to stop
   */
  async abort(): Promise<StopOutcome | undefined> {
    const request = this.#active;
    if (request === undefined) return undefined;
    const { messageId } = this.thread;
    const stopped = (service: StopOutcome): void => this.dispatch([{ type: 'stopped', messageId, service }]);
    const phase = request.stop();
    this.#active = undefined;
    if (phase === 'answered') {
      this.dispatch([{ type: 'finished' }]);
      return undefined;
    }
    if (phase === 'connecting' && request.message) this.#compose(request.message);
    // It was still waiting for an earlier stop, which the next question waits for as well.
    if (phase === 'shown') stopped('stopped');
    if (phase === 'connecting' || phase === 'shown') return 'stopped';
    stopped('pending');
    this.#stopping = request.stopOnService();
    const service = await this.#stopping;
    const { outcome } = turnsOf(this.thread).find(({ id }) => id === messageId) ?? {};
    // Another request for the same answer has its own outcome.
    if (outcome?.state === 'stopped' && outcome.service === 'pending') stopped(service);
    return service;
  }

  /**
   * Reattaches to the answer of the last question, with its own `messageId`, branch and identity.
   * @param free settles when no other window reads the answer; meanwhile the request is active and can be stopped
   */
  async reattach(free?: Promise<unknown>): Promise<void> {
    const question = lastQuestion(this.thread);
    if (question === undefined || this.#active) return;
    await this.#begin(undefined, async (request) => {
      // Connect before the wait, so that the answer can be stopped on the service meanwhile.
      if (free) await Promise.all([request.connect(question.context), free]);
      return this.#continue(request, question);
    });
  }

  async #continue(request: ThreadRequest, question: Question): Promise<Ending> {
    if (request.stopped) return 'aborted';
    this.dispatch([{ type: 'resumed', messageId: question.id }]);
    return request.run(await request.connect(question.context), { question, delivered: 'yes' });
  }

  /** Reads the thread from the service and merges it. If its last answer is suspended, it is resumed. */
  async load(): Promise<void> {
    if (this.#active || this.thread.chatId === undefined) return;
    await this.#begin(undefined, async (request) => {
      this.dispatch([{ type: 'loading' }]);
      const ending = await request.run(await request.connect(), {});
      const { suspended } = request;
      const question = lastQuestion(this.thread);
      const isSuspended = suspended !== undefined && [question?.id, question?.echo].includes(suspended);
      return question && isSuspended && ending === 'complete' ? this.#continue(request, question) : ending;
    });
  }

  /** Retries what failed last: the same question under the same id, or a thread that could not be read. */
  async retry(): Promise<void> {
    if (this.#active) return;
    const { error } = this.thread;
    const question = lastQuestion(this.thread);
    if (error && this.#unsent && !this.failedToRead) await this.#ask(this.#unsent);
    else if (error || question === undefined) await this.load();
    else if (isLost(turnsOf(this.thread).at(-1)?.outcome)) await this.reattach();
    else await this.#ask(this.#addressed({ text: question.content, images: question.images ?? [] }));
  }

  /** Attaches to the answer that the service is still writing in this thread. */
  async attach(): Promise<void> {
    // If another client asked the question, only read the thread: attaching could ask it again.
    const { question, outcome } = turnsOf(this.thread).at(-1) ?? {};
    if (question?.context && (outcome === undefined || isLost(outcome))) await this.reattach();
    else await this.load();
  }

  /**
   * Stops the answer that the service is writing in this thread, then asks the message that it refused meanwhile.
   * @param edited that message as the user has edited it since
   */
  async stopAndSend(edited?: Message): Promise<void> {
    const connection = await this.#options.connect().catch(errorFromFetch);
    if (this.#active) return;
    if (connection instanceof ChatError) return this.#fail(connection);
    const { chatId } = this.thread;
    const service = chatId === undefined ? undefined : await (this.#stopping = abortOnService(connection, chatId));
    const message = edited ? this.#addressed(edited) : this.#unsent;
    if (this.#active) return;
    // The service would refuse the message again, as busy, which does not say why.
    if (service === 'forbidden') this.#fail(new ChatError('forbidden', ''));
    else if (message) await this.#ask(message);
    else await this.retry();
  }

  /** @returns the message with an id, which it keeps if it is the unsent one again */
  #addressed(message: Message): Addressed {
    const unsent = this.#unsent;
    if (!unsent || !isSameMessage(unsent, message)) return this.#fresh(message);
    // While that one is connecting or queued, its text is another question.
    const isTaken = unsent === this.#active?.message || this.thread.queue.some(({ id }) => id === unsent.id);
    return isTaken ? this.#fresh(message) : unsent;
  }

  #fresh({ text, images }: Message): Addressed {
    return { id: newMessageId(this.clock.now()), text, images };
  }

  /**
   * @param context branch and identity to ask with; defaults to the current ones
   * @param follows see `sendQueued`
   */
  async #ask(message: Addressed, context?: QuestionContext, follows = false): Promise<string> {
    let asked = message;
    await this.#begin(message, async (request) => {
      const connection = await request.connect(context);
      request.enter('shown');
      if (connection instanceof ChatError) return connection;
      if (request.stopped) return 'aborted';
      this.#unsent = undefined;
      // The same text on another branch or as another identity is another question and needs a new id.
      if (message.context && isElsewhere(message.context, connection.context)) asked = this.#fresh(message);
      request.message = asked = { ...asked, context: connection.context };
      const { id, text, images, possiblyDelivered } = asked;
      // The thread may have been read since.
      const isInThread = possiblyDelivered && questionsOf(this.thread).some((question) => question.id === id);
      this.dispatch([{ type: 'sent', id, text, images, context: connection.context, time: this.clock.now() }]);
      // The service rejects a question while it is still stopping an answer.
      const windingUp = (await this.#stopping) === 'stopped' || follows;
      if (request.stopped) return 'aborted';
      this.#stopping = undefined;
      const delivered = isInThread ? 'yes' : possiblyDelivered ? 'possibly' : 'no';
      return request.run(connection, { question: { id, content: text, images }, delivered, windingUp });
    });
    return asked.id;
  }

  /** Makes a request the active one, including the time it takes to connect, and dispatches how it ended. */
  async #begin(message: Addressed | undefined, work: (request: ThreadRequest) => Promise<Ending>): Promise<void> {
    const request = new ThreadRequest(this, this.#options, message);
    this.#active = request;
    request.done = work(request)
      .then((ending) => {
        if (!request.stopped) this.#settle(request, ending);
      })
      // Also after a failing listener, which must not leave the thread busy.
      .finally(() => {
        if (request.stopped) return;
        this.#active = undefined;
        if (this.status === 'ready') void this.sendQueued(this.thread.queue[0]?.id, true);
      });
    await request.done;
  }

  #settle({ message, accepted, responses, suspended }: ThreadRequest, ending: Ending): void {
    const { messageId } = this.thread;
    if (ending === 'complete') return this.dispatch([{ type: 'finished' }]);
    if (ending === 'aborted') return this.dispatch([{ type: 'stopped', messageId, service: 'byService' }]);
    if (message && !accepted) return this.#returnUnsent(message, ending, responses > 1);
    // A thread that is only read has no `messageId`, and is read again.
    this.#fail(ending, suspended !== undefined && messageId !== undefined);
    this.#readError = this.thread.error;
  }

  /** @param uncertain whether an earlier request was lost, so that the service may have the message */
  #returnUnsent(message: Addressed, error: ChatError, uncertain: boolean): void {
    const possiblyDelivered = message.possiblyDelivered || uncertain || mayBeDelivered(error);
    this.#unsent = possiblyDelivered ? { ...message, possiblyDelivered } : this.#fresh(message);
    this.#options.onFailure?.(error);
    // Return the text before the error is shown, so that the composer already contains it.
    this.#compose(message);
    const begun = questionsOf(this.thread).find((question) => question.context);
    const words = describeUnsent(error, begun?.context, message.context);
    this.dispatch([{ type: 'unsent', id: message.id, error: words }]);
  }

  #compose({ text, images }: Message): void {
    this.#options.onUnsent({ text, images });
  }

  #fail(error: ChatError, isSuspended = false): void {
    this.#options.onFailure?.(error);
    const hasItems = (turnsOf(this.thread).at(-1)?.items.length ?? 0) > 0;
    const words = describeError(error, hasItems);
    const others = words.actions.filter((action) => action !== 'retry');
    const actions = isSuspended ? (['resume', ...others] as const) : words.actions;
    this.dispatch([{ type: 'failed', error: { ...words, actions } }]);
  }
}
