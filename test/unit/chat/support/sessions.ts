/** Sessions with a local service and a real or simulated clock. */
import { ChatClient, type ChatError, type Credential } from '../../../../src/api/client.ts';
import { ChatSession, type Message } from '../../../../src/chat/session/chatSession.ts';
import { systemClock, type Clock } from '../../../../src/chat/session/clock.ts';
import type { StreamLine } from '../../../../src/shared/wire/streamLines.ts';
import type { Connect, Connection } from '../../../../src/chat/connection/connection.ts';
import {
  emptyThread,
  type QuestionContext,
  type Thread,
  type ThreadEvent,
} from '../../../../src/shared/thread/model.ts';
import { shownTurns } from '../../../../src/shared/thread/turns.ts';
import { flat } from '../../../support/item.ts';

export const context: QuestionContext = { branch: '', isDefaultBranch: true, identity: 'dev' };
export const message = (text = 'revenue?'): Message => ({ text, images: [] });

export interface Opened {
  session: ChatSession;
  events: ThreadEvent[];
  unsent: Message[];
  failures: ChatError[];
}

export interface Opening {
  url: string;
  thread?: Thread;
  clock?: Clock;
  stallTimeout?: number;
  stopPatience?: number | undefined;
  credential?: Credential;
  connect?: Connect;
  context?: () => QuestionContext | undefined;
  fetch?: typeof fetch;
  onLine?: (line: StreamLine, text: string) => void;
  onEvents?: (events: readonly ThreadEvent[]) => void;
}

export function connectionTo(
  { url, stallTimeout = 60_000, credential, fetch, onLine }: Opening,
  to = context,
): Connection {
  const client = new ChatClient({
    chatApiUrl: url,
    credential: credential ?? { kind: 'apiKey', value: 'k' },
    ...(fetch ? { fetch } : {}),
    ...(onLine ? { onLine } : {}),
  });
  return { client, sessionSettings: { externalId: 'dev' }, context: to, stallTimeout };
}

export function open(opening: Opening): Opened {
  const events: ThreadEvent[] = [];
  const unsent: Message[] = [];
  const failures: ChatError[] = [];
  const session = new ChatSession({
    thread: opening.thread ?? emptyThread('t'),
    ...(opening.context ? { context: opening.context } : {}),
    connect: opening.connect ?? ((to) => Promise.resolve(connectionTo(opening, to))),
    onEvents: (more) => {
      events.push(...more);
      opening.onEvents?.(more);
    },
    onUnsent: (each) => unsent.push(each),
    onFailure: (error) => failures.push(error),
    clock: opening.clock ?? systemClock,
    stopPatience: opening.stopPatience,
  });
  return { session, events, unsent, failures };
}

/** A clock on which every timeout elapses at once. */
export function instantClock(random: () => number = () => 0.5): Clock & { waits: number[]; time: number } {
  const clock = {
    waits: [] as number[],
    time: 1_700_000_000_000,
    now: () => clock.time,
    random,
    sleep: async (ms: number, _signal?: AbortSignal) => {
      clock.waits.push(ms);
      clock.time += ms;
      await new Promise(setImmediate);
    },
  };
  return clock;
}

export const answerOf = ({ thread }: ChatSession): string | undefined => shownTurns(thread).at(-1)?.answer?.content;
export const outcomeOf = ({ thread }: ChatSession): string | undefined =>
  flat(thread).findLast(({ role }) => role === 'user')?.outcome?.state;
