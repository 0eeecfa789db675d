/** Writes the origin of SQL as one comment line, and parses such a line to find its thread. */
import type { Provenance } from './types.ts';

const MARK = 'Analytics Chat:';
const LONGEST_QUESTION = 200;

/**
 * Characters that end a comment, line or literal in some language, have a meaning in Jinja, YAML or template literals,
 * or are invisible. They are percent-encoded, so that the line needs no escaping in any target.
 */
const UNSAFE =
  /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u00a0\u2028\u2029\u202f%"'\\`{}*]|(?<=-)[->]|-$|^-/gu;

const encoded = (text: string): string => text.toWellFormed().replace(UNSAFE, encodeOne);
const encodeOne = (character: string): string =>
  encodeURIComponent(character).replace(/^[^%]$/, (bare) => `%${bare.charCodeAt(0).toString(16).toUpperCase()}`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shortened(question: string): string {
  const letters = [...question];
  return letters.length <= LONGEST_QUESTION ? question : `${letters.slice(0, LONGEST_QUESTION - 1).join('')}…`;
}

/** @returns the line without a comment marker; a long question is truncated */
export function provenanceText({ question, branch, identity, time, threadId, toolCallId }: Provenance): string {
  const fields = {
    question: shortened(question),
    branch,
    as: identity,
    at: Number.isFinite(time) ? new Date(time).toISOString() : '',
    thread: threadId,
    call: toolCallId,
  };
  return `${MARK} ${Object.entries(fields)
    .map(([name, value]) => `${name}="${encoded(value)}"`)
    .join(' ')}`;
}

/** @returns the provenance in a line of any file; undefined if there is none with a thread */
export function parseProvenance(line: string): Provenance | undefined {
  const start = line.indexOf(`${MARK} question="`);
  if (start < 0) return undefined;
  const pairs = [...line.slice(start).matchAll(/ ([a-z]+)="([^"]*)"/g)].reverse();
  const fields = new Map(pairs.map(([, name = '', value = '']) => [name, decoded(value)]));
  const threadId = fields.get('thread') ?? '';
  if (threadId === '') return undefined;
  const field = (name: string): string => fields.get(name) ?? '';
  const time = Date.parse(field('at'));
  return {
    question: field('question'),
    branch: field('branch'),
    identity: field('as'),
    time: Number.isNaN(time) ? 0 : time,
    threadId,
    toolCallId: field('call'),
  };
}
