/** Parses numeric conditions in a question: "with more than 20 orders", "return rate above 5%". */
import type { Bound } from './question/intent.ts';
import type { Concept, Lexicon } from './question/lexicon.ts';
import { findMentions } from './question/mentions.ts';
import type { Reader } from './question/reader.ts';

const operators: readonly (readonly [Bound['operator'], RegExp])[] = [
  ['>=', /^(?:at least|no less than|>=|from)$/],
  ['<=', /^(?:at most|no more than|up to|<=)$/],
  ['<', /^(?:less than|fewer than|under|below|smaller than|lower than|cheaper than|<)$/],
  ['>', /./],
];
const pattern =
  /\b(?:(?:is|are|was|were|of|being) )?(at least|no less than|at most|no more than|more than|greater than|higher than|larger than|over|above|exceeding|less than|fewer than|under|below|smaller than|lower than)\s*[$€]?(\d[\d,]*(?:\.\d+)?) ?(k|thousand|m|million|%|percent)?(?= |$)/;
const scales: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6 };

const isNumber = ({ member }: Concept): boolean =>
  member.kind === 'measure' || (member.type === 'number' && !member.primaryKey);

/** The nearest numeric member: after the bound ("more than 20 orders"), or else before it. */
function subject(text: string, marker: string, lexicon: Lexicon): Concept | undefined {
  const [before = '', after = ''] = text.split(marker);
  const next = findMentions(after.split('|')[0] ?? '', lexicon).found.find(
    ({ at, concepts }) => at <= 1 && concepts.some(isNumber),
  );
  const last = findMentions(before, lexicon).found.findLast(({ concepts }) => concepts.some(isNumber));
  return (next ?? last)?.concepts.find(isNumber);
}

/** Removes the conditions from the question, except the members that they refer to. */
export function readBounds(reader: Reader, lexicon: Lexicon): Bound[] {
  const bounds: Bound[] = [];
  for (;;) {
    const text = reader.rest;
    const match = pattern.exec(text);
    const concept = match && subject(text.replace(match[0], ' \u0000 '), '\u0000', lexicon);
    if (!match || !concept) return bounds;
    reader.take(pattern);
    const operator = operators.find(([, words]) => words.test(match[1] ?? ''))?.[0] ?? '>';
    const value = Number((match[2] ?? '').replaceAll(',', '')) * (scales[match[3] ?? ''] ?? 1);
    bounds.push({ concept, operator, value });
  }
}
