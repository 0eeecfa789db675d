/** Answers without a query: available data, definitions of members, and why a question can't be answered. */
import { FIRST_DAY, TODAY } from '../data/calendar.ts';
import type { Model } from '../semantic/model.ts';
import { escapeMarkdown } from './format.ts';
import type { Concept, Lexicon } from './question/lexicon.ts';

const list = (words: readonly string[]): string => words.map((word) => `“${escapeMarkdown(word)}”`).join(', ');

function titles(lexicon: Lexicon, kind: 'measure' | 'dimension'): string[] {
  const wanted = lexicon.concepts.filter(({ member }) => member.kind === kind && member.description !== '');
  return [...new Set(wanted.map(({ member }) => member.title))];
}

const examples = [
  'revenue by month in 2024',
  'top 10 products by units sold last quarter',
  'return rate by category',
  'orders in Europe, 2024 against 2023',
];

function capabilities(lexicon: Lexicon): string[] {
  return [
    `- **Measures:** ${titles(lexicon, 'measure').map(escapeMarkdown).join(', ')}`,
    `- **To group or filter by:** ${titles(lexicon, 'dimension').map(escapeMarkdown).join(', ')}`,
    `- **Time:** by day, week, month, quarter or year, from ${FIRST_DAY} to ${TODAY}`,
    '',
    `For example: ${examples.map((example) => `*${example}*`).join(' · ')}`,
  ];
}

/** Describes what can be asked. */
export function helpReply(lexicon: Lexicon): string {
  return ['I answer questions about the shop from its data model:', '', ...capabilities(lexicon)].join('\n');
}

/** @param missing the words that were not understood; empty if the question is not about data */
export function unknownReply(missing: readonly string[], lexicon: Lexicon): string {
  const why =
    missing.length > 0
      ? `I found nothing in the data model for ${list(missing)}`
      : 'I found nothing to measure in this question';
  return [`${why}, so I cannot answer this without guessing. What I can use:`, '', ...capabilities(lexicon)].join('\n');
}

/** The reply if the members exist, but not in one view. */
export function impossibleReply(reason: string): string {
  return `I cannot answer this in one query: ${reason} Ask for them one at a time, or leave one out.`;
}

/** Describes the definitions of members in the model. */
export function explainReply(concepts: readonly Concept[], model: Model): string {
  return concepts
    .map(({ member, places, key }) => {
      const names = places.map(({ view, as }) => `\`${view.name}.${as.name}\``).join(', ');
      const cube = model.cubes.get(key.split('.')[0] ?? '');
      const kind = member.kind === 'measure' ? `measure (${member.type})` : `dimension (${member.type})`;
      const sql = member.sql === '' ? '' : `\n\n\`\`\`sql\n${member.sql.trim()}\n\`\`\``;
      return `**${escapeMarkdown(member.title)}** is a ${kind} of ${escapeMarkdown(cube?.title ?? key)}. ${escapeMarkdown(member.description)} In the views as ${names}.${sql}`;
    })
    .join('\n\n');
}
