/** Redacts credentials in a recording: one may be spelled over several deltas, so that no line holds all of it. */
import { isFields, type Fields } from '../../shared/text/checks.ts';

type Field = 'content' | 'thinking';

/** A text in deltas: the lines that it comes from, by their index. */
interface Spelled {
  lines: number[];
  text: string;
}

/**
 * @param text the lines of a recording
 * @param redact removes credentials from a text
 * @returns the recording without them; where deltas spell one, the first of them gets the whole redacted text
 */
export function redactRecording(text: string, redact: (text: string) => string): string {
  const lines = text.split('\n');
  const values = new Map<number, Fields>();
  for (const field of ['content', 'thinking'] as const)
    for (const { lines: at, text: spelled } of spelledIn(lines, field)) {
      const clean = redact(spelled);
      if (clean === spelled) continue;
      for (const [index, line] of at.entries()) {
        const value = values.get(line) ?? (JSON.parse(lines[line] ?? '') as Fields);
        values.set(line, { ...value, [field]: index === 0 ? clean : '' });
      }
    }
  for (const [at, value] of values) lines[at] = JSON.stringify(value);
  return redact(lines.join('\n'));
}

function spelledIn(lines: readonly string[], field: Field): Spelled[] {
  const open = new Map<unknown, Spelled>();
  const all: Spelled[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.includes('"isDelta":')) continue;
    const value: unknown = parsed(line);
    if (!isFields(value)) continue;
    const text = value[field];
    if (value.isDelta !== true) open.delete(value.id);
    else if (typeof text === 'string' && text !== '') {
      let spelled = open.get(value.id);
      if (spelled === undefined) {
        open.set(value.id, (spelled = { lines: [], text: '' }));
        all.push(spelled);
      }
      spelled.lines.push(at);
      spelled.text += text;
    }
  }
  return all;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
