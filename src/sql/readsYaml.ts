/** Whether YAML can be read at all: the last look at what an insertion makes of a file. */
import { loadAll } from 'js-yaml';

/** Characters; reading a longer text would be felt. */
const LONGEST = 500_000;

/** @returns how many documents a parser finds in the text, none where it cannot read it; doubled keys are told elsewhere */
function documentsIn(text: string): number {
  try {
    return loadAll(text, { json: true }).length;
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
