/** From a parsed line to a line of the contract (2.4 and part 6). Nothing here throws. */
import { parseExact } from '../shared/exactJson.ts';
import type { MessageFields, StreamLine, ToolCall, Usage } from '../shared/wire.ts';
import type { ChatError } from './errors.ts';
import { errorFromJsonRpc, errorFromLine } from './errors.ts';
import type { ParsedLine } from './ndjson.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
const unknown = (reason: string): StreamLine => ({ kind: 'unknown', reason });

/**
 * @param line one line of the response
 * @returns the line, or the failure that it reports
 */
export function decodeLine(line: ParsedLine): StreamLine | ChatError {
  if ('problem' in line) return unknown(line.problem);
  const { value, text } = line;
  if (!isFields(value)) return unknown('not an object');
  const { id } = value;
  if (typeof id !== 'string' || id === '') return withoutId(value);
  if (id.startsWith('__') && id.endsWith('__')) return reserved(id, value);
  return message(id, value, text);
}

function withoutId({ error }: Fields): StreamLine | ChatError {
  if (typeof error === 'string') return errorFromLine(error);
  return isFields(error) ? errorFromJsonRpc(error) : unknown('no id');
}

function reserved(id: string, value: Fields): StreamLine {
  const state = isFields(value.state) ? value.state : {};
  switch (id) {
    case '__cutoff__':
      return {
        kind: 'cutoff',
        ...(typeof state.chatId === 'string' && state.chatId !== '' ? { chatId: state.chatId } : {}),
        isStreaming: state.isStreaming === true,
      };
    case '__state__':
      return { kind: 'state', messageCount: Array.isArray(state.messages) ? state.messages.length : 0 };
    case '__aborted__':
      return { kind: 'aborted', reason: textOr(value.error, '') };
    case '__suspended__':
      return {
        kind: 'suspended',
        reason: textOr(value.error, ''),
        retryable: value.retryable !== false,
        ...(typeof value.messageId === 'string' ? { messageId: value.messageId } : {}),
      };
    case '__usage__':
      return { kind: 'usage', usage: readUsage(value.usage) };
    default:
      return unknown('reserved id');
  }
}

function readUsage(value: unknown): Usage {
  const usage: Usage = {};
  if (!isFields(value)) return usage;
  for (const key of ['inputTokens', 'outputTokens', 'totalTokens'] as const) {
    const count = value[key];
    if (typeof count === 'number' && Number.isFinite(count)) usage[key] = count;
  }
  return usage;
}

function message(id: string, value: Fields, text: string): StreamLine {
  const { role, content, thinking, sort } = value;
  if (role !== 'user' && role !== 'assistant') return unknown('no role');
  const fields: MessageFields = {
    id,
    role,
    graphPath: Array.isArray(value.graphPath) ? value.graphPath.filter((node) => typeof node === 'string') : [],
    isDelta: value.isDelta === true,
    isInProcess: value.isInProcess === true,
  };
  if (typeof content === 'string') fields.content = content;
  if (typeof thinking === 'string') fields.thinking = thinking;
  if (typeof sort === 'number' && Number.isFinite(sort)) fields.sort = sort;
  const toolCall = readToolCall(value.toolCall, text);
  return toolCall === undefined ? { kind: 'message', ...fields } : { kind: 'toolCall', ...fields, toolCall };
}

function readToolCall(value: unknown, text: string): ToolCall | undefined {
  if (!isFields(value) || typeof value.name !== 'string' || value.name === '') return undefined;
  const { name, input, result } = value;
  const call: ToolCall = { name };
  if (input !== undefined && input !== null) call.input = input;
  if (result !== undefined && result !== null) call.result = isFields(result) ? exactResult(text, result) : result;
  return call;
}

/** A result that comes already parsed has lost the digits of big numbers: it is read again from the line's text. */
function exactResult(text: string, result: unknown): unknown {
  try {
    return (parseExact(text) as { toolCall: { result: unknown } }).toolCall.result;
  } catch {
    // Nested deeper than reading with a callback can go.
    return result;
  }
}
