/** What the extension adds to the start of the editor: its activation beside an empty extension's, and its size. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { closeAll, launch } from '../../e2e/support/launch.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { startServer } from '../../vscode/server.ts';
import { median, type Bench, type Result } from '../result.ts';
import { bundleSizes } from './bundles.ts';
import { writeProbe, type Activations } from './probe.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const PATIENCE_MS = 60_000;

/** @returns the sizes of the bundles, and the time in a fresh window of the real editor */
export default async function bench(): Promise<Bench> {
  return { row: 'start', results: [...(await activation()), ...bundleSizes()] };
}

async function activation(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'activation-'));
  const file = join(folder, 'activation.json');
  const extensions = [repoRoot, ...writeProbe(folder)];
  const server = await startServer({ env: { BENCH_PROBE: file } });
  const all: Activations[] = [];
  try {
    // The first window only fills the system's cache.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const launched = await launch({ extensions, server });
      const times = await readWhenWritten(file);
      await launched.stop();
      if (round > 0) all.push(times);
    }
  } finally {
    await closeAll();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const ours = median(all.map((times) => times.ours));
  const empty = median(all.map((times) => times.empty));
  return [
    { name: 'activation, over an empty extension', value: ours - empty, unit: 'ms', ratios: { empty: ours / empty } },
  ];
}

async function readWhenWritten(file: string): Promise<Activations> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(100)) {
    if (!existsSync(file)) continue;
    const times = JSON.parse(readFileSync(file, 'utf8')) as Activations & { failure?: string };
    rmSync(file);
    if (times.failure !== undefined) throw new Error(times.failure);
    return times;
  }
  throw new Error('The editor has not activated the extensions.');
}
