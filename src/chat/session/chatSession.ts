/**
 * The session of one thread: asks questions, stops and reattaches to answers, and reads the thread. Every front end is
 * an adapter over it.
 */
import { ChatError } from '../../api/errors.ts';
import type {
  Question,
  QuestionContext,
  StopOutcome,
  Thread,
  ThreadEvent,
  ThreadStatus,
  TurnOutcome,
} from '../../shared/thread/model.ts';
import { turnsOf } from '../../shared/thread/turns.ts';
import { newMessageId, systemClock, type Clock } from './clock.ts';
import { addressed, lastQuestion, requestFor, sameContext, type Message, type Unsent } from './message.ts';
import { Runner, type SessionOptions } from './runner.ts';
import type { ThreadRequest } from './threadRequest.ts';
import { abortOnService, stopOnService } from './stop.ts';

export type { Message } from './message.ts';

/** Whether the service may still be writing the answer of a turn that failed here; after an error line, it is not. */
const isLost = (outcome: TurnOutcome | undefined): boolean =>
  outcome?.state === 'failed' && outcome.error.kind !== 'stream';

export class ChatSession {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #runner: Runner;
  /** The last stop on the service; the next question waits for it. */
  #stopping: Promise<StopOutcome> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#runner = new Runner({
      ...options,
      clock: this.#clock,
      onIdle: () => this.status === 'ready' && void this.sendQueued(this.thread.queue[0]?.id, true),
    });
  }

  get thread(): Thread {
    return this.#runner.thread;
  }

  get status(): ThreadStatus {
    return this.thread.status;
  }

  /** The messages that wait for their connection, so that they are neither in the thread nor in the composer. */
  get connecting(): readonly Message[] {
    return this.#runner.connecting;
  }

  /** Whether the error of the thread is that it could not be read. */
  get failedToRead(): boolean {
    return this.thread.error !== undefined && this.#runner.isUnsentAside;
  }

  dispatch(events: readonly ThreadEvent[]): void {
    this.#runner.dispatch(events);
  }

  /** Resolves when no request is active; stopped requests don't count. */
  async idle(): Promise<void> {
    for (let { active } = this.#runner; active; { active } = this.#runner) await active.done;
  }

  /**
   * Asks a question. While a request is active, or other messages are queued, the message is queued with the current
   * branch and identity.
   * @returns the message's id, when its answer has ended or the message has been queued
   */
  async send(message: Message): Promise<string> {
    const unqueued = this.#addressed(message);
    const { id, text, images } = unqueued;
    const [next = unqueued] = this.thread.queue;
    // An unsent message that returned to the composer is older than all queued ones.
    if (!this.#runner.active && (next === unqueued || id === this.#runner.unsent?.id)) return this.#ask(unqueued);
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
    if (message === undefined || this.#runner.active) return;
    this.dispatch([{ type: 'unqueued', id: message.id }]);
    await this.#ask(message, message.context, follows);
  }

  /** Ends the wait before the next attempt to get the answer. */
  retryNow(): void {
    this.#runner.active?.retryNow();
  }

  /**
   * Stops the active request: locally at once, on the service when it responds.
   * @returns the outcome on the service; undefined if there was nothing to stop
   */
  async abort(): Promise<StopOutcome | undefined> {
    const { active: request } = this.#runner;
    if (request === undefined) return undefined;
    const phase = request.stop();
    if (phase === 'connecting') return 'stopped';
    if (phase === 'answered') {
      this.dispatch([{ type: 'finished' }]);
      return undefined;
    }
    const { messageId } = this.thread;
    this.dispatch([{ type: 'stopped', messageId, service: 'pending' }]);
    // If the request was still waiting for an earlier stop, keep waiting for that one.
    const { stopPatience } = this.#options;
    const isRequested = phase !== 'shown';
    if (isRequested) this.#stopping = stopOnService(request, () => this.thread.chatId, this.#clock, stopPatience);
    const service = isRequested ? await this.#stopping! : 'stopped';
    const isAnother = messageId !== undefined && messageId !== this.thread.messageId;
    if (this.#runner.isLatest(request) || isAnother) this.dispatch([{ type: 'stopped', messageId, service }]);
    return service;
  }

  /**
   * Reattaches to the answer of the last question, with its own `messageId`, branch and identity.
   * @param free settles when no other window reads the answer; meanwhile the request is active and can be stopped
   */
  async reattach(free?: Promise<unknown>): Promise<void> {
    const question = lastQuestion(this.thread);
    if (question === undefined || this.#runner.active) return;
    this.#runner.isUnsentAside = true;
    await this.#runner.begin(async (request) => {
      request.enter('waiting');
      if (free) {
        request.connection = this.#runner.connect(request, question.context);
        await free;
        if (request.stopped) return;
      }
      await this.#continue(request, question);
    });
  }

  async #continue(request: ThreadRequest, question: Question): Promise<void> {
    this.dispatch([{ type: 'resumed', messageId: question.id }]);
    await this.#runner.run(request, this.#runner.connect(request, question.context), {
      request: () => requestFor(this.thread, question),
      delivered: 'yes',
    });
  }

  /** Reads the thread from the service and merges it. If its last answer is suspended, it is resumed. */
  async load(): Promise<void> {
    if (this.#runner.active || this.thread.chatId === undefined) return;
    this.#runner.isUnsentAside = true;
    await this.#runner.begin(async (request) => {
      request.enter('waiting');
      this.dispatch([{ type: 'loading' }]);
      await this.#runner.run(request, this.#runner.connect(request), {
        request: () => ({ chatId: this.thread.chatId }),
      });
      const { suspended } = request;
      const question = lastQuestion(this.thread);
      if (suspended === undefined || (question?.id !== suspended && question?.echo !== suspended)) return;
      request.isSuspended = true;
      await this.#continue(request, question);
    });
  }

  /** Retries what failed last: the same question under the same id, or a thread that could not be read. */
  async retry(): Promise<void> {
    if (this.#runner.active) return;
    const question = lastQuestion(this.thread);
    const { outcome } = turnsOf(this.thread).at(-1) ?? {};
    const { unsent, isUnsentAside } = this.#runner;
    if (unsent && !isUnsentAside) await this.#ask(unsent);
    else if (this.thread.error || question === undefined) await this.load();
    else if (isLost(outcome)) await this.reattach();
    else {
      const { content: text, images = [] } = question;
      await this.#ask(this.#addressed({ text, images }));
    }
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
    const connection = await this.#runner.connect();
    if (connection === undefined) return;
    const { chatId } = this.thread;
    const service = chatId === undefined ? undefined : await (this.#stopping = abortOnService(connection, chatId));
    const message = edited ? this.#addressed(edited) : this.#runner.unsent;
    if (this.#runner.active) return;
    // The service would refuse the message again, as busy, which does not say why.
    if (service === 'forbidden') this.#runner.fail(new ChatError('forbidden', ''));
    else if (message) await this.#ask(message);
    else await this.retry();
  }

  #addressed(message: Message): Unsent {
    return addressed(message, this.#runner.unsent, this.#clock.now());
  }

  /**
   * @param context branch and identity to ask with; defaults to the current ones
   * @param follows see `sendQueued`
   */
  async #ask(message: Unsent, context?: QuestionContext, follows = false): Promise<string> {
    let { id } = message;
    await this.#runner.begin(async (request) => {
      const connection = await this.#runner.connect(request, context, message);
      if (connection === undefined) return;
      this.#runner.unsent = undefined;
      const { text, images } = message;
      // The same text on another branch or as another identity is another question and needs a new id.
      if (message.context && !sameContext(message.context, connection.context)) id = newMessageId(this.#clock.now());
      request.enter('shown');
      this.dispatch([{ type: 'sent', id, text, images, context: connection.context, time: this.#clock.now() }]);
      const question = lastQuestion(this.thread);
      // The service rejects a question while it is still stopping an answer.
      const windingUp = (await this.#stopping) === 'stopped' || follows;
      if (question === undefined || request.stopped) return;
      this.#stopping = undefined;
      request.enter('waiting');
      await this.#runner.run(request, Promise.resolve(connection), {
        request: () => requestFor(this.thread, question),
        delivered: message.possiblyDelivered && id === message.id ? 'possibly' : 'no',
        windingUp,
      });
    });
    return id;
  }
}
