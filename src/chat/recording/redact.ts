/** Redacts credentials in a recording, including those that are split over several deltas. */
import { isFields, type Fields } from '../../shared/text/checks.ts';

type Field = 'content' | 'thinking';

/** The concatenated text of consecutive deltas, and the indexes of their lines. */
interface Spelled {
  lines: number[];
  text: string;
}

/**
 * @param text the recording as NDJSON
 * @param redact redacts credentials in a text
 * @returns the redacted recording; where deltas contain a credential, the first delta gets the whole redacted text and
 * the others become empty
 */
export function redactRecording(text: string, redact: (text: string) => string): string {
  const lines = text.split('\n');
  const values = new Map<number, Fields>();
  for (const field of ['content', 'thinking'] as const)
    for (const { lines: at, text: spelled } of spelledIn(lines, field)) {
      const redacted = redact(spelled);
      if (redacted === spelled) continue;
      for (const [index, line] of at.entries()) {
        const value = values.get(line) ?? (JSON.parse(lines[line] ?? '') as Fields);
        values.set(line, { ...value, [field]: index === 0 ? redacted : '' });
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
