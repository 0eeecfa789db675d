/** An in-memory data query service that returns the bytes of a response. */
import { seeded } from '../../support/random.ts';

const BATCH = 1000;
const BLOCKS = 50;

const schema = [
  { name: 'order_id', column_type: 'number' },
  { name: 'created_at', column_type: 'time' },
  { name: 'city', column_type: 'string' },
  { name: 'note', column_type: 'string' },
  { name: 'revenue', column_type: 'number' },
  { name: 'quantity', column_type: 'number' },
  { name: 'is_returned', column_type: 'boolean' },
];
const cities = ['Zürich', 'New York', 'São Paulo', 'Nagoya', 'Cape Town', 'Łódź'];
const notes = ['', 'gift, wrapped', 'said "no rush"', 'second line\nfollows', 'plain', '=SUM(A1:A9)'];

function makeBlocks(): Uint8Array[] {
  const random = seeded(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  const encoder = new TextEncoder();
  return Array.from({ length: BLOCKS }, (_, block) => {
    const data = Array.from({ length: BATCH }, (_unused, at) => [
      block * BATCH + at,
      new Date(1.7e12 + below(1e9)).toISOString(),
      cities[below(cities.length)],
      notes[below(notes.length)],
      `${below(100_000)}.${below(90) + 10}`,
      below(20),
      below(2) === 0,
    ]);
    return encoder.encode(`${JSON.stringify({ data })}\n`);
  });
}

let blocks: readonly Uint8Array[] | undefined;

/** @returns a `fetch` whose response has this many rows */
export function serveRows(count: number): typeof fetch {
  const all = (blocks ??= makeBlocks());
  return () => {
    let sent = -1;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent < 0) controller.enqueue(new TextEncoder().encode(`${JSON.stringify({ schema })}\n`));
          else if (sent * BATCH < count) controller.enqueue((all[sent % BLOCKS] as Uint8Array).slice());
          else controller.close();
          sent += 1;
        },
      },
      { highWaterMark: 2 },
    );
    return Promise.resolve(new Response(body));
  };
}
