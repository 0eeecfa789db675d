/** `POST {base_url}/chat/stream-chat-state` (4.1). */
import { setTimeout as delay } from 'node:timers/promises';
import { LineFaults } from '../faults/lines.ts';
import { faultsInQuestion } from '../faults/queue.ts';
import type { FaultSpec } from '../faults/spec.ts';
import { Wire } from '../faults/wire.ts';
import { startRun } from '../service/answering.ts';
import type { Caller } from '../access/authentication.ts';
import type { Exchange } from './exchange.ts';
import { HttpFailure, jsonRpcError, notFound } from './failures.ts';
import { consolidate, cutoffLine, suspendedLine, usageLine, type Line } from '../service/lines.ts';
import { readChatFields, type ChatFields } from './requests.ts';
import type { Run } from '../service/run.ts';
import { branchOf, type AttachMode, type Service } from '../service/service.ts';
import type { Thread } from '../service/threads.ts';

const IN_PROGRESS = 'Streaming for thread is in progress';
const BAD_BRANCH = 'BadRequestError: Bad branch';
const OTHER_BRANCH = 'BadRequestError: The thread belongs to another branch';

/** Writes lines to one response body, with their faults. */
class LineStream {
  readonly #wire: Wire;
  readonly #faults: LineFaults;

  constructor(exchange: Exchange, fault: FaultSpec) {
    const { response } = exchange;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.flushHeaders();
    this.#wire = new Wire(response, fault);
    this.#faults = new LineFaults(fault);
  }

  get closed(): AbortSignal {
    return this.#wire.closed;
  }

  /** @returns whether the whole line was sent and the stream continues */
  async send(line: Line): Promise<boolean> {
    const error = this.#faults.error();
    if (error !== undefined) {
      await this.#wire.write(error);
      this.#wire.end();
      return false;
    }
    const text = this.#faults.text(line);
    return text === '' || this.#wire.write(text);
  }

  async end(): Promise<void> {
    const rest = this.#faults.rest();
    if (rest !== '') await this.#wire.write(rest);
    this.#wire.end();
  }
}

/** Sends the lines of a run from `position` until it ends or is suspended, or the client disconnects. */
async function follow(run: Run, position: number, stream: LineStream): Promise<void> {
  for (let next = position; ; next += 1) {
    await run.waitFor(next, stream.closed);
    const line = run.lines[next];
    if (line === undefined) break;
    if (!(await stream.send(line))) return;
    run.delivered = next + 1;
  }
  if (!run.ended && run.suspended) {
    await stream.send(suspendedLine(run.messageId));
    await stream.send(usageLine({ input: 40, output: run.lines.length }, false));
  }
  await stream.end();
}

/** Sends the merged lines in `prefix` mode. @returns the index of the next line of the run to send */
async function attach(run: Run, mode: AttachMode, stream: LineStream): Promise<number> {
  // A finished run is always replayed from its start, since it is unknown what the client still has.
  if (run.ended || mode === 'replay') return 0;
  if (mode === 'continue') return run.delivered;
  const position = run.lines.length;
  if (mode === 'prefix') for (const line of consolidate(run.lines)) await stream.send(line);
  return position;
}

function findThread(service: Service, { chatId, messageId }: ChatFields, { owner }: Caller): Thread | undefined {
  if (chatId === undefined) return messageId === undefined ? undefined : service.threads.withMessage(owner, messageId);
  const thread = service.threads.get(chatId);
  if (thread === undefined || thread.owner !== owner) throw notFound('There is no such chat thread');
  return thread;
}

/** Rejects a request because the thread is busy, in the requested form. */
async function refuseBusy(exchange: Exchange, thread: Thread, fault: FaultSpec): Promise<void> {
  if (fault.busy === 'status') throw new HttpFailure(409, IN_PROGRESS);
  if (fault.busy === 'jsonRpc') return exchange.sendText(200, jsonRpcError(IN_PROGRESS));
  return refuseInStream(exchange, cutoffLine(thread.chatId, true), IN_PROGRESS, fault);
}

async function refuseInStream(exchange: Exchange, cutoff: Line, error: string, fault: FaultSpec): Promise<void> {
  const stream = new LineStream(exchange, fault);
  await stream.send(cutoff);
  await stream.send({ error });
  await stream.end();
}

async function readThread(exchange: Exchange, thread: Thread, fault: FaultSpec): Promise<void> {
  const stream = new LineStream(exchange, fault);
  const { activeRun } = thread;
  const isStreaming = activeRun?.suspended === false;
  const cutoff = cutoffLine(thread.chatId, isStreaming, isStreaming ? undefined : activeRun);
  if (fault.historyFirst !== true) await stream.send(cutoff);
  for (const line of thread.history()) await stream.send(line);
  if (fault.historyFirst === true) await stream.send(cutoff);
  await stream.send(thread.stateLine());
  await stream.end();
}

/** @throws HttpFailure or AuthFailure, only before the response starts */
export async function streamChatState(service: Service, exchange: Exchange, queued: FaultSpec): Promise<void> {
  const { caller, body } = await service.authenticator.authenticate(exchange);
  const fields = readChatFields(body);
  const { input, messageId = `${Date.now()}-message` } = fields;
  const attaches = (): boolean => findThread(service, fields, caller)?.runFor(messageId) !== undefined;
  // Faults in a question apply to its first request only, not to requests that attach.
  const fault = { ...queued, ...(input === undefined || attaches() ? {} : faultsInQuestion(input).fault) };
  if (fault.latency !== undefined) await delay(fault.latency);
  // No `await` from here to the start of the run, so that concurrent requests with one message start one run.
  const thread = findThread(service, fields, caller) ?? service.threads.create(caller.owner);
  const run = thread.runFor(messageId);

  if (fault.busy !== undefined) return refuseBusy(exchange, thread, fault);
  if (run) {
    run.resume();
    const stream = new LineStream(exchange, fault);
    await stream.send(cutoffLine(thread.chatId, !run.ended));
    return follow(run, await attach(run, service.attach, stream), stream);
  }
  if (input === undefined) return readThread(exchange, thread, fault);
  if (thread.activeRun) return refuseBusy(exchange, thread, fault);

  const branch = branchOf(service, fields);
  if (branch === undefined) return refuseInStream(exchange, cutoffLine(thread.chatId, false), BAD_BRANCH, fault);
  if (service.pinsBranches && (thread.branch ??= branch) !== branch)
    return refuseInStream(exchange, cutoffLine(thread.chatId, false), OTHER_BRANCH, fault);
  const history = fault.historyFirst === true ? thread.history() : [];
  const message = { messageId, input, imageCount: fields.imageCount };
  const odd = service.oddAnswers?.next();
  const answerFault = { ...(odd ? { odd } : {}), ...service.flakyQuestion?.next(input), ...fault };
  const started = startRun(service, thread, branch, message, service.authenticator.rowFilters(caller), answerFault);
  const stream = new LineStream(exchange, fault);
  for (const line of history) await stream.send(line);
  await stream.send(cutoffLine(thread.chatId, true));
  return follow(started, 0, stream);
}
