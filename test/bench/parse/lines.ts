/** Realistic lines of answers for the parsing benchmarks; deterministic. */
import { seeded } from '../../support/random.ts';

const words = (
  'Revenue orders customers by month region grew fell compared with last year because returns of category Home the a ' +
  'of and in was were most least total average share which than higher lower quarter first second growth per cent'
).split(' ');
/** Some characters of two, three and four bytes, as in real answers. */
const rare = ['Électronique', 'naïve', '東京', '🙂', '→', '€'];

/**
 * The lines of successive answers: a question, reasoning, a search, a query with 100 rows, the answer in deltas.
 * @param deltas content deltas of each answer
 */
export function* answerLines(deltas: number, seed = 1): Generator<object, never, undefined> {
  const random = seeded(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const phrase = (): string => Array.from({ length: 4 }, () => pick(random() < 0.01 ? rare : words)).join(' ');
  const agent = ['svc_data_analyst_agent'];
  for (let answer = 0, sort = 0; ; answer += 1, sort = 0) {
    const question = `${1_700_000_000_000 + answer}-message`;
    const line = (fields: object): object => ({ role: 'assistant', ...fields, sort: (sort += 1) });
    yield { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'thread-1', isStreaming: false } };
    yield line({ id: question, role: 'user', content: phrase(), isDelta: false, isInProcess: false, graphPath: [] });
    const delta = (id: string, fields: object, graphPath: string[]): object =>
      line({ id, ...fields, graphPath, isDelta: true, isInProcess: true, isStructuredResponse: false });
    for (let at = 0; at < deltas / 10; at += 1)
      yield delta(`think-${answer}`, { content: '', thinking: ` ${phrase()}` }, agent);
    const tool = { id: `tool-${answer}`, content: '', graphPath: [...agent, 'tools'], isDelta: false };
    const input = JSON.stringify({ sqlQuery: `SELECT month, MEASURE(revenue) FROM orders -- ${phrase()}` });
    yield line({ ...tool, isInProcess: true, toolCall: { name: 'svcSqlApi', input } });
    const data = Array.from({ length: 100 }, (_, row) => [`2024-${row}`, (random() * 1e6).toFixed(2), phrase()]);
    const result = JSON.stringify({ schema: [{ name: 'month', column_type: 'time' }], data, totalRows: 12_345 });
    yield line({ ...tool, isInProcess: false, toolCall: { name: 'svcSqlApi', input, result } });
    let content = '';
    for (let at = 0; at < deltas; at += 1) {
      const piece = ` ${phrase()}`;
      content += piece;
      yield delta(`final-${answer}`, { content: piece, thinking: '' }, ['final']);
    }
    yield line({ id: `final-${answer}`, content, graphPath: ['final'], isDelta: false, isInProcess: false });
    yield { id: '__state__', role: 'assistant', isDelta: false, state: { messages: [{ type: 'human' }] } };
  }
}

/** @returns lines of about `bytes` bytes in total, each terminated by a newline */
export function linesOfBytes(bytes: number, deltas = 400): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const line of answerLines(deltas)) {
    const part = encoder.encode(`${JSON.stringify(line)}\n`);
    parts.push(part);
    size += part.length;
    if (size >= bytes) break;
  }
  return Buffer.concat(parts);
}

/** @returns the bytes in pieces of about `size`, cut anywhere, including inside characters */
export function chunksOf(bytes: Uint8Array, size: number, seed = 2): Uint8Array[] {
  const random = seeded(seed);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = Math.min(bytes.length, at + Math.ceil(size * (0.5 + random())));
    chunks.push(bytes.slice(at, next));
    at = next;
  }
  return chunks;
}
