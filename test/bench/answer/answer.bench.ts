/**
 * Measures what we add between a question and the first words of its answer, compared with a bare request for the same
 * bytes: for a session alone, and for the real VS Code from the key press to the paint.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ChatClient } from '../../../src/api/client.ts';
import { ChatSession } from '../../../src/chat/session/chatSession.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { shownTurns } from '../../../src/shared/thread/turns.ts';
import { compared, median, profileOf, type Parts, type Result } from '../result.ts';
import { askingEditor, type Answered } from './editor.ts';

const ROUNDS = Number(process.env['BENCH_ANSWERS'] ?? 300);
const WARM_UP = 30;
/** Number of rounds in the editor, where times are longer and vary more. */
const EDITOR_ROUNDS = 30;
const EDITOR_WARM_UP = 5;
const words = 'Revenue grew. ';

type Samples = Record<'ours' | 'bare fetch', number[]>;
type InEditor = Samples & Record<'bare extension', number[]>;

/** @returns milliseconds of each, and the differences */
export default async function bench(): Promise<Result[]> {
  let answers = 0;
  let askedAt = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      askedAt = performance.timeOrigin + performance.now();
      const line = (fields: object): boolean => response.write(`${JSON.stringify({ role: 'assistant', ...fields })}\n`);
      const answer = { id: `final ${(answers += 1)}`, graphPath: ['final'] };
      line({ id: '__cutoff__', sort: 0, state: { chatId: 'c', isStreaming: true } });
      line({ ...answer, content: words, isDelta: true, isInProcess: true, sort: 1 });
      line({ ...answer, content: words, isDelta: false, isInProcess: false, sort: 2 });
      line({ id: '__state__', state: { messages: [] } });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const samples: Samples = { ours: [], 'bare fetch': [] };
  const inEditor: InEditor = { ours: [], 'bare fetch': [], 'bare extension': [] };
  const ways: Record<string, Parts[]> = { ours: [], 'bare extension': [] };
  try {
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const [ours, bare] = [await asked(url), await fetched(url)];
      if (round < 0) continue;
      samples.ours.push(ours);
      samples['bare fetch'].push(bare);
    }
    const editor = await askingEditor(url, words.trim());
    try {
      for (let round = -EDITOR_WARM_UP; round < EDITOR_ROUNDS; round += 1) {
        for (const name of ['ours', 'bare extension'] as const) {
          const answered = await editor[name]();
          if (round < 0) continue;
          inEditor[name].push(answered.painted - answered.sent);
          ways[name]?.push(wayOf(answered, askedAt));
        }
        const bare = await fetched(url);
        if (round >= 0) inEditor['bare fetch'].push(bare);
      }
    } finally {
      await editor.stop();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const added = (all: Samples): number => median(all.ours) - median(all['bare fetch']);
  return [
    compared('send to the first words, in a session', 'ms', samples),
    { name: 'added by a session', value: added(samples), unit: 'ms' },
    compared('send to the first words painted, in the editor', 'ms', inEditor),
    { name: 'added in the editor', value: added(inEditor), unit: 'ms', profile: profileOf('ms', ways) },
    {
      name: 'added in the editor, over a bare extension',
      value: median(inEditor.ours) - median(inEditor['bare extension']),
      unit: 'ms',
    },
  ];
}

/** @param askedAt when the service received the question */
const wayOf = ({ sent, heard, painted }: Answered, askedAt: number): Parts => ({
  'from the key to the service': askedAt - sent,
  'from the service to the page': heard - askedAt,
  'from there to the paint': painted - heard,
});

/** Milliseconds until the thread of a session contains the first words. */
async function asked(chatApiUrl: string): Promise<number> {
  const client = new ChatClient({ chatApiUrl, credential: { kind: 'apiKey', value: 'k' } });
  const context = { branch: '', isDefaultBranch: true, identity: 'bench' };
  let first: number | undefined;
  const session = new ChatSession({
    thread: emptyThread('bench'),
    connect: () => Promise.resolve({ client, context, sessionSettings: { externalId: 'bench' }, stallTimeout: 60_000 }),
    onUnsent: () => undefined,
    onEvents: (_, { thread }) => {
      if (shownTurns(thread).at(-1)?.answer?.content === words) first ??= performance.now();
    },
  });
  const start = performance.now();
  await session.send({ text: 'question', images: [] });
  if (first === undefined) throw new Error('The session has no answer.');
  return first - start;
}

/** Milliseconds until a bare request has received them. */
async function fetched(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/chat/stream-chat-state`, { method: 'POST', body: '{"messageId":"x"}' });
  const decoder = new TextDecoder();
  let text = '';
  let first: number | undefined;
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes(words)) first ??= performance.now();
  }
  if (first === undefined) throw new Error('The request has no answer.');
  return first - start;
}
