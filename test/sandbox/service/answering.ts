/** Answers a message: starts a run, to which the agent adds lines. */
import { Agent } from '../agent/agent.ts';
import { Stage } from '../agent/stage.ts';
import { faultsInQuestion } from '../faults/queue.ts';
import type { FaultSpec } from '../faults/spec.ts';
import type { RowFilter } from '../semantic/relation.ts';
import type { Branch } from './branches.ts';
import { usageLine } from './lines.ts';
import type { Run } from './run.ts';
import type { Service } from './service.ts';
import type { Thread } from './threads.ts';

export interface Message {
  messageId: string;
  input: string;
  imageCount: number;
}

/** @returns the run, which continues in the background */
export function startRun(
  service: Service,
  thread: Thread,
  branch: Branch,
  message: Message,
  filters: readonly RowFilter[],
  fault: FaultSpec,
): Run {
  const run = thread.start(message.messageId);
  const echo = {
    id: message.messageId,
    role: 'user',
    content: message.input,
    isDelta: false,
    isInProcess: false,
  } as const;
  run.push(thread.sorted(echo));
  void perform(service, thread, branch, message, filters, fault, run);
  return run;
}

async function perform(
  service: Service,
  thread: Thread,
  branch: Branch,
  { input, imageCount }: Message,
  filters: readonly RowFilter[],
  fault: FaultSpec,
  run: Run,
): Promise<void> {
  let written = 0;
  const stage = new Stage({
    send: (fields) => {
      written += (fields.content?.length ?? 0) + (fields.thinking?.length ?? 0);
      run.push(thread.sorted(fields));
    },
    // Send filler deltas without delay.
    pace: fault.pace ?? (fault.flood === undefined ? service.pace : 0),
    signal: run.signal,
    showThinking: service.developmentMode,
    beforeLine: async (count) => {
      if (count === fault.suspendAfter) await run.suspend();
      if (count === fault.abortAfter) run.abort();
    },
  });
  try {
    const lexicon = await branch.lexicon();
    const engine = branch.engine(filters);
    const agent = new Agent({
      model: branch.model,
      lexicon,
      engine,
      stage,
      toolError: fault.toolError,
      odd: typeof fault.odd === 'string' ? { kind: fault.odd, seed: 0 } : fault.odd,
      flood: fault.flood,
    });
    const text = faultsInQuestion(input).question;
    thread.lastIntent = await agent.answer({ text, imageCount, previous: thread.lastIntent });
    if (run.ended) return;
    run.push(thread.stateLine());
    run.push(usageLine({ input: input.length, output: written }, true));
  } catch (error) {
    if (!run.signal.aborted) run.push({ error: `Error: ${error instanceof Error ? error.message : String(error)}` });
  } finally {
    run.end();
  }
}
