/**
 * Compares parsing with other readers of newline-delimited JSON and with the limit: `JSON.parse` of lines that are
 * already split.
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NdjsonParser } from '../../../src/api/ndjson.ts';
import type { Profile, Result } from '../result.ts';
import { computed } from '../support/computed.ts';
import { inFunctions } from '../support/cpu.ts';
import { chunksOf, linesOfBytes } from './lines.ts';

const MEGABYTES = Number(process.env.BENCH_MB ?? 60);
/** Number of measurements of each reader after one warm-up; the best counts. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Slow readers read only the beginning, so that a round takes seconds. */
const SLOW_SHARE = 0.1;

type Reader = (chunks: readonly Uint8Array[]) => Promise<number> | number;

interface Contender {
  read: Reader;
  slow?: boolean;
}

/** Reads chunks like our client: each as it arrives. */
function ours(chunks: readonly Uint8Array[]): number {
  const parser = new NdjsonParser();
  let lines = 0;
  for (const chunk of chunks) lines += parser.push(chunk).length;
  return lines + parser.flush().length;
}

/** @returns the complete lines of each chunk, including the rest of the previous one, without their last newline */
function blocksOf(bytes: Uint8Array, chunks: readonly Uint8Array[]): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  let [from, end] = [0, 0];
  for (const { length } of chunks) {
    end += length;
    const newline = bytes.lastIndexOf(10, end - 1);
    if (newline < from) continue;
    blocks.push(bytes.subarray(from, newline));
    from = newline + 1;
  }
  return blocks;
}

/** The minimum work on complete lines. */
function decodeAndParse(blocks: readonly Uint8Array[]): number {
  const decoder = new TextDecoder();
  let lines = 0;
  for (const block of blocks) {
    const text = decoder.decode(block);
    for (let from = 0; from < text.length; lines += 1) {
      const newline = text.indexOf('\n', from);
      const to = newline < 0 ? text.length : newline;
      JSON.parse(text.slice(from, to));
      from = to + 1;
    }
  }
  return lines;
}

async function contenders(): Promise<Record<string, Contender>> {
  const { default: split2 } = await import('split2');
  const { default: ndjson } = await import('ndjson');
  const { default: readNdjson } = await import('ndjson-readablestream');
  const { default: jsonl } = await import('stream-chain/jsonl/parserStream.js');
  const counted = async (chunks: readonly Uint8Array[], through: NodeJS.ReadWriteStream): Promise<number> => {
    let lines = 0;
    through.on('data', () => (lines += 1));
    await pipeline(Readable.from(chunks), through);
    return lines;
  };
  return {
    ours: { read: ours },
    split2: { read: (chunks) => counted(chunks, split2(JSON.parse)) },
    ndjson: { read: (chunks) => counted(chunks, ndjson.parse()) },
    'stream-json': { read: (chunks) => counted(chunks, jsonl()), slow: true },
    readline: {
      read: async (chunks) => {
        let lines = 0;
        for await (const line of createInterface({ input: Readable.from(chunks) })) if (JSON.parse(line)) lines += 1;
        return lines;
      },
    },
    'ndjson-readablestream': {
      read: async (chunks) => {
        let lines = 0;
        for await (const value of readNdjson(Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>))
          if (value) lines += 1;
        return lines;
      },
      slow: true,
    },
  };
}

interface Measured {
  /** Best throughput of all rounds in MB/s. */
  best: ReadonlyMap<string, number>;
  profile: Profile;
}

/** Measures each reader in turn. */
async function measure(size: number): Promise<Measured> {
  const bytes = linesOfBytes(MEGABYTES * 1e6);
  const split = Buffer.from(bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line).toString());
  const chunks = chunksOf(bytes, size);
  const blocks = blocksOf(bytes, chunks);
  const beginning = chunksOf(linesOfBytes(MEGABYTES * 1e6 * SLOW_SHARE), size);
  const shareOf = (part: readonly Uint8Array[]): number => part.reduce((sum, { length }) => sum + length, 0) / 1e6;
  const shares = { all: shareOf(chunks), beginning: shareOf(beginning) };
  const best = new Map<string, number>();
  const note = (name: string, megabytes: number, ms: number): void => {
    best.set(name, Math.max(best.get(name) ?? 0, (megabytes * 1000) / ms));
  };
  const readers = Object.entries(await contenders());
  for (let round = 0; round <= ROUNDS; round += 1) {
    const from = computed();
    for (const line of split) JSON.parse(line);
    if (round > 0) note('limit', shares.all, computed() - from);
    const decoding = computed();
    if (decodeAndParse(blocks) !== split.length) throw new Error('Lines were lost.');
    if (round > 0) note('decoding whole lines and the limit', shares.all, computed() - decoding);
    for (const [name, { read, slow }] of readers) {
      const start = computed();
      const lines = await read(slow ? beginning : chunks);
      if (round > 0) note(name, slow ? shares.beginning : shares.all, computed() - start);
      if (!slow && lines !== split.length) throw new Error(`${name} found ${lines} of ${split.length} lines.`);
    }
  }
  const of = {
    ours: await inFunctions(() => ours(chunks)),
    'decoding whole lines and the limit': await inFunctions(() => decodeAndParse(blocks)),
  };
  return { best, profile: { unit: 'µs a line', of } };
}

/** @returns the throughput of every reader for both chunk sizes, its ratio to the limit, and our ratio to the others */
export default async function bench(): Promise<Result[]> {
  const results: Result[] = [];
  for (const [size, label] of [
    [8192, '8 KB'],
    [200, '200 B'],
  ] as const) {
    const { best, profile } = await measure(size);
    const { ours = NaN, limit = NaN, ...peers } = Object.fromEntries(best);
    const ratios = Object.fromEntries(Object.entries(peers).map(([name, value]) => [name, ours / value]));
    for (const [name, value] of best)
      results.push({
        name: `${name}, chunks of ${label}`,
        value: Math.round(value),
        unit: 'MB/s',
        ratio: value / limit,
        ...(name === 'ours' ? { ratios, profile } : {}),
      });
  }
  return results;
}
