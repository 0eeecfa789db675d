/** A service whose answers a test writes line by line while the editor shows them. */
import type { ServerResponse } from 'node:http';
import { scriptedService, type ReceivedRequest, type ScriptedService } from './scriptedService.ts';

const DATA_ANALYST = 'svc_data_analyst_agent';

/** The response to one request, controlled by the test. */
export class Written {
  readonly body: Record<string, unknown>;
  readonly #response: ServerResponse;
  #sort = 0;

  constructor({ body }: ReceivedRequest, response: ServerResponse) {
    this.body = body;
    this.#response = response;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    this.line({ id: '__cutoff__', role: 'assistant', state: { chatId: body.chatId ?? 'c1', isStreaming: true } });
    if (body.input !== undefined) this.line({ id: body.messageId, role: 'user', content: body.input, isDelta: false });
  }

  /** Sends one line, or several in one chunk; each gets the next `sort`. */
  line(...lines: object[]): void {
    const text = lines.map((line) => `${JSON.stringify({ sort: this.#sort++, ...line })}\n`);
    this.#response.write(text.join(''));
  }

  think(id: string, thinking: string): void {
    this.line({
      id,
      role: 'assistant',
      content: '',
      thinking,
      graphPath: [DATA_ANALYST],
      isDelta: true,
      isInProcess: true,
    });
  }

  /** Sends a tool call; without `result`, only its start. */
  tool(id: string, name: string, input: unknown, result?: unknown): void {
    const json = (value: unknown): unknown => (typeof value === 'string' ? value : JSON.stringify(value));
    this.line({
      id,
      role: 'assistant',
      content: '',
      graphPath: [DATA_ANALYST, 'tools'],
      isDelta: result !== undefined,
      isInProcess: result === undefined,
      toolCall: { name, input: json(input), ...(result === undefined ? {} : { result: json(result) }) },
    });
  }

  /** Sends a delta of the final answer. */
  say(content: string, id = 'final'): void {
    this.line({ id, role: 'assistant', content, graphPath: ['final'], isDelta: true, isInProcess: true });
  }

  /** Sends the complete final answer, and ends the stream. */
  answer(content: string, id = `final of ${String(this.body.messageId)}`): void {
    this.line({ id, role: 'assistant', content, graphPath: ['final'], isDelta: false, isInProcess: false });
    this.end();
  }

  end(...lines: object[]): void {
    this.line({ id: '__state__', role: 'assistant', isDelta: false, state: { messages: [] } }, ...lines);
    this.#response.end();
  }
}

export interface WrittenService extends ScriptedService {
  /** Resolves with the response to the next request once it has arrived. */
  next(): Promise<Written>;
  /** Discards requests that no test has awaited, for example after a failure. */
  forget(): void;
}

export async function writtenService(): Promise<WrittenService> {
  const arrived: Written[] = [];
  const waiting: ((written: Written) => void)[] = [];
  const service = await scriptedService((request, response) => {
    const written = new Written(request, response);
    const first = waiting.shift();
    if (first) first(written);
    else arrived.push(written);
  });
  return {
    ...service,
    forget: () => void arrived.splice(0),
    next: () =>
      new Promise((resolve) => {
        const first = arrived.shift();
        if (first) resolve(first);
        else waiting.push(resolve);
      }),
  };
}
