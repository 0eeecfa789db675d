/** Reads one response to its end. */
import type { ChatClient } from '../../api/client.ts';
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { t } from '../../shared/text/l10n.ts';
import { isItemLine, type ChatRequest, type StreamLine } from '../../shared/wire/streamLines.ts';

export interface ResponseOptions {
  client: ChatClient;
  request: ChatRequest;
  /** Milliseconds. */
  stallTimeout: number;
  signal: AbortSignal;
  /** @param accepted whether the service has confirmed the question */
  onLines: (lines: readonly StreamLine[], accepted: boolean) => void;
}

/** How a response ended: with its last line, by an abort on the service, early, or by a failure. */
export type Ending = { how: 'complete' | 'aborted' | 'early' } | { how: 'lost'; error: ChatError };

/** Milliseconds to wait for lines after the end of a thread. */
const GRACE = 1000;

/** Collects what the lines of a response say about the request. */
class Progress {
  readonly #request: ChatRequest;
  #marked = false;
  #isStreaming = false;
  #complete = false;
  accepted = false;
  /** The line that ended the response before the end of its thread. */
  ending: Ending | undefined;

  constructor(request: ChatRequest) {
    this.#request = request;
  }

  /** @returns whether to process the line: after an abort, only usage */
  note(line: StreamLine): boolean {
    if (this.ending) return this.ending.how === 'aborted' && line.kind === 'usage';
    if (line.kind === 'cutoff') {
      this.#marked = true;
      this.#isStreaming = line.isStreaming;
    }
    this.accepted ||= this.#shows(line);
    if (line.kind === 'state') this.#complete = true;
    else if (line.kind === 'aborted') this.ending = { how: 'aborted' };
    // Reading a suspended thread does not resume it; only its question does.
    else if (line.kind === 'suspended' && this.#isRead) this.#complete = true;
    else if (line.kind === 'suspended') this.ending = { how: 'lost', error: suspended(line) };
    return true;
  }

  /** Whether the service has the question. Whole messages before the marker are history and prove nothing. */
  #shows(line: StreamLine): boolean {
    if (line.kind === 'suspended') return true;
    if (this.#isRead) return line.kind === 'cutoff' || isItemLine(line);
    if (!isItemLine(line)) return false;
    const { id, role, content, isDelta, isInProcess } = line;
    if (role === 'assistant') return this.#marked || isDelta || isInProcess;
    // Some services echo a question with their own id.
    return id === this.#request.messageId || (this.#marked && content === this.#request.input);
  }

  get #isRead(): boolean {
    return this.#request.input === undefined;
  }

  /** Whether the lines so far are those of a thread without a running answer. */
  get isHistory(): boolean {
    return this.#isRead && !this.#isStreaming;
  }

  get isOver(): boolean {
    return this.#complete || this.ending !== undefined;
  }

  /** How the response ended, after the service has closed it. */
  close(): Ending {
    if (this.ending) return this.ending;
    if (this.#complete && this.#isRead && this.#isStreaming)
      return { how: 'lost', error: new ChatError('busy', t('The agent is still answering.')) };
    return { how: this.#complete ? 'complete' : 'early' };
  }
}

function suspended({ reason, retryable }: Extract<StreamLine, { kind: 'suspended' }>): ChatError {
  const message = reason || t('The service suspended the answer.');
  return new ChatError(retryable ? 'stalled' : 'stream', message, { code: 'SUSPENDED' });
}

/** Reads to the end of a response, or until no more useful line can follow. Never throws. */
export async function readResponse(options: ResponseOptions): Promise<Ending> {
  const { client, request, stallTimeout, signal, onLines } = options;
  const reading = new AbortController();
  const cancel = (): void => reading.abort();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const progress = new Progress(request);
  let grace: ReturnType<typeof setTimeout> | undefined;
  let batch: StreamLine[] = [];
  let count = 0;
  const flush = (): void => {
    onLines(batch, progress.accepted);
    count += batch.length;
    batch = [];
  };
  try {
    for await (const lines of client.streamBatches(request, { signal: reading.signal, stallTimeout })) {
      const counting = lines.filter((line) => progress.note(line));
      batch.push(...counting);
      // Applying a batch copies the lists that it extends, so double the batch size for long threads.
      if (!progress.isHistory || progress.isOver || batch.length >= count) flush();
      if (progress.ending?.how === 'lost') return progress.ending;
      // Usage may follow the end; some services keep the connection open, others continue the answer.
      if (progress.isOver && (grace === undefined || counting.some(isItemLine))) {
        clearTimeout(grace);
        grace = setTimeout(cancel, GRACE);
      }
    }
  } catch (failure) {
    // If the answer is complete, a failure of the connection doesn't matter.
    if (!progress.isOver) return { how: 'lost', error: errorFromFetch(failure) };
  } finally {
    clearTimeout(grace);
    if (batch.length > 0) flush();
    signal.removeEventListener('abort', cancel);
  }
  return progress.close();
}
