/** Suggests first questions for a new thread, from the known part of the data model. */
import { titleOf, isIdentifier } from './followUps.ts';
import { t } from './l10n.ts';
import type { ModelDefinition } from '../wire/toolPayloads.ts';

const LIMIT = 3;

/**
 * @param definitions definitions found by model searches
 * @returns up to three questions about measures of the definition with the most members; empty if it has no measure
 */
export function exampleQuestions(definitions: readonly ModelDefinition[]): string[] {
  const withMeasures = definitions.filter(({ members }) => members.some(({ aggType }) => aggType !== undefined));
  const [richest] = withMeasures.toSorted((a, b) => b.members.length - a.members.length);
  if (richest === undefined) return [];
  const measures = richest.members.filter(({ aggType }) => aggType !== undefined);
  // Sums first: they are the most common questions.
  const ranked = [...measures.filter(({ aggType }) => aggType === 'sum'), ...measures];
  const [first, second = first] = [...new Set(ranked.map(titleOf))];
  if (first === undefined || second === undefined) return [];
  const dimensions = richest.members.filter(({ aggType }) => aggType === undefined);
  const hasTime = dimensions.some(({ type }) => type === 'time');
  const groups = dimensions.filter((member) => member.type === 'string' && !isIdentifier(member)).map(titleOf);
  const questions = [
    ...(hasTime ? [t('{0} by {1}', first, t('month'))] : []),
    ...[...new Set(groups)].map((group, index) => t('{0} by {1}', index % 2 === 0 ? first : second, group)),
  ];
  return questions.slice(0, LIMIT);
}
