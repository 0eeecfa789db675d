/** Queues faults for the next requests, and parses faults in questions. */
import { MAIN_BRANCH } from '../semantic/branchFiles.ts';
import type { FaultSpec } from './spec.ts';

const kebab = (word: string): string => word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function readValue(text: string | undefined): unknown {
  if (text === undefined) return true;
  try {
    return JSON.parse(text);
  } catch {
    return text.includes(',') ? text.split(',') : text;
  }
}

/**
 * Extracts faults from a question: `[fault:cut-after=200]`; several go in separate brackets.
 * @returns the question without the faults, and the faults
 */
export function faultsInQuestion(question: string): { question: string; fault?: FaultSpec } {
  const fault: Record<string, unknown> = {};
  const rest = question.replace(/\s*\[fault:\s*([\w-]+)(?:=([^\]]*))?\]/gi, (_, name: string, value?: string) => {
    fault[kebab(name)] = readValue(value);
    return '';
  });
  if (typeof fault['payload'] === 'string') fault['payload'] = [fault['payload']];
  return Object.keys(fault).length === 0 ? { question } : { question: rest.trim(), fault };
}

export class FaultQueue {
  #waiting: { spec: FaultSpec; left: number }[] = [];

  add(spec: FaultSpec): void {
    this.#waiting.push({ spec, left: spec.requests ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Consumes one use of the oldest fault for this endpoint. @returns the fault */
  next(endpoint: NonNullable<FaultSpec['endpoint']>): FaultSpec {
    return this.#use((spec) => spec.badBranch === undefined && (spec.endpoint ?? 'stream') === endpoint) ?? {};
  }

  /** Consumes one use of the oldest fault for a request on this branch. @returns whether there is one */
  refuses(branch = MAIN_BRANCH): boolean {
    return this.#use((spec) => spec.badBranch === branch) !== undefined;
  }

  #use(isWanted: (spec: FaultSpec) => boolean): FaultSpec | undefined {
    const entry = this.#waiting.find(({ spec }) => isWanted(spec));
    if (!entry) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== entry);
    return entry.spec;
  }
}
