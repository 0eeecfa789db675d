/** Threads with their owner, history and active run. */
import { randomUUID } from 'node:crypto';
import type { Intent } from '../agent/question/intent.ts';
import type { Branch } from './branches.ts';
import { consolidate, type Line, type MessageFields } from './lines.ts';
import { Run } from './run.ts';

export class Thread {
  readonly chatId: string;
  readonly owner: string;
  readonly runs: Run[] = [];
  /** The intent of the last question, for follow-ups. */
  lastIntent: Intent | undefined;
  /** That of the first question, if the service refuses others. */
  branch: Branch | undefined;
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

  /** Assigns the thread's next `sort` to a line. */
  sorted(fields: MessageFields | Line): Line {
    return { ...fields, sort: (this.#sort += 1) };
  }

  history(): Line[] {
    return this.runs.flatMap(({ lines }) => consolidate(lines));
  }

  /** The last line of a stream, with the state of the thread in the format of the agent framework. */
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

  /** Finds the thread of a message, for a client whose first stream broke before it received the thread's id. */
  withMessage(owner: string, messageId: string): Thread | undefined {
    return [...this.#threads.values()].find((thread) => thread.owner === owner && thread.runFor(messageId));
  }

  /** Aborts all active runs. */
  stopAll(): void {
    for (const thread of this.#threads.values()) thread.activeRun?.abort();
  }

  /** Removes the threads of a user, and aborts their active runs. */
  removeOf(owner: string): void {
    for (const [chatId, thread] of this.#threads) {
      if (thread.owner !== owner) continue;
      thread.activeRun?.abort();
      this.#threads.delete(chatId);
    }
  }
}
