/** Where the agent's words go: messages in deltas, tool calls with their results, at a natural pace. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageFields } from '../service/lines.ts';

const ROOT = 'svc_data_analyst_agent';
/** A tool takes as long as this many deltas. */
const TOOL_STEPS = 10;

/** Cuts text where a model would: every two or three words, with the space that follows. */
function pieces(text: string): string[] {
  return text.match(/(?:\S+\s*){1,3}/g) ?? [];
}

export interface StageOptions {
  send: (fields: MessageFields) => void;
  /** Milliseconds from line to line; 0 for as fast as it goes. */
  pace: number;
  /** Ends the performance: every method then throws. */
  signal: AbortSignal;
  /** Reasoning is sent in development mode only. */
  showThinking: boolean;
  /** Called before each line with how many there were: what waits here parks the answer. */
  beforeLine?: (count: number) => Promise<void>;
}

export class Stage {
  readonly #options: StageOptions;
  #count = 0;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  /** Sends one line after its pause. */
  async #line(fields: MessageFields, steps = 1): Promise<void> {
    const { send, pace, signal, beforeLine } = this.#options;
    if (pace > 0) await delay(pace * steps, undefined, { signal });
    await beforeLine?.(this.#count);
    signal.throwIfAborted();
    this.#count += 1;
    send(fields);
  }

  /** Reasoning, in a message of its own without content. */
  async think(text: string): Promise<void> {
    if (!this.#options.showThinking) return;
    const message = { id: randomUUID(), role: 'assistant', graphPath: [ROOT] } as const;
    for (const thinking of pieces(text))
      await this.#line({ ...message, content: '', thinking, isDelta: true, isInProcess: true });
    await this.#line({ ...message, content: '', thinking: '', isDelta: false, isInProcess: false });
  }

  /** Text, in deltas and then whole. */
  async say(text: string): Promise<void> {
    const message = { id: randomUUID(), role: 'assistant', graphPath: [ROOT] } as const;
    for (const content of pieces(text))
      await this.#line({ ...message, content, thinking: '', isDelta: true, isInProcess: true });
    await this.#line({ ...message, content: text, thinking: '', isDelta: false, isInProcess: false });
  }

  /**
   * A tool call: its start, then its result under the same id.
   * @param work does what the tool does; what it throws becomes the `error` of the result
   * @returns what `work` returned, or `undefined` when it failed
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

  /** The consolidated answer (3.4). */
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
