/** MCP on stdin and stdout. Unlike the SDK's transport, it answers what is no message, so that no client waits for it. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../../shared/text/checks.ts';

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WritableStream;
  /** The start of a line that has not arrived completely. */
  #rest = '';

  constructor(input: NodeJS.ReadStream, output: NodeJS.WritableStream) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    this.#input.setEncoding('utf8').on('data', this.#read).once('end', this.#end);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  close(): Promise<void> {
    this.#input.off('data', this.#read).off('end', this.#end).pause();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #end = (): void => void this.close();

  readonly #read = (chunk: string): void => {
    const lines = chunk.split('\n');
    lines[0] = this.#rest + lines[0]!;
    this.#rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') this.#receive(line);
  };

  #receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return void this.#refuse(null, ErrorCode.ParseError, 'Parse error: a message is one line of JSON.');
    }
    const { success, data } = JSONRPCMessageSchema.safeParse(value);
    if (success) return this.onmessage?.(data);
    const { id, ...rest } = isFields(value) ? value : {};
    // A response gets none.
    if ('result' in rest || 'error' in rest) return;
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    void this.#refuse(known, ErrorCode.InvalidRequest, 'Invalid request: not a JSON-RPC 2.0 message.');
  }

  #refuse(id: string | number | null, code: number, message: string): Promise<void> {
    return this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}
