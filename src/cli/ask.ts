/** `analytics-chat ask` and `analytics-chat compare`: one question, on one branch or on two. */
import { gradableQueries, noQueryReason, queryFailure } from '../evals/matrix/expectation.ts';
import type { Answer } from '../evals/matrix/answer.ts';
import { escapedControls, fenced } from '../shared/text/plainText.ts';
import { messageOf } from '../shared/text/checks.ts';
import { plural } from '../shared/text/l10n.ts';
import { typeColumns } from '../shared/results/cells.ts';
import { encodeRows, type EncodeOptions, type ResultFormat } from '../shared/results/encode.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { Command } from './command.ts';
import { type Output, tableLines, askProgress, typedLines } from './output.ts';
import { NO_ANSWER, Service } from './service.ts';
import { ArgumentError, UsageError } from './usage.ts';
import { AnswerRows, describeDifference } from '../compare/answerRows.ts';
import { flatComparison } from '../compare/compareExport.ts';
import { compareTables } from '../compare/compareTables.ts';

const FORMATS = ['text', 'json', 'csv', 'md'] as const;
type Format = (typeof FORMATS)[number];

export const ask: Command = async ({ environment, output, signal }, { positionals, values }) => {
  const question = oneQuestion(positionals);
  const format = FORMATS.find((each) => each === (values.format ?? 'text'));
  if (format === undefined) throw new ArgumentError(`--format must be one of ${FORMATS.join(', ')}.`);
  if (values.raw && format !== 'csv') throw new ArgumentError('--raw needs --format csv.');
  const service = new Service(environment, values.branch);
  const identity = service.identityLabel(values.as);
  const asking = { as: values.as, signal, ...askProgress(output) };
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
  const table = query && isFile ? await service.allRows(query, asking) : query?.table;
  if (signal.aborted) return 130;
  if (query && table) noteDifference(output, query.table, table);
  if (table && table.rows.length < table.totalRows) {
    const hints = [
      ...(service.canRunSql ? [] : ['set ANALYTICS_CHAT_DATA_QUERY_URL']),
      ...(isFile ? [] : ['use --format csv or json']),
    ];
    const hint = hints.length > 0 ? ` To get all of them, ${hints.join(' and ')}.` : '';
    output.note(`${table.rows.length} of ${table.totalRows} rows.${hint}`);
  }
  if (format === 'csv' && values.sql && query) output.note(query.sql);
  // CSV has only rows; without any, the user still gets the text of the answer.
  if (format === 'csv' && !table?.columns.length) {
    output.note([answer.text, 'The answer has no rows.'].filter(Boolean).join('\n\n'));
    return 0;
  }
  const parts: Rendered = {
    question,
    answer,
    branch: service.branchLabel,
    identity,
    sql: query?.sql,
    table,
    showSql: values.sql ?? false,
  };
  if (format === 'csv' && table) {
    output.data(encoded(table, 'csv', { headers: true, guardFormulas: !values.raw, lineEnd: '\n' }));
    return 0;
  }
  if (format === 'json') {
    output.data(`${json(parts)}\n`);
    return 0;
  }
  const rendered = render(format, parts);
  if (rendered === '') output.note(queryFailure(answer) ?? NO_ANSWER);
  else output.result(rendered);
  return 0;
};

function oneQuestion([question, ...more]: readonly string[]): string {
  if (question === undefined || question.trim() === '' || more.length > 0)
    throw new ArgumentError('Pass one question, in quotes.');
  return question;
}

/** Tells the user if the loaded rows differ from those of the answer, as the editor does. */
function noteDifference(output: Output, inAnswer: ResultTable, loaded: ResultTable, label = ''): void {
  if (loaded === inAnswer) return;
  const answer = new AnswerRows(inAnswer);
  answer.check(loaded.rows);
  const difference = answer.difference(true);
  if (difference) output.note(label + describeDifference(difference));
}

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

const encoded = ({ columns, rows }: ResultTable, format: ResultFormat, options?: EncodeOptions): string =>
  encodeRows(format, typeColumns(columns, rows), rows, options);

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

const STATUSES = { same: 'same', changed: 'changed', added: 'added', removed: 'removed' };

export const compare: Command = async ({ environment, output, signal }, { positionals, values }) => {
  const question = oneQuestion(positionals);
  const branches = values.branches?.split(',').map((name) => name.trim()) ?? [];
  const [left = '', right = ''] = branches;
  if (branches.length !== 2 || left === '' || right === '')
    throw new ArgumentError('Pass two branches: --branches A,B');
  const before = new Service(environment, left);
  const after = new Service(environment, right);
  before.identityLabel(values.as);
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const ask = async (service: Service) => {
    const asking = { as: values.as, signal: stop, ...askProgress(output) };
    const answer = await service.ask({ question, ...asking });
    if (answer.isStopped) return undefined;
    if (answer.error !== undefined) throw new UsageError(`${service.branchLabel}: ${answer.error}`);
    const [query] = gradableQueries(answer);
    if (query === undefined) throw new UsageError(`${service.branchLabel}: ${noQueryReason(answer)}`);
    const table = await service.allRows(query, asking).catch((failure: unknown) => {
      throw new UsageError(`${service.branchLabel}: ${messageOf(failure)}`);
    });
    if (!stop.aborted) noteDifference(output, query.table, table, `${service.branchLabel}: `);
    return table;
  };
  const [leftTable, rightTable] = await Promise.all([ask(before), ask(after)]).catch((failure: unknown) => {
    // There is nothing to compare with the other answer: stop it, also on the service.
    failed.abort();
    throw failure;
  });
  if (signal.aborted || leftTable === undefined || rightTable === undefined) return 130;
  const comparison = compareTables(leftTable, rightTable);
  if (comparison.isPartial && !before.canRunSql)
    output.note(
      'The answers don’t contain all rows, so differences may be misleading. Set ANALYTICS_CHAT_DATA_QUERY_URL to compare all rows.',
    );
  // Rows don't differ by a column that only one side has.
  const shared = comparison.rows.filter(({ status }) => status === 'same' || status === 'changed');
  for (const [branch, other] of [
    [left, 'right'],
    [right, 'left'],
  ] as const) {
    const alone = comparison.measures.filter((_, index) => shared.some(({ cells }) => !(other in cells[index]!)));
    if (alone.length > 0) output.note(`Only ${branch} has the columns: ${alone.map(({ name }) => name).join(', ')}`);
  }
  const differing = comparison.rows.filter(({ status }) => status !== 'same');
  const total = comparison.rows.length;
  const summary = `${plural(total, '{0} of {1} row changed|{0} of {1} rows changed', differing.length, total)}.`;
  if (differing.length === 0) {
    output.result(summary);
    return 0;
  }
  const labels = { left, right, status: 'status', statuses: STATUSES, change: 'change', percent: '%', absent: '–' };
  const { columns, rows } = flatComparison({ ...comparison, rows: differing }, labels);
  output.result(`${typedLines(columns, rows)}\n\n${summary}`);
  return 1;
};
