/** The log channel. Everything that goes in is stripped of secrets first. */
import * as vscode from 'vscode';
import { Secret } from '../../shared/secret.ts';
import { redactTokens } from '../../shared/text/tokens.ts';
import type { Item } from '../../shared/thread/model.ts';

const PATTERNS = [/(Api-Key\s+)[^\s"',}]+/gi, /(X-Svc-Auth-Token["':\s]+)[^\s"',}]+/gi];

export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Analytics Chat', { log: true });
  readonly #secrets = new Map<string, Secret>();

  /** From now on `secret` is left out wherever it appears, encoded or in pieces too. */
  hide(secret: string): void {
    if (!this.#secrets.has(secret)) this.#secrets.set(secret, new Secret(secret));
  }

  /** @returns a message without secrets, and without pieces of them */
  redact(text: string): string {
    let clean = text;
    for (const secret of this.#secrets.values()) clean = secret.hide(clean);
    for (const pattern of PATTERNS) clean = clean.replace(pattern, '$1[redacted]');
    return redactTokens(clean);
  }

  /** @returns a document of the user's without secrets; all else in it stays as it is */
  redactDocument(text: string): string {
    let clean = text;
    for (const secret of this.#secrets.values()) clean = secret.hideForms(clean);
    return clean;
  }

  info(text: string): void {
    this.#channel.info(this.redact(text));
  }

  /** @returns an item as it may be saved: a secret that came in pieces is left out, also where its end is still to come */
  readonly redactItem = (item: Item): Item => {
    const isOpen = item.inProcess || item.partial === true;
    const content = this.redactAnswer(item.content, isOpen);
    const thinking = this.redactAnswer(item.thinking, isOpen);
    return content === item.content && thinking === item.thinking ? item : { ...item, content, thinking };
  };

  /** @param isOpen whether the text may go on; fewer than `least` characters of a secret at its end then count as chance */
  redactAnswer(text: string, isOpen: boolean, least?: number): string {
    let clean = text;
    for (const secret of this.#secrets.values())
      clean = isOpen ? secret.hideOpen(clean, least) : secret.hideWhole(clean);
    return clean;
  }

  warn(text: string): void {
    this.#channel.warn(this.redact(text));
  }

  error(text: string, failure?: unknown): void {
    const details = failure instanceof Error ? `\n${causes(failure).join('\n')}` : '';
    this.#channel.error(this.redact(text + details));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

function causes(failure: Error): string[] {
  const lines: string[] = [];
  for (let at: unknown = failure, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1)
    lines.push(at.stack ?? `${at.name}: ${at.message}`);
  return lines;
}
