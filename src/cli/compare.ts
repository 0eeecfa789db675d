/** `analytics-chat compare`: one question on two branches, the rows that differ. */
import { flatComparison } from '../compare/compareExport.ts';
import { compareTables } from '../compare/compareTables.ts';
import { gradableQueries } from '../evals/run/expectation.ts';
import type { Command } from './command.ts';
import { typedLines, toolProgress } from './output.ts';
import { Service } from './service.ts';
import { UsageError } from './usage.ts';

const STATUSES = { same: 'same', changed: 'changed', added: 'added', removed: 'removed' };

export const compare: Command = async ({ environment, output, signal }, { positionals, values }) => {
  const [question] = positionals;
  const branches = values.branches?.split(',').map((name) => name.trim()) ?? [];
  const [left = '', right = ''] = branches;
  if (question === undefined || question.trim() === '' || positionals.length > 1)
    throw new UsageError('Pass one question, in quotes.');
  if (branches.length !== 2 || left === '' || right === '') throw new UsageError('Pass two branches: --branches A,B');
  const [before, after] = [left, right].map((branch) => new Service(environment, branch)) as [Service, Service];
  before.identityLabel(values.as);
  const ask = async (service: Service) => {
    const answer = await service.ask({ question, as: values.as, signal, onTool: toolProgress(output) });
    if (answer.isStopped) return undefined;
    if (answer.error !== undefined) throw new UsageError(`${service.branchLabel}: ${answer.error}`);
    const [query] = gradableQueries(answer);
    if (query === undefined) throw new UsageError(`${service.branchLabel}: The agent ran no query.`);
    return service.allRows(query, values.as, signal);
  };
  const [leftTable, rightTable] = await Promise.all([ask(before), ask(after)]);
  if (signal.aborted || leftTable === undefined || rightTable === undefined) return 130;
  const comparison = compareTables(leftTable, rightTable);
  if (comparison.isPartial)
    output.note(
      'The answers don’t contain all rows, so differences may be misleading. Set ANALYTICS_CHAT_DATA_QUERY_URL to compare all rows.',
    );
  const differing = comparison.rows.filter(({ status }) => status !== 'same');
  if (differing.length === 0) {
    output.result(`No rows differ (${comparison.rows.length}).`);
    return 0;
  }
  const labels = { left, right, status: 'status', statuses: STATUSES, change: 'change', percent: '%' };
  const { columns, rows } = flatComparison({ ...comparison, rows: differing }, labels);
  output.result(`${typedLines(columns, rows)}\n\n${differing.length} of ${comparison.rows.length} rows differ.`);
  return 0;
};
