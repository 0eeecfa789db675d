/** The files of the history in memory, with a log of what was done to them. */
import { collect } from '../../../../support/collect.ts';
import { HistoryError } from '../../../../../src/chat/history/files/errors.ts';
import type { FileInfo, HistoryFiles } from '../../../../../src/chat/history/files/files.ts';

export interface MemoryFiles extends HistoryFiles {
  readonly contents: Map<string, Uint8Array>;
  /** Operations in order, such as `read a.json`; locks that were acquired and released. */
  readonly log: string[];
  /** Changes a file like another window does. */
  set(name: string, bytes: Uint8Array): void;
}

export function memoryFiles(): MemoryFiles {
  const contents = new Map<string, Uint8Array>();
  const times = new Map<string, number>();
  const log: string[] = [];
  const locks = new Map<string, Promise<void>>();
  let time = 0;
  const bytesOf = (name: string): Uint8Array => {
    const bytes = contents.get(name);
    if (bytes === undefined) throw new HistoryError('notFound');
    return bytes;
  };
  const infoOf = (name: string): FileInfo => ({ name, size: bytesOf(name).length, mtime: times.get(name) ?? 0 });
  const set = (name: string, bytes: Uint8Array): FileInfo => {
    contents.set(name, bytes.slice());
    times.set(name, (time += 1));
    return infoOf(name);
  };
  return {
    contents,
    log,
    set,
    list: async () => [...contents.keys()].map(infoOf),
    stat: async (name) => (contents.has(name) ? infoOf(name) : undefined),
    read: async (name, length) => {
      const start = bytesOf(name).subarray(0, length);
      log.push(`${start.length < bytesOf(name).length ? 'start of' : 'read'} ${name}`);
      return start;
    },
    replace: async (name, parts) => {
      const bytes = Buffer.concat(await collect(parts));
      log.push(`replace ${name}`);
      return set(name, bytes);
    },
    rename: async (from, to) => {
      log.push(`rename ${from} ${to}`);
      const bytes = contents.get(from);
      if (bytes) set(to, bytes);
      return contents.delete(from);
    },
    remove: async (name) => {
      log.push(`remove ${name}`);
      contents.delete(name);
    },
    lock: async (name) => {
      const before = locks.get(name);
      let free = (): void => undefined;
      locks.set(name, new Promise((resolve) => (free = resolve)));
      await before;
      log.push(`lock ${name}`);
      return async () => {
        log.push(`unlock ${name}`);
        free();
      };
    },
  };
}
