/** One connection of a run, read to its end. */
import type { ChatClient } from '../../api/client.ts';
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { t } from '../../shared/text/l10n.ts';
import { isItemLine, type ChatRequest, type StreamLine } from '../../shared/wire.ts';

export interface AttemptOptions {
  client: ChatClient;
  request: ChatRequest;
  /** Milliseconds. */
  stallTimeout: number;
  signal: AbortSignal;
  /** @param taken whether the service has shown that it has the question */
  take: (lines: StreamLine[], taken: boolean) => void;
}

/** How a connection ended. */
export type Closing = { how: 'complete' | 'aborted' | 'early' } | { how: 'lost'; error: ChatError };

/** Milliseconds that a line may take to follow the end of a thread. */
const GRACE = 1000;

/** What the lines of a connection have said so far about its state. */
class Progress {
  readonly #request: ChatRequest;
  #afterCutoff = false;
  #stillStreaming = false;
  complete = false;
  taken = false;
  /** What has ended the run before its thread was told to be over. */
  closing: Closing | undefined;

  constructor(request: ChatRequest) {
    this.#request = request;
  }

  /** @returns whether the line counts: what was aborted is used up, but says no more */
  note(line: StreamLine): boolean {
    if (this.closing) return this.closing.how === 'aborted' && line.kind === 'usage';
    switch (line.kind) {
      case 'cutoff':
        this.#afterCutoff = true;
        this.#stillStreaming = line.isStreaming;
        this.taken ||= this.#isReading;
        break;
      case 'message':
      case 'toolCall':
        // Whole messages before the marker are history; they say nothing of this question.
        this.taken ||=
          this.#isReading ||
          line.id === this.#request.messageId ||
          // Some services echo a question under an id of their own.
          (line.role === 'user' && this.#afterCutoff && line.content === this.#request.input) ||
          (line.role === 'assistant' && (this.#afterCutoff || line.isDelta || line.isInProcess));
        break;
      case 'state':
        this.complete = true;
        break;
      case 'aborted':
        this.closing = { how: 'aborted' };
        break;
      case 'suspended':
        this.taken = true;
        this.#suspend(line.reason, line.retryable);
        break;
      case 'unknown':
      case 'usage':
        break;
    }
    return true;
  }

  /** Whether nothing but a usage line should follow. */
  get isOver(): boolean {
    return this.complete || this.closing !== undefined;
  }

  /** How it ended when the service has closed the connection. */
  get end(): Closing {
    if (this.closing) return this.closing;
    // What was read is the thread so far; somebody's answer in it goes on.
    if (this.complete && this.#isReading && this.#stillStreaming)
      return { how: 'lost', error: new ChatError('busy', t('An answer is still being written.')) };
    return { how: this.complete ? 'complete' : 'early' };
  }

  get #isReading(): boolean {
    return this.#request.input === undefined;
  }

  #suspend(reason: string, retryable: boolean): void {
    // Reading a parked thread again would change nothing: sending its question again is what resumes it.
    if (this.#isReading) this.complete = true;
    else if (retryable) this.closing = { how: 'lost', error: new ChatError('stalled', reason, { code: 'SUSPENDED' }) };
    else
      this.closing = {
        how: 'lost',
        error: new ChatError('stream', reason || t('The service has suspended the answer.'), { code: 'SUSPENDED' }),
      };
  }
}

/** Reads one response to its end, or to the line after which nothing of use can come. Never throws. */
export async function attempt({ client, request, stallTimeout, signal, take }: AttemptOptions): Promise<Closing> {
  const reading = new AbortController();
  const cancel = (): void => reading.abort();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const progress = new Progress(request);
  let grace: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const lines of client.streamBatches(request, { signal: reading.signal, stallTimeout })) {
      const counting = lines.filter((line) => progress.note(line));
      take(counting, progress.taken);
      if (progress.closing?.how === 'lost') return progress.closing;
      // A usage line may follow, at once or not at all; some services leave the connection open, others go on.
      if (progress.isOver && (grace === undefined || counting.some(isItemLine))) {
        clearTimeout(grace);
        grace = setTimeout(cancel, GRACE);
      }
    }
  } catch (failure) {
    // When the whole answer is there, how the connection ended no longer matters.
    if (!progress.isOver) return { how: 'lost', error: errorFromFetch(failure) };
  } finally {
    clearTimeout(grace);
    signal.removeEventListener('abort', cancel);
  }
  return progress.end;
}
