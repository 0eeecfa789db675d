/** Starts windows as processes and reads their reports. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Told {
  id: string;
  item?: string;
  content?: string;
  title?: string;
  pinned?: boolean;
  draft?: string;
  items?: number;
  last?: number;
  time?: number;
  error?: string;
  damage?: boolean;
  done?: boolean;
}

export interface Window {
  child: ChildProcess;
  told: Told[];
  /** Resolves when the process has exited and its output has been read. */
  ended: Promise<void>;
  /** Resolves when the process has reported this many things, or has exited. */
  heard: (lines: number) => Promise<void>;
}

export function openWindow(...parameters: (string | number)[]): Window {
  const script = fileURLToPath(new URL('./writer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...parameters.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    told.push(JSON.parse(line) as Told);
    for (const wake of waiting) wake();
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => {
    for (const wake of waiting) wake();
  });
  const heard = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        if (told.length < count && child.exitCode === null && child.signalCode === null) return;
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
      wake();
    });
  return { child, told, ended, heard };
}
