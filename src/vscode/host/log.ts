/** The log output channel, and redaction of secrets from logs, messages and documents. */
import * as vscode from 'vscode';
import { Secret, redactTokens } from '../../shared/text/secret.ts';
import type { Item } from '../../shared/thread/model.ts';

export class Log implements vscode.Disposable {
  /** Created with the first entry: creating it takes a tenth of the time of activation. */
  #created: vscode.LogOutputChannel | undefined;
  readonly #secrets = new Map<string, Secret>();

  /** Registers a secret to redact from now on, including its encoded forms. */
  addSecret(secret: string): void {
    if (!this.#secrets.has(secret)) this.#secrets.set(secret, new Secret(secret));
  }

  /** Redacts a log entry or message, including fragments of secrets and anything that looks like a token. */
  redact(text: string): string {
    let clean = text;
    for (const secret of this.#secrets.values()) clean = secret.redact(clean);
    return redactTokens(clean);
  }

  /** Redacts a document of the user: only complete secrets are replaced, and the rest stays unchanged. */
  redactDocument(text: string): string {
    let clean = text;
    for (const secret of this.#secrets.values()) clean = secret.redactForms(clean);
    return clean;
  }

  info(text: string): void {
    this.#channel.info(this.redact(text));
  }

  /** Redacts an item before it is saved. In an unfinished item, a secret that is still streaming in is cut off. */
  readonly redactItem = (item: Item): Item => {
    const isOpen = item.inProcess || item.partial === true;
    const content = this.redactAnswer(item.content, isOpen);
    const thinking = this.redactAnswer(item.thinking, isOpen);
    return content === item.content && thinking === item.thinking ? item : { ...item, content, thinking };
  };

  /**
   * Redacts the text of an answer.
   * @param isOpen whether the text is still streaming; the start of a secret at its end is then cut off
   * @param least minimum length of such a start
   */
  redactAnswer(text: string, isOpen: boolean, least?: number): string {
    let clean = text;
    for (const secret of this.#secrets.values())
      clean = isOpen ? secret.redactStreaming(clean, least) : secret.redactWhole(clean);
    return clean;
  }

  warn(text: string): void {
    this.#channel.warn(this.redact(text));
  }

  error(text: string, failure: unknown): void {
    const details = failure instanceof Error ? `\n${causes(failure).join('\n')}` : '';
    this.#channel.error(this.redact(text + details));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#created?.dispose();
  }

  get #channel(): vscode.LogOutputChannel {
    return (this.#created ??= vscode.window.createOutputChannel('Analytics Chat', { log: true }));
  }
}

function causes(failure: Error): string[] {
  const lines: string[] = [];
  for (let at: unknown = failure, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1)
    lines.push(at.stack ?? `${at.name}: ${at.message}`);
  return lines;
}
