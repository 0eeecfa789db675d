/** A client without a network, whose responses a test scripts. */
import type { ChatClient } from '../../../../src/api/client.ts';
import type { ChatRequest, MessageLine, StreamLine } from '../../../../src/shared/wire/streamLines.ts';

export const line = (id: string, fields: Partial<MessageLine> = {}): StreamLine => ({
  ...{ kind: 'message', id, role: 'assistant', content: id, graphPath: [], isDelta: false, isInProcess: false },
  ...fields,
});
export const user = (id: string, content: string): StreamLine => line(id, { role: 'user', content });
export const marker: StreamLine = { kind: 'cutoff', chatId: 'c', isStreaming: false };
export const state: StreamLine = { kind: 'state' };
export const usage: StreamLine = { kind: 'usage', usage: {} };

/** Lines that arrive together, or an error; a function waits for them. */
export type Batch = StreamLine[] | Error | ((signal: AbortSignal) => Promise<StreamLine[]>);

/** Waits until the request is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<StreamLine[]> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

export interface FakeClient {
  client: ChatClient;
  requests: ChatRequest[];
  /** The thread ids of abort requests. */
  aborts: string[];
}

/**
 * @param respond the batches of each response
 * @param onAbort the response to an abort request
 */
export function fakeClient(
  respond: (request: ChatRequest, index: number) => readonly Batch[],
  onAbort = (): Promise<void> => Promise.resolve(),
): FakeClient {
  const requests: ChatRequest[] = [];
  const aborts: string[] = [];
  const client = {
    async *streamBatches(request: ChatRequest, { signal }: { signal: AbortSignal }) {
      requests.push(request);
      for (const batch of respond(request, requests.length - 1)) {
        if (batch instanceof Error) throw batch;
        yield typeof batch === 'function' ? await batch(signal) : batch;
      }
    },
    abort: (chatId: string) => {
      aborts.push(chatId);
      return onAbort();
    },
  };
  return { client: client as unknown as ChatClient, requests, aborts };
}
