import { browserFiles, type EditorFileSystem } from '../../../../../src/chat/history/files/browserFiles.ts';
import type { HistoryFiles } from '../../../../../src/chat/history/files/files.ts';

export const refusal = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * VS Code's file system in browsers, in memory: a write truncates its file first. `steps` counts the operations; before
 * step `dies`, the tab is closed.
 */
export class Disk implements EditorFileSystem<string> {
  readonly files = new Map<string, { content: Uint8Array; mtime: number }>();
  steps = 0;
  dies = Infinity;
  #time = 0;

  #step(): void {
    this.steps += 1;
    if (this.steps >= this.dies) throw new Error('the tab is gone');
  }

  #set(uri: string, content: Uint8Array): void {
    this.files.set(uri, { content, mtime: (this.#time += 1) });
  }

  #get(uri: string): { content: Uint8Array; mtime: number } {
    const file = this.files.get(uri);
    if (file === undefined) throw refusal('FileNotFound');
    return file;
  }

  async readFile(uri: string): Promise<Uint8Array> {
    return this.#get(uri).content;
  }

  async writeFile(uri: string, content: Uint8Array): Promise<void> {
    for (const part of [0, content.length >> 1, content.length]) {
      this.#step();
      this.#set(uri, content.slice(0, part));
    }
  }

  async readDirectory(): Promise<[string, number][]> {
    return [...this.files.keys()].map((uri) => [uri.split('/').at(-1)!, 1]);
  }

  async delete(uri: string): Promise<void> {
    this.#get(uri);
    this.#step();
    this.files.delete(uri);
  }

  async createDirectory(): Promise<void> {}

  async stat(uri: string): Promise<{ size: number; mtime: number }> {
    const { content, mtime } = this.#get(uri);
    return { size: content.length, mtime };
  }
}

let folders = 0;
export const filesOn = (disk: Disk, folder = `memory:/${(folders += 1)}`): HistoryFiles =>
  browserFiles(disk, folder, (parent, name) => `${parent}/${name}`);
