/** Reads one response to its end. */
import type { ChatClient } from '../../api/client.ts';
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { t } from '../../shared/text/l10n.ts';
import { isItemLine, type ChatRequest, type StreamLine } from '../../shared/wire/streamLines.ts';

interface ResponseOptions {
  client: ChatClient;
  /** Milliseconds without data after which the response fails as stalled. */
  stallTimeout: number;
  signal: AbortSignal;
  request: ChatRequest;
  onLines: (lines: readonly StreamLine[]) => void;
}

/** How a response ended: with its last line, by an abort on the service, or by a failure, such as an early end. */
export type Ending = 'complete' | 'aborted' | ChatError;

/** Milliseconds to wait for lines after the end of a thread. */
const GRACE = 1000;

/** @returns the ending that a line means; undefined for a line within the response */
function endingOf(line: StreamLine, isRead: boolean): Ending | undefined {
  if (line.kind === 'aborted') return 'aborted';
  // Only a request with the question resumes a suspended answer; one that reads the thread is complete.
  if (line.kind === 'suspended' && !isRead) {
    const reason = line.reason || t('The service paused this answer.');
    return new ChatError(line.retryable ? 'stalled' : 'stream', reason, { code: 'SUSPENDED' });
  }
  return line.kind === 'state' || line.kind === 'suspended' ? 'complete' : undefined;
}

/** Reads to the end of a response, or until no more useful line can follow. Never throws. */
export async function readResponse(options: ResponseOptions): Promise<Ending> {
  const { client, request, stallTimeout, signal, onLines } = options;
  const isRead = request.input === undefined;
  const over = new AbortController();
  const reading = AbortSignal.any([signal, over.signal]);
  let ending: Ending | undefined;
  let isStreaming = false;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let waiting: StreamLine[] = [];
  let applied = 0;
  const apply = (): void => {
    onLines(waiting);
    applied += waiting.length;
    waiting = [];
  };
  try {
    for await (const lines of client.streamBatches(request, { signal: reading, stallTimeout })) {
      let hasItems = false;
      for (const line of lines) {
        // After an abort or a suspension, only usage counts.
        if (ending !== undefined && ending !== 'complete' && line.kind !== 'usage') continue;
        if (line.kind === 'cutoff') isStreaming = line.isStreaming;
        ending = endingOf(line, isRead) ?? ending;
        hasItems ||= isItemLine(line);
        waiting.push(line);
      }
      // Each application copies the lists that it extends, so a long thread is applied in parts of double size.
      if (!isRead || isStreaming || ending !== undefined || waiting.length >= applied) apply();
      // Usage may follow the end; some services keep the connection open, others continue the answer.
      if (ending !== undefined && (grace === undefined || hasItems)) {
        clearTimeout(grace);
        grace = setTimeout(() => over.abort(), GRACE);
      }
    }
  } catch (failure) {
    // If the answer is complete, a failure of the connection doesn't matter.
    ending ??= errorFromFetch(failure);
  } finally {
    clearTimeout(grace);
    if (waiting.length > 0) apply();
  }
  if (ending === 'complete' && isRead && isStreaming) return new ChatError('busy', t('The agent is still answering.'));
  return ending ?? new ChatError('stalled', t('The answer ended early.'), { code: 'ENDED_EARLY' });
}
