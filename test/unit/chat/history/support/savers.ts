import { mock } from 'node:test';
import type { HistoryError } from '../../../../../src/chat/history/files/errors.ts';
import type { Change } from '../../../../../src/chat/history/threadStore.ts';
import { Saver } from '../../../../../src/chat/history/saver.ts';
import { emptyThread } from '../../../../../src/shared/thread/model.ts';
import { ask, delta, dispatch } from './stores.ts';

export const streaming = dispatch(emptyThread('a'), ask('1-message', 'Why?', 1), delta('x', 'B', 2, 1));

/** A saver with an instant disk that fails while `failure` is set. */
export function setUp(): { saver: Saver; writes: Change[]; told: string[]; disk: { failure?: HistoryError } } {
  const writes: Change[] = [];
  const told: string[] = [];
  const disk: { failure?: HistoryError } = {};
  const write = async (_id: string, change: Change): Promise<void> => {
    if (disk.failure) throw disk.failure;
    writes.push(change);
  };
  const saver = new Saver({ write, onError: ({ kind }) => told.push(kind), clock: () => Date.now() });
  return { saver, writes, told, disk };
}

export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

export async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settle();
}
