/** Formats answers as text of limited length for a language model. */
import { oneLine } from './lines.ts';
import { fenced } from './plainText.ts';
import { plural, t } from './l10n.ts';
import type { ModelDefinition, ResultTable } from '../wire/toolPayloads.ts';
import { typeColumns } from '../results/cells.ts';
import { markdownTable } from '../results/encode.ts';
import { payloadOf, queriesOf, type ShownTurn } from '../thread/turns.ts';

const MAX_ROWS = 50;
/** Maximum characters of one table, and of a whole answer. */
const MAX_TABLE = 12_000;
const MAX_TEXT = 30_000;
const MAX_MEMBERS = 40;

/** @returns the text; if it is too long, truncated with a note */
export const capped = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n\n${t('The rest was omitted because it is too long.')}`;

/** @param fits whether there is room for the next row @returns the first rows, as many as a model needs */
export function firstRows<R>(rows: readonly R[], fits: (row: R) => boolean): R[] {
  const first = rows.slice(0, MAX_ROWS);
  const end = first.findIndex((row) => !fits(row));
  return end < 0 ? first : first.slice(0, end);
}

/** @returns the first rows as a Markdown table, followed by the number of omitted rows */
export function tableText({ columns, rows, totalRows }: ResultTable): string {
  const { encodeHeader, encodeRow } = markdownTable(typeColumns(columns, rows), { headers: true });
  let text = encodeHeader();
  const { length: count } = firstRows(rows, (row) => {
    const line = encodeRow(row);
    if (text.length + line.length > MAX_TABLE) return false;
    text += line;
    return true;
  });
  return totalRows > count
    ? `${text}\n${plural(totalRows - count, '{0} more row|{0} more rows', totalRows - count)}\n`
    : text;
}

/** @returns the answer, followed by its queries and their results; if there are none, why a step of the agent failed */
export function turnText({ steps, answer }: ShownTurn): string {
  const queries = queriesOf(steps).flatMap(({ payload: { queryTitle, sqlQuery, table } }) =>
    table === undefined ? [] : [`### ${queryTitle || t('SQL')}`, fenced(sqlQuery, 'sql'), tableText(table)],
  );
  return capped([answer?.content ?? '', ...queries].filter(Boolean).join('\n\n')) || failureText(steps);
}

function failureText(steps: ShownTurn['steps']): string {
  for (const payload of steps.map(payloadOf).reverse()) {
    if (payload?.error === undefined) continue;
    if (payload.kind === 'modelSearch') return t('The search failed: {0}', payload.error);
    if (payload.kind === 'sqlQuery') return t('The agent’s query failed: {0}', payload.error);
  }
  return '';
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];

/**
 * @param query search words
 * @returns one line for each member that matches more than half of the words, best match first; empty if there is none
 */
export function membersText(definitions: readonly ModelDefinition[], query: string): string {
  const wanted = [...new Set(wordsOf(query).map((word) => word.replace(/s$/, '')))];
  const found = definitions.flatMap(({ name: view, title: viewTitle, members }) =>
    members.map((member) => {
      const text = [member.name, member.title, member.description, view, viewTitle].join(' ').toLowerCase();
      const hits = wanted.filter((word) => text.includes(word)).length;
      const type = [member.type, member.aggType].filter(Boolean).join(', ');
      const words = oneLine([member.title, member.description].filter(Boolean).join(': '));
      return { hits, line: `- \`${member.name}\`${type ? ` (${type})` : ''}${words ? ` ${words}` : ''}` };
    }),
  );
  const good = found.filter(({ hits }) => hits * 2 > wanted.length).sort((a, b) => b.hits - a.hits);
  const lines = good.slice(0, MAX_MEMBERS).map(({ line }) => line);
  if (good.length > lines.length) lines.push(t('{0} more', good.length - lines.length));
  return capped(lines.join('\n'));
}
