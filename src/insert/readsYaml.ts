/** Whether YAML can be read at all: the last look at what an insertion makes of a file. */
import { EVENT_ID, parseEvents } from 'js-yaml';

/** Characters; reading a longer text would be felt. */
const LONGEST = 500_000;

/** A bracket that closes right below its key, which others read and this parser wants further in. */
const CLOSING = /^ *(?=[\]}])/gm;

/**
 * @returns how many documents a parser finds in the text, none where it cannot read it; what tags mean is no matter,
 * and doubled keys are told elsewhere
 */
function documentsIn(text: string): number {
  try {
    const events = parseEvents(text.replace(CLOSING, '$& '), {});
    return events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length;
  } catch {
    return 0;
  }
}

/** @returns whether a text that could be read no longer can as what it was; one that holds Jinja cannot to begin with */
export function breaksYaml(before: string, after: string): boolean {
  if (before.length > LONGEST) return false;
  const count = documentsIn(before);
  return count > 0 && documentsIn(after) !== count;
}
