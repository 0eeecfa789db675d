/** How each kind of target writes a comment. */
import { commentLines } from './place.ts';
import { provenanceText } from './provenance.ts';
import type { InsertTarget, Provenance } from './types.ts';

/** @returns the mark that begins a line comment at the target */
export function commentMark({ kind }: InsertTarget): '--' | '#' | '//' {
  switch (kind) {
    case 'yamlScalar':
    case 'yamlEmptyValue':
    case 'yamlBetweenKeys':
    case 'yamlFlow':
    case 'pythonCode':
    case 'pythonComment':
      return '#';
    case 'jsCode':
    case 'jsComment':
      return '//';
    default:
      return '--';
  }
}

/** @returns the SQL, every line of it a comment in the target's style; escaping for the target comes with the plan */
export const asComment = (sql: string, target: InsertTarget): string => commentLines(sql, commentMark(target));

/** @returns one comment line in the target's style that `parseProvenance` reads */
export const provenanceComment = (provenance: Provenance, target: InsertTarget): string =>
  `${commentMark(target)} ${provenanceText(provenance)}`;
