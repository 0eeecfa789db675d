/**
 * The requests of a session, one at a time: connects, runs one to its end or stops it on the service (4.2), and
 * dispatches how it ended. `run.ts` has the state machine of one request.
 */
import { ChatError, errorFromFetch, PAGE } from '../../api/errors.ts';
import type { QuestionContext, StopOutcome, ThreadEvent } from '../../shared/thread/model.ts';
import { currentTurn, questionsOf, turnsOf } from '../../shared/thread/turns.ts';
import type { ChatRequest } from '../../shared/wire/streamLines.ts';
import { requestOn, type Connection } from '../connection/connection.ts';
import { describeError, describeUnsent } from '../connection/errorMessages.ts';
import type { Clock } from './clock.ts';
import type { Message, Outbox, Unsent } from './message.ts';
import type { RunOptions } from './response.ts';
import { AnswerRun, type RunEnd } from './run.ts';
import type { ThreadState, SessionOptions } from './threadState.ts';

/** A question or another action of the user, from connecting to the end of the answer. */
class ActiveRequest {
  /** Aborts the stream. */
  readonly controller = new AbortController();
  /** Aborted by the user's stop; the stream may go on until its thread has a `chatId`. */
  readonly stop = new AbortController();
  connection: Promise<Connection | undefined> = Promise.resolve(undefined);
  /** Whether its question is shown in the thread, and whether it was possibly delivered. */
  shown = false;
  requested = false;
  /** Whether its answer has ended, so that there is nothing to stop. */
  answered = false;
  ended = false;
  /** Aborted when its thread has received a `chatId`, or can no longer get one. */
  readonly named = new AbortController();
  done: Promise<void> = Promise.resolve();

  get stopped(): boolean {
    return this.stop.signal.aborted;
  }
}

/** Keeps only the `chatId`, which is needed to stop the answer on the service. */
function onlyChatId(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return events.flatMap((event) =>
    event.type === 'line' && event.line.kind === 'cutoff' && event.line.chatId !== undefined
      ? [{ type: 'named', chatId: event.line.chatId }]
      : [],
  );
}

/** Milliseconds to wait for a new thread's id, and for the response to the abort request. */
const PATIENCE = 8000;

/** Tells the service to stop the answer of a thread. */
export async function abortOnService(
  { client, sessionSettings }: Connection,
  chatId: string,
  patience = PATIENCE,
): Promise<StopOutcome> {
  try {
    await client.abort(chatId, sessionSettings, { signal: AbortSignal.timeout(patience) });
    return 'stopped';
  } catch (failure) {
    const { kind, code } = errorFromFetch(failure);
    // Some gateways forward only the stream requests, and answer this one with a page.
    return code !== PAGE && (kind === 'forbidden' || kind === 'notFound') ? kind : 'unreachable';
  }
}

/** @param chatId reads the thread's id; a new thread gets it with the first line of its stream */
export async function stopOnService(
  request: Pick<ActiveRequest, 'connection' | 'controller' | 'named'>,
  chatId: () => string | undefined,
  clock: Clock,
  patience = PATIENCE,
): Promise<StopOutcome> {
  if (chatId() === undefined) await clock.sleep(patience, request.named.signal);
  request.controller.abort();
  const connection = await request.connection;
  const id = chatId();
  return connection === undefined || id === undefined ? 'unreachable' : abortOnService(connection, id, patience);
}

interface RequestsOptions extends Pick<SessionOptions, 'connect' | 'onUnsent' | 'onFailure' | 'giveUpAfter'> {
  state: ThreadState;
  outbox: Outbox;
  clock: Clock;
  /** Called when a request has ended and no other has been made. */
  onIdle: () => unknown;
}

interface Run extends Pick<RunOptions, 'request' | 'delivered' | 'windingUp'> {
  connection: Promise<Connection | undefined>;
}

export class Requests {
  readonly #options: RequestsOptions;
  readonly #connecting = new Set<Message>();
  #latest: ActiveRequest | undefined;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** The request in progress; undefined once it was stopped. */
  get active(): ActiveRequest | undefined {
    return this.#latest?.stopped || this.#latest?.ended ? undefined : this.#latest;
  }

  /** The messages that wait for their connection, so that they are neither in the thread nor in the composer. */
  get connecting(): readonly Message[] {
    return [...this.#connecting];
  }

  isLatest(request: ActiveRequest): boolean {
    return this.#latest === request;
  }

  /** Runs `work` as the active request, including the time it takes to connect. */
  begin(work: (request: ActiveRequest) => Promise<void>): Promise<void> {
    const request = new ActiveRequest();
    this.#latest = request;
    request.done = work(request).finally(() => {
      request.named.abort();
      request.ended = true;
      if (this.#latest === request && !request.stopped) this.#options.onIdle();
    });
    return request.done;
  }

  /** @returns undefined after a failure, which is shown unless the request was stopped meanwhile */
  async connect(request?: ActiveRequest, context?: QuestionContext): Promise<Connection | undefined> {
    try {
      return await this.#options.connect(context);
    } catch (failure) {
      if (!request?.stopped) this.fail(errorFromFetch(failure));
      return undefined;
    }
  }

  /** @returns undefined if the message came back: connecting failed, or the request was stopped meanwhile */
  async connectFor(
    message: Unsent,
    request: ActiveRequest,
    context: QuestionContext | undefined,
  ): Promise<Connection | undefined> {
    const { connect, onUnsent } = this.#options;
    this.#connecting.add(message);
    const connection = await connect(context).catch(errorFromFetch);
    this.#connecting.delete(message);
    if (request.stopped) onUnsent({ text: message.text, images: message.images });
    else if (connection instanceof ChatError) this.#returnUnsent(message, connection);
    else return connection;
    return undefined;
  }

  async run(active: ActiveRequest, { connection: connecting, request, delivered, windingUp }: Run): Promise<void> {
    const { state, clock, giveUpAfter } = this.#options;
    active.connection = connecting;
    const connection = await connecting;
    if (connection === undefined || active.stopped) return;
    const { client, stallTimeout } = connection;
    const result = await new AnswerRun({
      client,
      stallTimeout,
      clock,
      signal: active.controller.signal,
      stopped: active.stop.signal,
      delivered,
      windingUp,
      giveUpAfter,
      request: (): ChatRequest => requestOn(connection, request()),
      dispatch: (events) => {
        state.dispatch(active.stopped ? onlyChatId(events) : events);
        if (state.thread.chatId !== undefined) active.named.abort();
      },
      onAnswered: () => void (active.answered = true),
      thread: () => state.thread,
    }).toEnd();
    if (!active.stopped) this.#conclude(result);
  }

  /** @param uncertain whether an earlier request was lost, so that the service may have the message */
  #returnUnsent(message: Unsent, error: ChatError, uncertain = false): void {
    const { state, outbox, clock, onFailure, onUnsent } = this.#options;
    const { id, text, images } = message;
    outbox.keep(message, error, uncertain, clock.now());
    onFailure?.(error);
    // Return the text before the error is shown, so that the composer already contains it.
    onUnsent({ text, images });
    const first = questionsOf(state.thread).find((question) => question.context);
    const words = describeUnsent(error, first?.context?.identity, message.context?.identity);
    state.dispatch([{ type: 'unsent', id, error: words }]);
  }

  #conclude(result: RunEnd): void {
    const { state } = this.#options;
    const { messageId } = state.thread;
    if (result.how === 'done') return state.dispatch([{ type: 'finished' }]);
    if (result.how === 'abortedByService')
      return state.dispatch([{ type: 'stopped', messageId, service: 'byService' }]);
    const { question } = currentTurn(state.thread) ?? {};
    if (result.accepted || messageId === undefined || question === undefined) return this.fail(result.error);
    const { id, content: text, images = [], context } = question;
    this.#returnUnsent({ id, text, images, context }, result.error, result.requests > 1);
  }

  fail(error: ChatError): void {
    const { state, onFailure } = this.#options;
    onFailure?.(error);
    const hasItems = (turnsOf(state.thread).at(-1)?.items.length ?? 0) > 0;
    state.dispatch([{ type: 'failed', error: describeError(error, hasItems) }]);
  }
}
