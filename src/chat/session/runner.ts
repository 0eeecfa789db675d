/** Runs the requests of a thread, one at a time, and dispatches how each ended. */
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import type { QuestionContext, Thread, ThreadEvent } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import { currentTurn, questionsOf, turnsOf } from '../../shared/thread/turns.ts';
import type { Connect, Connection } from '../connection/connection.ts';
import { describeError, describeUnsent } from '../connection/errorMessages.ts';
import type { Host } from './backfill.ts';
import type { Clock } from './clock.ts';
import { keptMessage, type Message, type Unsent } from './message.ts';
import { ThreadRequest, type Asked } from './threadRequest.ts';

export interface SessionOptions {
  thread: Thread;
  connect: Connect;
  /** The current branch and identity, for a question that is queued; undefined without a connection. */
  context?: () => QuestionContext | undefined;
  /** Called after every change, with the events that made it. */
  onEvents: (events: readonly ThreadEvent[], session: { thread: Thread }) => void;
  /** Receives a message that could not be sent. */
  onUnsent: (message: Message) => void;
  onFailure?: (error: ChatError) => void;
  /** See `RetryPolicy`. */
  giveUpAfter?: number;
  /** Milliseconds that a stop waits for the id of a new thread, and for the service to confirm it; 8 s by default. */
  stopPatience?: number;
  clock?: Clock;
}

export class Runner implements Host {
  readonly #options: SessionOptions & { clock: Clock; onIdle: () => unknown };
  readonly #connecting = new Set<Message>();
  #thread: Thread;
  #latest: ThreadRequest | undefined;
  /** The last message that could not be sent, so that a retry reuses its id where necessary. */
  unsent: Unsent | undefined;
  /** Whether another action was begun after that message failed, so that Retry does not concern it. */
  isUnsentAside = false;

  readonly clock: Clock;
  readonly giveUpAfter: number | undefined;

  /** @param options `onIdle` is called when a request has ended and no other has been made */
  constructor(options: SessionOptions & { clock: Clock; onIdle: () => unknown }) {
    this.#options = options;
    this.#thread = options.thread;
    this.clock = options.clock;
    this.giveUpAfter = options.giveUpAfter;
  }

  get thread(): Thread {
    return this.#thread;
  }

  /** The request in progress; undefined once it was stopped. */
  get active(): ThreadRequest | undefined {
    return this.#latest?.isActive ? this.#latest : undefined;
  }

  /** The messages that wait for their connection, so that they are neither in the thread nor in the composer. */
  get connecting(): readonly Message[] {
    return [...this.#connecting];
  }

  isLatest(request: ThreadRequest): boolean {
    return this.#latest === request;
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

  /** Runs `work` as the active request, including the time it takes to connect. */
  begin(work: (request: ThreadRequest) => Promise<void>): Promise<void> {
    const request = new ThreadRequest(this);
    this.#latest = request;
    request.done = work(request).finally(() => {
      request.enter('ended');
      if (this.#latest === request && !request.stopped) this.#options.onIdle();
    });
    return request.done;
  }

  /**
   * @param message returns to the composer if connecting fails, or if the request is stopped meanwhile
   * @returns undefined after a failure, which is shown unless the request was stopped meanwhile
   */
  async connect(request?: ThreadRequest, context?: QuestionContext, message?: Unsent): Promise<Connection | undefined> {
    const { connect, onUnsent } = this.#options;
    if (message) this.#connecting.add(message);
    const connection = await connect(context).catch(errorFromFetch);
    if (message) this.#connecting.delete(message);
    if (message && request?.stopped) onUnsent({ text: message.text, images: message.images });
    else if (!(connection instanceof ChatError)) return connection;
    else if (message) this.#returnUnsent(message, connection);
    else if (!request?.stopped) this.fail(connection);
    return undefined;
  }

  /** Runs a request until its answer has ended, and dispatches how. */
  async run(request: ThreadRequest, connecting: Promise<Connection | undefined>, asked: Asked): Promise<void> {
    request.connection = connecting;
    const connection = await connecting;
    if (connection === undefined || request.stopped) return;
    const end = await request.run(connection, asked);
    if (request.stopped) return;
    const { messageId } = this.#thread;
    const { question } = currentTurn(this.#thread) ?? {};
    if (end === 'done') this.dispatch([{ type: 'finished' }]);
    else if (end === 'aborted') this.dispatch([{ type: 'stopped', messageId, service: 'byService' }]);
    else if (request.accepted || messageId === undefined || question === undefined) this.fail(end, request.isSuspended);
    else {
      const { id, content: text, images = [], context } = question;
      this.#returnUnsent({ id, text, images, context }, end, request.responses > 1);
    }
  }

  /** @param uncertain whether an earlier request was lost, so that the service may have the message */
  #returnUnsent(message: Unsent, error: ChatError, uncertain = false): void {
    const { clock, onFailure, onUnsent } = this.#options;
    const { id, text, images } = message;
    this.unsent = keptMessage(message, error, uncertain, clock.now());
    this.isUnsentAside = false;
    onFailure?.(error);
    // Return the text before the error is shown, so that the composer already contains it.
    onUnsent({ text, images });
    const first = questionsOf(this.thread).find((question) => question.context);
    const words = describeUnsent(error, first?.context, message.context);
    this.dispatch([{ type: 'unsent', id, error: words }]);
  }

  fail(error: ChatError, isSuspended = false): void {
    this.#options.onFailure?.(error);
    const hasItems = (turnsOf(this.thread).at(-1)?.items.length ?? 0) > 0;
    const words = describeError(error, hasItems);
    const others = words.actions.filter((action) => action !== 'retry');
    const actions = isSuspended ? (['resume', ...others] as const) : words.actions;
    this.dispatch([{ type: 'failed', error: { ...words, actions } }]);
  }
}
