/** Reads one response to its end. */
import type { ChatClient } from '../../api/client.ts';
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { t } from '../../shared/text/l10n.ts';
import {
  isItemLine,
  type ChatRequest,
  type CutoffLine,
  type StreamLine,
  type SuspendedLine,
} from '../../shared/wire/streamLines.ts';

interface ResponseOptions {
  client: ChatClient;
  /** Milliseconds without data after which the response fails as stalled. */
  stallTimeout: number;
  signal: AbortSignal;
  request: ChatRequest;
  /** @param accepted whether the service has confirmed the question */
  onLines: (lines: readonly StreamLine[], accepted: boolean) => void;
}

/** How a response ended: with its last line, by an abort on the service, early, or by a failure. */
export type Ending =
  /** @param suspended see `CutoffLine` */
  | { how: 'complete'; suspended?: string | undefined }
  | { how: 'aborted' }
  | { how: 'early' | 'lost'; error: ChatError };

/** Milliseconds to wait for lines after the end of a thread. */
const GRACE = 1000;

/** Tracks the progress of a request from the lines of its response. */
class Progress {
  readonly #request: ChatRequest;
  readonly #isRead: boolean;
  #marker: CutoffLine | undefined;
  accepted = false;
  /** How the response ends if no more lines follow. */
  ending: Ending = {
    how: 'early',
    error: new ChatError('stalled', t('The answer ended early.'), { code: 'ENDED_EARLY' }),
  };

  constructor(request: ChatRequest) {
    this.#request = request;
    this.#isRead = request.input === undefined;
  }

  /** @returns whether to apply the line: after an abort or a suspension, only usage lines are applied */
  note(line: StreamLine): boolean {
    const { how } = this.ending;
    if (how === 'lost' || how === 'aborted') return line.kind === 'usage';
    if (line.kind === 'cutoff') this.#marker = line;
    this.accepted ||= this.#shows(line);
    if (line.kind === 'aborted') this.ending = { how: 'aborted' };
    // Only a request with the question resumes a suspended answer; for a request that reads the thread, the response is
    // complete.
    else if (line.kind === 'suspended' && !this.#isRead) this.ending = { how: 'lost', error: suspended(line) };
    else if (line.kind === 'state' || line.kind === 'suspended') this.ending = { how: 'complete' };
    return true;
  }

  /**
   * Whether the service has the question. Whole messages before the `cutoff` line are history and prove nothing, even if
   * they are unfinished: another client's answer may be running.
   */
  #shows(line: StreamLine): boolean {
    if (line.kind === 'suspended') return true;
    if (this.#isRead) return line.kind === 'cutoff' || isItemLine(line);
    if (!isItemLine(line)) return false;
    const { id, role, content, isDelta } = line;
    if (role === 'assistant') return this.#marker !== undefined || isDelta;
    // Some services echo a question with their own id.
    return id === this.#request.messageId || (this.#marker !== undefined && content === this.#request.input);
  }

  /** Whether the lines so far are those of a thread without a running answer. */
  get isHistory(): boolean {
    return this.#isRead && !this.#marker?.isStreaming;
  }

  get isOver(): boolean {
    return this.ending.how !== 'early';
  }

  /** How the response ended, after the service has closed it. */
  close(): Ending {
    if (this.ending.how !== 'complete' || !this.#isRead) return this.ending;
    if (this.isHistory) return { how: 'complete', suspended: this.#marker?.suspended };
    return { how: 'lost', error: new ChatError('busy', t('The agent is still answering.')) };
  }
}

function suspended({ reason, retryable }: SuspendedLine): ChatError {
  const message = reason || t('The service paused this answer.');
  return new ChatError(retryable ? 'stalled' : 'stream', message, { code: 'SUSPENDED' });
}

/** Reads to the end of a response, or until no more useful line can follow. Never throws. */
export async function readResponse(options: ResponseOptions): Promise<Ending> {
  const { client, request, stallTimeout, signal, onLines } = options;
  const over = new AbortController();
  const reading = AbortSignal.any([signal, over.signal]);
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
    for await (const lines of client.streamBatches(request, { signal: reading, stallTimeout })) {
      const counting = lines.filter((line) => progress.note(line));
      batch.push(...counting);
      // Applying a batch copies the lists that it extends, so double the batch size for long threads.
      if (!progress.isHistory || progress.isOver || batch.length >= count) flush();
      // Usage may follow the end; some services keep the connection open, others continue the answer.
      if (progress.isOver && (grace === undefined || counting.some(isItemLine))) {
        clearTimeout(grace);
        grace = setTimeout(() => over.abort(), GRACE);
      }
    }
  } catch (failure) {
    // If the answer is complete, a failure of the connection doesn't matter.
    if (!progress.isOver) return { how: 'lost', error: errorFromFetch(failure) };
  } finally {
    clearTimeout(grace);
    if (batch.length > 0) flush();
  }
  return progress.close();
}
