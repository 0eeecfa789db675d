/** Decodes parsed lines into stream lines (2.4 and part 6). Never throws. */
import { fieldsOf, isFields, textIn, type Fields } from '../shared/text/checks.ts';
import { parseExact } from '../shared/wire/exactJson.ts';
import { withPlainParts } from '../shared/wire/plainParts.ts';
import {
  TOKEN_COUNTS,
  type MessageLine,
  type StreamLine,
  type ToolCall,
  type Usage,
} from '../shared/wire/streamLines.ts';
import { errorFromJsonRpc, errorFromLine, type ChatError } from './errors.ts';
import type { ParsedLine } from './ndjson.ts';

const unknown = (reason: string): StreamLine => ({ kind: 'unknown', reason });

/**
 * Short lines that are not objects are heartbeats. Excludes the empty text, which stands for a line that was too long.
 */
const isHeartbeat = (text: string): boolean => text !== '' && text.length < 40 && !text.trimStart().startsWith('{');

/**
 * @param line one line of the response
 * @returns the decoded line, or the error that it reports
 */
export function decodeLine(line: ParsedLine): StreamLine | ChatError {
  if ('problem' in line) return { kind: 'unknown', reason: line.problem, damaged: !isHeartbeat(line.text) };
  const { value, text } = line;
  if (!isFields(value)) return unknown('not an object');
  const { id } = value;
  if (typeof id !== 'string' || id === '' || 'jsonrpc' in value) return withoutId(value);
  if (id.startsWith('__') && id.endsWith('__')) return reserved(id, value);
  return message(id, value, text);
}

function withoutId({ error }: Fields): StreamLine | ChatError {
  if (typeof error === 'string') return errorFromLine(error);
  return isFields(error) ? errorFromJsonRpc(error) : unknown('no id');
}

function reserved(id: string, value: Fields): StreamLine {
  const state = fieldsOf(value.state);
  switch (id) {
    case '__cutoff__': {
      const chatId = textIn(state, 'chatId');
      const suspended = textIn(state.suspended, 'messageId');
      const ids = { ...(chatId ? { chatId } : {}), ...(suspended ? { suspended } : {}) };
      return { kind: 'cutoff', ...ids, isStreaming: state.isStreaming === true };
    }
    case '__state__':
      return { kind: 'state' };
    case '__aborted__':
      return { kind: 'aborted', reason: textIn(value, 'error') ?? '' };
    case '__suspended__':
      return { kind: 'suspended', reason: textIn(value, 'error') ?? '', retryable: value.retryable !== false };
    case '__usage__':
      return { kind: 'usage', usage: readUsage(value.usage) };
    default:
      return unknown('reserved id');
  }
}

function readUsage(value: unknown): Usage {
  const usage: Usage = {};
  if (!isFields(value)) return usage;
  for (const key of [...TOKEN_COUNTS, 'totalTokens'] as const) {
    const count = value[key];
    if (Number.isFinite(count)) usage[key] = count as number;
  }
  return usage;
}

/** Larger values are not sequence numbers; adding to them would lose precision. */
const LARGEST_SORT = 1e20;

function message(id: string, value: Fields, text: string): StreamLine {
  const { role, content, thinking, sort } = value;
  if (role !== 'user' && role !== 'assistant') return unknown('no role');
  const line: MessageLine = {
    kind: 'message',
    id,
    role,
    graphPath: Array.isArray(value.graphPath) ? value.graphPath.filter((node) => typeof node === 'string') : [],
    isDelta: value.isDelta === true,
    isInProcess: value.isInProcess === true,
  };
  if (typeof content === 'string') line.content = content;
  if (typeof thinking === 'string') line.thinking = thinking;
  if (typeof sort === 'number' && sort >= 0 && sort <= LARGEST_SORT) line.sort = sort;
  const toolCall = readToolCall(value.toolCall, text);
  return toolCall === undefined ? line : { ...line, kind: 'toolCall', toolCall };
}

/** Tool payloads nest a few levels; deeper ones could not be forwarded or saved, and are dropped. */
const DEEPEST = 100;
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1)));

function readToolCall(value: unknown, text: string): ToolCall | undefined {
  if (!isFields(value)) return undefined;
  const call: ToolCall = { name: textIn(value, 'name') ?? '' };
  for (const key of ['input', 'result'] as const) {
    const json = value[key];
    if (json !== undefined && json !== null) call[key] = typeof json === 'object' ? exact(text, key, json) : json;
  }
  return call.name === '' && call.input === undefined && call.result === undefined ? undefined : call;
}

/** `JSON.parse` has rounded large numbers: parse the value again from the text of the line. */
function exact(text: string, key: 'input' | 'result', value: object): unknown {
  if (isDeeper(value, DEEPEST)) return {};
  try {
    return withPlainParts((parseExact(text) as { toolCall: ToolCall }).toolCall[key], value);
  } catch {
    // Another part of the line is too deeply nested for a `JSON.parse` reviver.
    return value;
  }
}
