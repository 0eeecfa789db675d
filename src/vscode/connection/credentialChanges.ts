/**
 * When credentials were last stored or removed, on this machine. In a browser each window has its own copy of the
 * secrets until it is loaded anew; by this it knows that its copy is an old one. Nothing secret is in it.
 */
import * as vscode from 'vscode';
import { hasNode } from '../host/hasNode.ts';

/** One small file for each credential, so that windows need not agree on anything. */
export class CredentialChanges {
  readonly #folder: vscode.Uri;

  /** @param storage folder that all windows share */
  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'credentials');
  }

  /** @returns Unix milliseconds of the last change that is known here; 0 when there is none */
  async last(slot: string): Promise<number> {
    try {
      return Number(new TextDecoder().decode(await read(await this.#file(slot)))) || 0;
    } catch {
      return 0;
    }
  }

  /** @param at Unix milliseconds */
  async note(slot: string, at: number): Promise<void> {
    await vscode.workspace.fs.writeFile(await this.#file(slot), new TextEncoder().encode(String(at)));
  }

  /** Addresses can be longer than names of files, and hold what those must not. */
  async #file(slot: string): Promise<vscode.Uri> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(slot));
    return vscode.Uri.joinPath(this.#folder, Array.from(new Uint8Array(digest), hex).join(''));
  }
}

/** Every question waits for it: where the host has files of its own, the way through the editor's window is left out. */
async function read(file: vscode.Uri): Promise<Uint8Array> {
  if (!hasNode() || file.scheme !== 'file') return vscode.workspace.fs.readFile(file);
  const { readFile } = await import('node:fs/promises');
  return readFile(file.fsPath);
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
