/** Renders a comparison as a Markdown document or as CSV. */
import {
  sideLabels,
  SIDES,
  type ChangedMember,
  type CompareHeads,
  type SideName,
} from '../../shared/protocol/compare.ts';
import { fenced, harmless, plain } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { ModelMember } from '../../shared/wire/toolPayloads.ts';
import { createEncoder } from '../../shared/results/encode.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { shownTurns } from '../../shared/thread/turns.ts';
import { exportComparison, type CompareLabels } from '../../compare/compareExport.ts';
import { changedMembers } from './definitions.ts';
import type { QueryPair } from './queries.ts';

/** @returns the labels of the exported tables */
function labelsFor(heads: CompareHeads): CompareLabels {
  return {
    ...sideLabels(heads),
    status: t('status'),
    statuses: { same: t('same'), changed: t('changed'), added: t('added'), removed: t('removed') },
    change: t('change'),
    percent: '%',
  };
}

/** @returns the compared results, one table per pair of queries that has results */
export function comparisonAsCsv(heads: CompareHeads, pairs: readonly QueryPair[]): string {
  return pairs
    .flatMap(({ comparison }) => (comparison ? [exportComparison(comparison, 'csv', labelsFor(heads))] : []))
    .join('\r\n');
}

/** @returns a Markdown table with the title and description of each member on both sides */
function definitionTable(members: readonly ChangedMember[], { left, right }: CompareLabels): string {
  const names = [t('Member'), left, right];
  const columns = names.map((name) => ({ name, type: 'string', kind: 'string' as const }));
  const { encodeHeader, encodeRow, encodeEnd } = createEncoder('markdown', columns, {
    headers: true,
    guardFormulas: false,
  });
  const words = ({ title, description }: ModelMember): string => [title, description].filter(Boolean).join(': ');
  const rows = members.map((member) => encodeRow([member.name, words(member.left), words(member.right)]));
  return `${encodeHeader()}${rows.join('')}${encodeEnd()}`.trimEnd();
}

const answerOf = (thread: Thread): string =>
  harmless(shownTurns(thread).at(-1)?.answer?.content.trim() ?? '') || `*${t('There is no answer.')}*`;

const MARKS = { both: ' ', left: '-', right: '+' } as const;

/** @returns the question, both answers, the SQL diff and the compared results; images and raw HTML are made inert */
export function comparisonAsMarkdown(
  heads: CompareHeads,
  threads: Readonly<Record<SideName, Thread>>,
  pairs: readonly QueryPair[],
): string {
  const labels = labelsFor(heads);
  const parts = [`# ${plain(heads.question)}`];
  for (const side of SIDES)
    parts.push(`## ${plain(heads[side].branch)} · ${plain(heads[side].identity)}`, answerOf(threads[side]));
  const members = changedMembers(threads.left, threads.right);
  if (members.length > 0) parts.push(`## ${t('Definitions that differ')}`, definitionTable(members, labels));
  for (const { left, title, sql, comparison } of pairs) {
    parts.push(`## ${plain(title) || t('Query')}`);
    parts.push(
      sql.length === 0
        ? fenced(left.sqlQuery, 'sql')
        : fenced(sql.map(({ side, text }) => `${MARKS[side]} ${text}`).join('\n'), 'diff'),
    );
    if (comparison) parts.push(exportComparison(comparison, 'markdown', labels).trimEnd());
    if (comparison?.isPartial) parts.push(`*${t('Only the rows included in the answers are compared.')}*`);
  }
  return `${parts.join('\n\n')}\n`;
}
