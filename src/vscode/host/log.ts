/** The log output channel, and redaction of secrets from logs, messages and documents. */
import * as vscode from 'vscode';
import { Secrets, redactTokens } from '../../shared/text/secrets.ts';

export class Log implements vscode.Disposable {
  /** Created with the first entry: creating it takes a tenth of the time of activation. */
  #created: vscode.LogOutputChannel | undefined;
  readonly #secrets = new Secrets();

  /** Registers a secret to redact from now on. */
  addSecret(secret: string): void {
    this.#secrets.add(secret);
  }

  /** Redacts a log entry or message: secrets, and anything that looks like a token. */
  redact(text: string): string {
    return redactTokens(this.redactDocument(text));
  }

  /** Redacts the secrets in content that is saved, exported, copied or passed on; the rest stays unchanged. */
  readonly redactDocument = (text: string): string => this.#secrets.redact(text);

  info(text: string): void {
    this.#channel.info(this.redact(text));
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
