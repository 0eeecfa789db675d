/** Threads: who owns them, what was said in them, and which answer is being made. */
import { randomUUID } from 'node:crypto';
import type { Intent } from '../agent/intent.ts';
import { consolidate, type Line, type MessageFields } from './lines.ts';
import { Run } from './run.ts';

export class Thread {
  readonly chatId: string;
  readonly owner: string;
  readonly runs: Run[] = [];
  /** What the last question asked, for follow-ups. */
  lastIntent: Intent | undefined;
  #sort = 0;

  constructor(owner: string) {
    this.chatId = randomUUID();
    this.owner = owner;
  }

  get activeRun(): Run | undefined {
    return this.runs.find(({ ended }) => !ended);
  }

  runFor(messageId: string): Run | undefined {
    return this.runs.find((run) => run.messageId === messageId);
  }

  start(messageId: string): Run {
    const run = new Run(messageId);
    this.runs.push(run);
    return run;
  }

  /** @returns the line with the thread's next `sort` */
  sorted(fields: MessageFields | Line): Line {
    return { ...fields, sort: (this.#sort += 1) };
  }

  history(): Line[] {
    return this.runs.flatMap(({ lines }) => consolidate(lines));
  }

  /** The last line of a stream, with the whole thread in the agent framework's own form. */
  stateLine(): Line {
    const messages = this.history().map((line) => ({
      lc: 1,
      type: 'constructor',
      id: [
        'core',
        'messages',
        line['role'] === 'user' ? 'HumanMessage' : line['toolCall'] ? 'ToolMessage' : 'AIMessage',
      ],
      kwargs: { id: line['id'], content: line['content'] ?? '' },
    }));
    return this.sorted({ id: '__state__', role: 'assistant', isDelta: false, isInProcess: false, state: { messages } });
  }
}

export class ThreadStore {
  readonly #threads = new Map<string, Thread>();

  create(owner: string): Thread {
    const thread = new Thread(owner);
    this.#threads.set(thread.chatId, thread);
    return thread;
  }

  get(chatId: string): Thread | undefined {
    return this.#threads.get(chatId);
  }

  /** The thread a message of this user went to: a client whose first stream broke early never learned its id. */
  withMessage(owner: string, messageId: string): Thread | undefined {
    return [...this.#threads.values()].find((thread) => thread.owner === owner && thread.runFor(messageId));
  }

  /** Stops every answer that is being made. */
  stopAll(): void {
    for (const thread of this.#threads.values()) thread.activeRun?.abort();
  }

  /** Removes a user's threads; answers still being made are stopped. */
  removeOf(owner: string): void {
    for (const [chatId, thread] of this.#threads) {
      if (thread.owner !== owner) continue;
      thread.activeRun?.abort();
      this.#threads.delete(chatId);
    }
  }
}
