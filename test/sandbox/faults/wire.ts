/** Writes the body of one response, and injects faults at the level of bytes. */
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultSpec } from './spec.ts';

export class Wire {
  readonly #response: ServerResponse;
  readonly #fault: FaultSpec;
  readonly #closed = new AbortController();
  #sent = 0;
  #stalled = false;

  constructor(response: ServerResponse, fault: FaultSpec) {
    this.#response = response;
    this.#fault = fault;
    response.once('close', () => this.#closed.abort());
  }

  /** Aborts when the client disconnects or a fault cuts the connection. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** @returns whether all of the text was written; false once the connection is closed */
  async write(text: string): Promise<boolean> {
    let bytes = Buffer.from(text);
    const { cutAfter, stallAfter, stall = 0 } = this.#fault;
    if (stallAfter !== undefined && !this.#stalled && this.#sent + bytes.length > stallAfter) {
      const first = bytes.subarray(0, stallAfter - this.#sent);
      this.#stalled = true;
      if (!(await this.#pieces(first))) return false;
      if (!(await this.#pause(stall))) return false;
      bytes = bytes.subarray(first.length);
    }
    if (cutAfter === undefined || this.#sent + bytes.length < cutAfter) return this.#pieces(bytes);
    const whole = this.#sent + bytes.length === cutAfter;
    if (await this.#pieces(bytes.subarray(0, cutAfter - this.#sent))) await this.#cut();
    return whole;
  }

  end(): void {
    if (!this.closed.aborted) this.#response.end();
  }

  async #pieces(bytes: Buffer): Promise<boolean> {
    const { slice = bytes.length, bytesPerSecond } = this.#fault;
    for (let at = 0; at < bytes.length; at += Math.max(1, slice)) {
      if (this.closed.aborted) return false;
      const piece = bytes.subarray(at, at + Math.max(1, slice));
      this.#sent += piece.length;
      const flushed = this.#response.write(piece);
      // Wait, so that each slice is sent as a separate packet.
      if (this.#fault.slice !== undefined) await new Promise(setImmediate);
      if (bytesPerSecond !== undefined && !(await this.#pause((1000 * piece.length) / bytesPerSecond))) return false;
      if (!flushed) await once(this.#response, 'drain', { signal: this.closed }).catch(() => undefined);
    }
    return !this.closed.aborted;
  }

  async #pause(milliseconds: number): Promise<boolean> {
    await delay(milliseconds, undefined, { signal: this.closed }).catch(() => undefined);
    return !this.closed.aborted;
  }

  /** Cuts the connection after the bytes written so far have been sent. */
  async #cut(): Promise<void> {
    const { cutBy = 'reset' } = this.#fault;
    const socket = this.#response.socket;
    await new Promise(setImmediate);
    if (cutBy === 'end') this.#response.end();
    else if (cutBy === 'reset') socket?.resetAndDestroy();
    else socket?.destroy();
    this.#closed.abort();
  }
}
