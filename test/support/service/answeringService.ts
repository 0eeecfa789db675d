/** A service whose answer continues while no client is connected. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { scriptedService, type ReceivedRequest, type ScriptedService } from './scriptedService.ts';

export const WORDS = Array.from({ length: 40 }, (_, index) => `word${index + 1} `);
export const WHOLE = WORDS.join('').trim();

/** An answer that continues in the service when its connection is lost; a request with its id replays it. */
class Run {
  readonly lines: object[] = [];
  #listeners = new Set<(line: object) => void>();
  #sort = 0;

  add(line: object): void {
    const numbered = { ...line, sort: this.#sort++ };
    this.lines.push(numbered);
    for (const listener of this.#listeners) listener(numbered);
  }

  stream(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const write = (line: object): void => {
      response.write(`${JSON.stringify(line)}\n`);
      if ((line as { id?: string }).id === '__state__') response.end();
    };
    this.lines.forEach(write);
    this.#listeners.add(write);
    response.on('close', () => this.#listeners.delete(write));
  }
}

export interface AnsweringService extends ScriptedService {
  /** The number of questions that were asked. */
  readonly questions: number;
  /** Adds words to the only answer. */
  say(from: number, to: number): void;
  /** Ends the only answer. */
  finish(): void;
  /** Closes all connections. */
  disconnect(): void;
  /** Forgets all questions. */
  clear(): void;
  /** Answers all requests with status 403 and this message; without one, with answers again. */
  forbid(message?: string): void;
}

export async function answeringService(): Promise<AnsweringService> {
  const runs = new Map<unknown, Run>();
  const open = new Set<ServerResponse>();
  let forbidden: string | undefined;
  const service = await scriptedService(({ body }: ReceivedRequest, response) => {
    if (forbidden !== undefined) {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message: forbidden } }));
      return;
    }
    let run = runs.get(body.messageId);
    if (!run) {
      runs.set(body.messageId, (run = new Run()));
      run.add({
        id: '__cutoff__',
        role: 'assistant',
        state: { chatId: body.chatId ?? `c${runs.size}`, isStreaming: true },
      });
      run.add({ id: body.messageId, role: 'user', content: body.input, isDelta: false });
    }
    open.add(response);
    response.on('close', () => open.delete(response));
    run.stream(response);
  });
  const onlyRun = (): Run => {
    const [run] = runs.values();
    assert.ok(run, 'no question has arrived');
    return run;
  };
  const final = { id: 'f', role: 'assistant', graphPath: ['final'] };
  return {
    ...service,
    get questions() {
      return runs.size;
    },
    say: (from, to) => {
      for (const content of WORDS.slice(from, to))
        onlyRun().add({ ...final, content, isDelta: true, isInProcess: true });
    },
    finish: () => {
      onlyRun().add({ ...final, content: WHOLE, isDelta: false, isInProcess: false });
      onlyRun().add({ id: '__state__', role: 'assistant', isDelta: false, state: { messages: [] } });
    },
    disconnect: () => {
      for (const response of open) response.destroy();
    },
    clear: () => runs.clear(),
    forbid: (message) => {
      forbidden = message;
    },
  };
}
