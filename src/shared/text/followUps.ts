/** Suggests follow-up questions from the model searches and queries of the last answer. */
import type { ModelMember, ModelDefinition } from '../wire/toolPayloads.ts';
import { t } from './l10n.ts';
import { payloadOf, queriesOf, type ShownTurn } from '../thread/turns.ts';

const LIMIT = 3;
const GRAINS = ['day', 'week', 'month', 'quarter', 'year'];

const shortName = ({ name }: ModelMember): string => name.slice(name.lastIndexOf('.') + 1);
const lower = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
/** @returns a member's title as used inside a sentence */
const titleOf = (member: ModelMember): string => lower(member.title || shortName(member));

/** Whether a member is an identifier, which is not useful to group by. */
const isIdentifier = (member: ModelMember): boolean => /(?:\b|_)id$/i.test(shortName(member));

const isMeasure = ({ aggType }: ModelMember): boolean => aggType !== undefined;
/** Whether it is useful to group by a member. */
const isGroup = (member: ModelMember): boolean =>
  !isMeasure(member) && member.type === 'string' && !isIdentifier(member);

/** The next coarser grain than the one the query groups by, or the next finer one if there is none. */
function otherGrain(sql: string): string | undefined {
  const [, grain = ''] = /date_trunc\(\s*'(\w+)'/i.exec(sql) ?? [];
  const at = GRAINS.indexOf(grain.toLowerCase());
  return at < 0 ? undefined : (GRAINS[at + 1] ?? GRAINS[at - 1]);
}

/**
 * @param turn a turn with its answer
 * @returns up to three questions, each asking for the measure of the turn's last query by another dimension or grain;
 * empty if there is no such query
 */
export function followUps({ steps }: ShownTurn): string[] {
  const query = queriesOf(steps).findLast(({ payload }) => payload.table !== undefined);
  if (query === undefined) return [];
  const members = steps.map(payloadOf).flatMap((payload) => {
    const { definitions = [] } = payload?.kind === 'modelSearch' ? payload : {};
    return definitions.flatMap((definition) => definition.members);
  });
  const sql = query.payload.sqlQuery;
  const words = new Set(sql.toLowerCase().split(/[^\p{L}\p{N}_]+/u));
  const isUsed = (member: ModelMember): boolean => words.has(shortName(member).toLowerCase());
  const measure = members.find((member) => isMeasure(member) && isUsed(member));
  if (!measure) return [];
  const grain = otherGrain(sql);
  const dimensions = members.filter((member) => isGroup(member) && !isUsed(member));
  const groupings = [...(grain === undefined ? [] : [grain]), ...new Set(dimensions.map(titleOf))];
  return groupings.slice(0, LIMIT).map((grouping) => t('{0} by {1}', titleOf(measure), grouping));
}

const EXAMPLES = 3;

/**
 * @param definitions definitions found by model searches
 * @returns up to three questions about measures, of the definitions with the most members; empty if there is no measure
 */
export function exampleQuestions(definitions: readonly ModelDefinition[]): string[] {
  const richest = definitions.toSorted((a, b) => b.members.length - a.members.length);
  return [...new Set(richest.flatMap(questionsAbout))].slice(0, EXAMPLES);
}

function questionsAbout({ members }: ModelDefinition): string[] {
  const measures = members.filter(isMeasure);
  // Sums first: they are the most common questions.
  const ranked = [...measures.filter(({ aggType }) => aggType === 'sum'), ...measures];
  const [first, ...others] = new Set(ranked.map(titleOf));
  const [second] = others;
  if (first === undefined) return [];
  const hasTime = members.some((member) => member.type === 'time' && !isMeasure(member));
  const groups = [...new Set(members.filter(isGroup).map(titleOf))];
  return [
    ...(hasTime ? [t('{0} by {1}', first, t('month'))] : []),
    ...groups.map((group, index) => t('{0} by {1}', index % 2 === 0 ? first : (second ?? first), group)),
    ...(hasTime ? others.map((other) => t('{0} by {1}', other, t('month'))) : []),
  ];
}
