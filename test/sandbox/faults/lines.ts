/** Injects faults into the lines of one response. */
import type { Line } from '../service/lines.ts';
import { varyPayload } from './payload.ts';
import type { FaultSpec } from './spec.ts';

const isFinal = ({ graphPath }: Line): boolean => Array.isArray(graphPath) && graphPath[0] === 'final';

function isLeftOut(line: Line, fault: FaultSpec): boolean {
  if (fault.noTools === true && line['toolCall'] !== undefined) return true;
  return (fault.noFinal === true && isFinal(line)) || (fault.noState === true && line['id'] === '__state__');
}

function withoutChatId(line: Line): Line {
  return line['id'] === '__cutoff__'
    ? { ...line, state: { isStreaming: (line['state'] as Line)['isStreaming'] } }
    : line;
}

/** Encodes the lines of one response, with the requested faults. */
export class LineFaults {
  readonly #fault: FaultSpec;
  #count = 0;
  #held: string | undefined;

  constructor(fault: FaultSpec) {
    this.#fault = fault;
  }

  /** @returns the text to send for the line; empty if it is omitted or delayed */
  text(line: Line): string {
    const fault = this.#fault;
    if (isLeftOut(line, fault)) return '';
    const varied = varyPayload(fault.noChatId === true ? withoutChatId(line) : line, fault.payload ?? []);
    const number = this.#count;
    this.#count += 1;
    let json = JSON.stringify(varied);
    if (number === fault.corruptLine) json = json.slice(0, Math.floor(json.length / 2));
    let text = this.#ended(json);
    if (number === fault.duplicateLine) text += text;
    if (number === 0 && fault.traceLine === true) text += this.#ended('{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}');
    if (number === 0 && fault.unknownLine === true)
      text += this.#ended('{"id":"__heartbeat__","role":"assistant","sort":1}');
    if (number === fault.swapLine) {
      this.#held = text;
      return '';
    }
    return text + this.rest();
  }

  /** @returns an error line that replaces the next line, or `undefined` */
  error(): string | undefined {
    const { errorLine, errorAfter = 3 } = this.#fault;
    return errorLine !== undefined && this.#count >= errorAfter
      ? this.#ended(JSON.stringify({ error: errorLine }))
      : undefined;
  }

  /** @returns the text of delayed lines */
  rest(): string {
    const held = this.#held ?? '';
    this.#held = undefined;
    return held;
  }

  #ended(json: string): string {
    const end = this.#fault.crlf === true ? '\r\n' : '\n';
    return json + end + (this.#fault.blankLines === true ? end : '');
  }
}
