/** Redacts credentials in a recording, including those that are split over several deltas. */
import { fieldsOf, type Fields } from '../../shared/text/checks.ts';
import { parsed } from '../../shared/text/jsonText.ts';

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
        const value = values.get(line) ?? fieldsOf(parsed(lines[line] ?? ''));
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
    const { id, isDelta, [field]: text } = fieldsOf(parsed(line));
    if (isDelta !== true) open.delete(id);
    else if (typeof text === 'string') {
      let spelled = open.get(id);
      if (spelled === undefined) {
        open.set(id, (spelled = { lines: [], text: '' }));
        all.push(spelled);
      }
      spelled.lines.push(at);
      spelled.text += text;
    }
  }
  return all;
}
