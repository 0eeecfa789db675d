/**
 * Cuts a connection again and again during an answer: measures how soon the answer continues, and whether anything is
 * lost.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ChatClient } from '../../../src/api/client.ts';
import { ChatSession } from '../../../src/chat/session/chatSession.ts';
import type { Clock } from '../../../src/chat/session/clock.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { shownTurns } from '../../../src/shared/thread/turns.ts';
import { median, quantile, type Result } from '../result.ts';

const CUTS = Number(process.env.BENCH_CUTS ?? 1050);
const CUTS_PER_ANSWER = 20;
const TRIPS_PER_ANSWER = 5;
const words = Array.from({ length: 200 }, (_, at) => `word${at} `);
const text = words.join('');

/** Skips the waiting time, because the backoff is not measured. */
const clock: Clock = { now: () => Date.now(), random: () => 0, sleep: () => Promise.resolve() };

/**
 * @returns milliseconds from each cut to the next line of the answer, compared with one round trip; characters lost or
 * duplicated
 */
export default async function bench(): Promise<Result[]> {
  let cutAt = 0;
  let cuts = 0;
  const waits: number[] = [];
  const trips: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(response, JSON.parse(Buffer.concat(chunks).toString()) as { messageId: string }));
  });
  const answer = (response: ServerResponse, { messageId }: { messageId: string }): void => {
    const line = (fields: object): boolean => response.write(`${JSON.stringify({ role: 'assistant', ...fields })}\n`);
    const id = `f-${messageId}`;
    const cut = cuts % (CUTS_PER_ANSWER + 1);
    const last = cut === CUTS_PER_ANSWER ? words.length : Math.ceil(((cut + 1) * words.length) / (CUTS_PER_ANSWER + 1));
    cuts += 1;
    line({ id: '__cutoff__', sort: 0, state: { chatId: 'c', isStreaming: true } });
    for (const [at, content] of words.slice(0, last).entries())
      line({ id, content, graphPath: ['final'], isDelta: true, isInProcess: true, sort: at + 1 });
    if (last < words.length) return void setImmediate(() => response.destroy());
    line({ id, content: text, graphPath: ['final'], isDelta: false, isInProcess: false, sort: 999 });
    line({ id: '__state__', state: { messages: [] } });
    response.end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chatApiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new ChatClient({ chatApiUrl, credential: { kind: 'apiKey', value: 'k' } });
  const context = { branch: '', isDefaultBranch: true, identity: 'bench' };
  let wrong = 0;
  try {
    while (cuts < CUTS) {
      const session = new ChatSession({
        thread: emptyThread('bench'),
        clock,
        connect: () =>
          Promise.resolve({ client, context, sessionSettings: { externalId: 'bench' }, stallTimeout: 60_000 }),
        onUnsent: () => undefined,
        onEvents: (events) => {
          if (events.some(({ type }) => type === 'attached')) cutAt = performance.now();
          else if (cutAt > 0 && events.some(({ type }) => type === 'line')) {
            waits.push(performance.now() - cutAt);
            cutAt = 0;
          }
        },
      });
      await session.send({ text: 'question', images: [] });
      const got = shownTurns(session.thread).at(-1)?.answer?.content ?? '';
      if (got !== text) wrong += Math.max(1, Math.abs(got.length - text.length));
      const counted = cuts;
      for (let at = 0; at < TRIPS_PER_ANSWER; at++) trips.push(await roundTrip(chatApiUrl));
      cuts = counted;
    }
    const trip = median(trips);
    const [middle, late] = [median(waits), quantile(waits, 0.95)];
    return [
      { name: 'one round trip, median', value: trip, unit: 'ms', ratio: 1 },
      { name: 'from reachable to streaming, median', value: middle, unit: 'ms', ratio: middle / trip },
      { name: 'from reachable to streaming, p95', value: late, unit: 'ms', ratio: late / trip },
      { name: `characters lost or doubled in ${waits.length} cuts`, value: wrong, unit: 'characters' },
    ];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** @returns milliseconds of a bare request to the same service, up to its first chunk */
async function roundTrip(url: string): Promise<number> {
  const from = performance.now();
  const response = await fetch(`${url}/chat/stream-chat-state`, { method: 'POST', body: '{"messageId":"x"}' });
  const reader = response.body?.getReader();
  await reader?.read();
  const time = performance.now() - from;
  await reader?.cancel().catch(() => undefined);
  return time;
}
