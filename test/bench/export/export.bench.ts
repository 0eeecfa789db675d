/** Exports all rows of a query to a CSV file, compared with other CSV writers and with writing the file alone. */
import { stringify } from 'csv-stringify/sync';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { queryAllRows, type DataBatch } from '../../../src/api/dataQuery.ts';
import { writeRows } from '../../../src/vscode/results/writeRows.ts';
import { compared, median, type Result } from '../result.ts';
import { computed } from '../support/computed.ts';
import { serveRows } from './rows.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Number of rows in the warm-up round. */
const WARM_UP = ROWS / 10;
const PIECE = 256 * 1024;

type Write = (text: string) => Promise<void>;
type Writer = (batches: AsyncIterable<DataBatch>, write: Write) => Promise<unknown>;

/** Writes batch by batch, as the documentation of each library describes for existing rows. */
const inBatches =
  (encode: (rows: unknown[][]) => string): Writer =>
  async (batches, write) => {
    let text = '';
    let isFirst = true;
    for await (const { columns, rows } of batches) {
      const all = rows as unknown[][];
      text += encode(isFirst ? [columns.map(({ name }) => name), ...all] : all);
      isFirst = false;
      if (text.length < PIECE) continue;
      await write(text);
      text = '';
    }
    await write(text);
  };

const stringifyOptions = {
  escape_formulas: true,
  record_delimiter: '\r\n',
  // By default it writes booleans as 1 and an empty string.
  cast: { boolean: String },
};

const writers: Record<string, Writer> = {
  ours: (batches, write) => writeRows(batches, 'csv', { headers: true, guardFormulas: true }, write, () => undefined),
  'csv-stringify': inBatches((rows) => stringify(rows, stringifyOptions)),
  papaparse: inBatches((rows) => `${Papa.unparse(rows, { escapeFormulae: true })}\r\n`),
  'reading alone': async (batches, write) => {
    for await (const { rows } of batches) if (rows.length === 0) await write('');
  },
};

interface Measured {
  /** Processor time of this thread in milliseconds. */
  ms: number;
  bytes: number;
  /** Live bytes, sampled over time. */
  heap: number[];
  beginning: string;
}

/** @returns megabytes of CSV per second, and the growth of memory */
export default async function bench(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'export-bench-'));
  const ms: Record<string, number[]> = {};
  const heaps: number[][] = [];
  let size = 0;
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const beginnings = new Set<string>();
      for (const [name, writer] of Object.entries(writers)) {
        const measured = await run(writer, join(folder, 'rows.csv'), round === 0 ? WARM_UP : ROWS, name === 'ours');
        if (name === 'ours') size = measured.bytes;
        if (name !== 'reading alone') beginnings.add(measured.beginning);
        if (round === 0) continue;
        (ms[name] ??= []).push(measured.ms);
        if (name === 'ours') heaps.push(measured.heap);
      }
      if (beginnings.size !== 1) throw new Error('The writers have not written the same rows.');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const speeds = Object.fromEntries(
    Object.entries(ms).map(([name, times]) => [name, times.map((time) => size / 1000 / time)]),
  );
  const ends = heaps.map((heap) => (heap.at(-1) ?? NaN) / 1e6);
  const growth = heaps.map((heap) => (heap.at(-1) ?? NaN) / (heap[0] ?? NaN));
  return [
    compared(`throughput, ${ROWS} rows to CSV`, 'MB/s', speeds),
    { name: 'memory, the end to the beginning', value: median(ends), unit: 'MB', ratio: median(growth) },
  ];
}

async function run(writer: Writer, path: string, count: number, sampleHeap: boolean): Promise<Measured> {
  const file = await open(path, 'w');
  const heap: number[] = [];
  let passed = 0;
  let pause = 0;
  async function* sampled(): AsyncGenerator<DataBatch> {
    const query = { dataQueryUrl: 'http://127.0.0.1/query', credential: { kind: 'apiKey', value: 'k' } } as const;
    const signal = new AbortController().signal;
    for await (const batch of queryAllRows('SELECT 1', { ...query, signal, fetch: serveRows(count) })) {
      passed += batch.rows.length;
      if (sampleHeap && passed >= ((heap.length + 1) * count) / 5) {
        const from = computed();
        globalThis.gc?.();
        heap.push(process.memoryUsage().heapUsed);
        pause += computed() - from;
      }
      yield batch;
    }
  }
  const start = computed();
  await writer(sampled(), async (text) => void (await file.write(text)));
  const ms = computed() - start - pause;
  await file.close();
  if (passed !== count) throw new Error(`${passed} of ${count} rows came.`);
  return { ms, bytes: (await stat(path)).size, heap, beginning: await firstRows(path) };
}

/** The first rows of a file, without quotes. */
async function firstRows(path: string): Promise<string> {
  const text = (await readFile(path, 'utf8')).slice(0, 1e6);
  return JSON.stringify(Papa.parse<string[]>(text, { preview: 2000 }).data);
}
