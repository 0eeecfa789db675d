/**
 * Records when each credential was last stored or removed, so that other windows can detect a stale copy: on the web,
 * each window caches the secrets until it is reloaded. Contains no secrets.
 */
import * as vscode from 'vscode';
import { writeText } from '../host/files.ts';
import { hasNode } from '../host/settings.ts';

/** Uses one file per credential, so that windows need no locking. */
export class CredentialChanges {
  readonly #folder: vscode.Uri;

  /** @param storage folder shared by all windows */
  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'credentials');
  }

  /** @returns time of the last change in Unix milliseconds; 0 if unknown */
  async last(slot: string): Promise<number> {
    try {
      return Number(new TextDecoder().decode(await read(await this.#file(slot)))) || 0;
    } catch {
      return 0;
    }
  }

  /** Records a change. @param at Unix milliseconds */
  async note(slot: string, at: number): Promise<void> {
    await writeText(await this.#file(slot), String(at));
  }

  /** Uses a hash, because URLs may be too long for file names or contain invalid characters. */
  async #file(slot: string): Promise<vscode.Uri> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(slot));
    return vscode.Uri.joinPath(this.#folder, Array.from(new Uint8Array(digest), hex).join(''));
  }
}

/** Reads local files through Node.js where possible: `workspace.fs` is slower, and every question waits for this. */
async function read(file: vscode.Uri): Promise<Uint8Array> {
  if (!hasNode() || file.scheme !== 'file') return vscode.workspace.fs.readFile(file);
  const { readFile } = await import('node:fs/promises');
  return readFile(file.fsPath);
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
