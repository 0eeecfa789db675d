/** Suggests follow-up questions from the model searches and queries of the last answer. */
import type { ModelMember, ModelDefinition } from '../wire/toolPayloads.ts';
import { t } from './l10n.ts';
import { payloadOf, type ShownTurn } from '../thread/turns.ts';

const LIMIT = 3;
const GRAINS = ['day', 'week', 'month', 'quarter', 'year'];

const shortName = ({ name }: ModelMember): string => name.slice(name.lastIndexOf('.') + 1);
const isUsed = (member: ModelMember, sql: string): boolean =>
  new RegExp(`\\b${escaped(shortName(member))}\\b`, 'i').test(sql);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const lower = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
/** @returns a member's title as used inside a sentence */
export const titleOf = (member: ModelMember): string => lower(member.title || shortName(member));

/** Whether a member is an identifier, which is not useful to group by. */
export const isIdentifier = (member: ModelMember): boolean => /(?:\b|_)id$/i.test(shortName(member));

/** The next coarser grain than the one the query groups by, or the next finer one if there is none. */
function otherGrain(sql: string): string | undefined {
  const grain = /date_trunc\(\s*'(\w+)'/i.exec(sql)?.[1]?.toLowerCase();
  const at = grain === undefined ? -1 : GRAINS.indexOf(grain);
  return at < 0 ? undefined : (GRAINS[at + 1] ?? GRAINS[at - 1]);
}

/**
 * @param turn a turn with its answer
 * @returns up to three questions, each asking for the measure of the turn's last query by another dimension or grain;
 * empty if there is no such query
 */
export function followUps({ steps }: ShownTurn): string[] {
  const payloads = steps.map(payloadOf);
  const query = payloads.findLast((payload) => payload?.kind === 'sqlQuery' && payload.table !== undefined);
  if (query?.kind !== 'sqlQuery') return [];
  const members = payloads.flatMap((payload) =>
    payload?.kind === 'modelSearch' ? (payload.definitions ?? []).flatMap((definition) => definition.members) : [],
  );
  const sql = query.sqlQuery;
  const measure = members.find((member) => member.aggType !== undefined && isUsed(member, sql));
  if (!measure) return [];
  const grain = otherGrain(sql);
  const dimensions = members.filter(
    (member) =>
      member.aggType === undefined && member.type === 'string' && !isUsed(member, sql) && !isIdentifier(member),
  );
  const wishes = [...(grain === undefined ? [] : [grain]), ...new Set(dimensions.map(titleOf))];
  return wishes.slice(0, LIMIT).map((wish) => t('{0} by {1}', titleOf(measure), wish));
}

const EXAMPLES = 3;

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
  return questions.slice(0, EXAMPLES);
}
