/** `analytics-chat ask`: one question on one branch. */
import { gradableQueries, queryFailure } from '../evals/matrix/expectation.ts';
import type { Answer } from '../evals/matrix/answer.ts';
import { escapedControls, fenced } from '../shared/text/plainText.ts';
import { typeColumns } from '../shared/results/cells.ts';
import { encodeRows, type ResultFormat } from '../shared/results/encode.ts';
import type { EncodeOptions } from '../shared/results/rowEncoder.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { CliCommand } from './command.ts';
import { tableLines, askProgress } from './output.ts';
import { NO_ANSWER, Service } from './service.ts';
import { ArgumentError, oneQuestion } from './usage.ts';

const FORMATS = ['text', 'json', 'csv', 'md'] as const;
type Format = (typeof FORMATS)[number];

export const ask: CliCommand = async ({ environment, output, signal }, { positionals, values }) => {
  const question = oneQuestion(positionals);
  const format = FORMATS.find((each) => each === (values.format ?? 'text'));
  if (format === undefined) throw new ArgumentError(`--format must be one of ${FORMATS.join(', ')}.`);
  if (values.raw && format !== 'csv') throw new ArgumentError('--raw needs --format csv.');
  const service = new Service(environment, values.branch);
  const identity = service.identityLabel(values.as);
  const note = (message: string): void => output.note(message);
  const asking = { as: values.as, signal, ...askProgress(note) };
  const answer = await service.ask({ question, ...asking });
  if (answer.isStopped) return 130;
  if (answer.error !== undefined) {
    if (answer.text !== '') output.note(answer.text);
    output.note(answer.error);
    return 2;
  }
  const [query] = gradableQueries(answer);
  // Files get all rows; the terminal gets those of the answer.
  const isFile = format === 'csv' || format === 'json';
  const table = query && isFile ? await service.allRows(query, asking, note) : query?.table;
  if (signal.aborted) return 130;
  if (table && table.rows.length < table.totalRows) {
    const hints = [
      ...(service.canRunSql ? [] : ['set ANALYTICS_CHAT_DATA_QUERY_URL']),
      ...(isFile ? [] : ['use --format csv or json']),
    ];
    const hint = hints.length > 0 ? ` To get all of them, ${hints.join(' and ')}.` : '';
    output.note(`${table.rows.length} of ${table.totalRows} rows.${hint}`);
  }
  if (format === 'csv' && values.sql && query) output.note(query.sql);
  const failure = table ? undefined : queryFailure(answer);
  // CSV has only rows; without any, the user still gets the text of the answer.
  if (format === 'csv' && !table?.columns.length) {
    output.note([answer.text, failure ?? 'The answer has no rows.'].filter(Boolean).join('\n\n'));
    return 0;
  }
  const parts: Rendered = {
    question,
    answer,
    branch: service.branchLabel,
    identity,
    sql: query?.sql || undefined,
    table,
    showSql: values.sql ?? false,
  };
  if (format === 'csv' && table) {
    output.data(encoded(table, 'csv', { headers: true, guardFormulas: !values.raw, lineEnd: '\n' }));
    return 0;
  }
  if (format === 'json') {
    if (failure !== undefined) output.note(failure);
    output.data(`${json(parts)}\n`);
    return 0;
  }
  const rendered = render(format, parts);
  if (rendered === '') output.note(failure ?? NO_ANSWER);
  else output.result(rendered);
  return 0;
};

interface Rendered {
  question: string;
  answer: Answer;
  branch: string;
  identity: string;
  sql: string | undefined;
  table: ResultTable | undefined;
  showSql: boolean;
}

function render(format: Format, { answer, sql, table, showSql }: Rendered): string {
  const isMarkdown = format === 'md';
  const code = showSql && sql !== undefined ? [isMarkdown ? fenced(sql, 'sql') : sql] : [];
  const rows = table ? [isMarkdown ? encoded(table, 'markdown').trimEnd() : tableLines(table)] : [];
  return [answer.text, ...code, ...rows].filter(Boolean).join('\n\n');
}

/** Only Markdown is for readers: in the formats for programs, times are as the service sent them. */
function encoded({ columns, rows }: ResultTable, format: ResultFormat, options?: EncodeOptions): string {
  const typed = typeColumns(columns, rows);
  const exact = typed.map(({ isDays: _, ...column }) => column);
  return encodeRows(format, format === 'markdown' ? typed : exact, rows, options);
}

/**
 * Numbers that a double can't represent exactly are strings of their digits. `##[` is a command to the runner of GitHub
 * Actions.
 */
function json({ question, answer, branch, identity, sql, table }: Rendered): string {
  const head = {
    question,
    answer: answer.text,
    branch,
    identity,
    chatId: answer.thread.chatId ?? null,
    sql: sql ?? null,
    columns: table?.columns ?? [],
    totalRows: table?.totalRows ?? 0,
    usage: answer.usage ?? null,
  };
  const rows = table ? encoded(table, 'json').trimEnd() : '[]';
  const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": ${rows.replaceAll('\n', '\n  ')}\n}`;
  return escapedControls(text).replaceAll('##[', '#\\u0023[');
}
