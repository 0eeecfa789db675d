/** Streams the agent's output at a natural pace: messages in deltas, and tool calls with their results. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageFields } from '../service/lines.ts';

const ROOT = 'svc_data_analyst_agent';
/** Duration of a tool call, in deltas. */
const TOOL_STEPS = 10;

/** Splits text into pieces of up to three words, each with the space that follows. */
function pieces(text: string): string[] {
  return text.match(/(?:\S+\s*){1,3}/g) ?? [];
}

export interface StageOptions {
  send: (fields: MessageFields) => void;
  /** Milliseconds between lines; 0 for no delay. */
  pace: number;
  /** Aborts the answer: every method then throws. */
  signal: AbortSignal;
  /** Whether to send thinking, as in development mode only. */
  showThinking: boolean;
  /** Awaited before each line, with the number of lines so far; can be used to suspend the answer. */
  beforeLine?: (count: number) => Promise<void>;
}

export class Stage {
  readonly #options: StageOptions;
  #count = 0;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  /** Sends one line after the delay. */
  async #line(fields: MessageFields, steps = 1): Promise<void> {
    const { send, pace, signal, beforeLine } = this.#options;
    if (pace > 0) await delay(pace * steps, undefined, { signal });
    await beforeLine?.(this.#count);
    signal.throwIfAborted();
    this.#count += 1;
    send(fields);
  }

  /** Sends thinking in a separate message without content. */
  async think(text: string): Promise<void> {
    if (!this.#options.showThinking) return;
    const message = { id: randomUUID(), role: 'assistant', graphPath: [ROOT] } as const;
    for (const thinking of pieces(text))
      await this.#line({ ...message, content: '', thinking, isDelta: true, isInProcess: true });
    await this.#line({ ...message, content: '', thinking: '', isDelta: false, isInProcess: false });
  }

  /** Sends text in deltas, then as a complete message. */
  async say(text: string): Promise<void> {
    const message = { id: randomUUID(), role: 'assistant', graphPath: [ROOT] } as const;
    for (const content of pieces(text))
      await this.#line({ ...message, content, thinking: '', isDelta: true, isInProcess: true });
    await this.#line({ ...message, content: text, thinking: '', isDelta: false, isInProcess: false });
  }

  /**
   * Sends a tool call: its start, then its result under the same id.
   * @param work runs the tool; an error that it throws becomes the `error` of the result
   * @returns the value of `work`, or the error
   */
  async tool<T>(name: string, input: object, work: () => Promise<{ value: T; result: object }>): Promise<T | Error> {
    const message = {
      id: randomUUID(),
      role: 'assistant',
      content: '',
      graphPath: [ROOT, 'tools'],
      isDelta: false,
    } as const;
    const call = { name, input: JSON.stringify(input) };
    await this.#line({ ...message, toolCall: call, isInProcess: true });
    const outcome = await work().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    const result = outcome instanceof Error ? { error: outcome.message } : outcome.result;
    await this.#line(
      { ...message, toolCall: { ...call, result: JSON.stringify(result) }, isInProcess: false },
      TOOL_STEPS,
    );
    return outcome instanceof Error ? outcome : outcome.value;
  }

  /** Sends the consolidated answer (3.4). */
  async final(content: string): Promise<void> {
    await this.#line({
      id: randomUUID(),
      role: 'assistant',
      content,
      thinking: '',
      graphPath: ['final'],
      isDelta: false,
      isInProcess: false,
      isStructuredResponse: false,
    });
  }
}
