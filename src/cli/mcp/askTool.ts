/** The tool `ask`: one question, or a follow-up. */
import { z } from 'zod';
import type { Answer, AnsweredQuery } from '../../evals/matrix/answer.ts';
import { queryFailure } from '../../evals/matrix/expectation.ts';
import { fenced } from '../../shared/text/plainText.ts';
import { capped, firstRows, tableText } from '../../shared/text/toolText.ts';
import { askProgress } from '../output.ts';
import { NO_ANSWER, Service } from '../service.ts';
import { as, branch, name, type Tool, type ToolResult } from './tool.ts';

/**
 * Milliseconds. For a client without progress, a service that is silent is given up after the second silence, in less than
 * the minute after which such clients give up a call by default, without the reason.
 */
const GIVE_UP_AFTER = 25_000;

/** Characters of all queries and their rows, as JSON. */
const MOST_DATA = 24_000;

const inputSchema = {
  question: name.describe('A question about the data, in plain words'),
  branch,
  as,
  chatId: name.optional().describe('Thread to continue, from an earlier answer; a new one by default'),
};

const query = z.object({
  sql: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  rows: z.array(z.array(z.unknown())).optional().describe('In the order of the columns; long numbers are strings'),
  totalRows: z.number().optional().describe('Number of rows of the result, also of those left out'),
  error: z.string().optional(),
});

export const askTool: Tool<typeof inputSchema> = {
  name: 'ask',
  title: 'Ask the analytics agent',
  description:
    'Answers a question about the data with text, SQL and rows. Slow: the agent searches and runs SQL. Pass the chatId of an answer to ask a follow-up.',
  inputSchema,
  outputSchema: {
    text: z.string(),
    queries: z.array(query).describe('The queries of the answer, in the order they ran'),
    branch: z.string(),
    identity: z.string(),
    chatId: z.string().optional(),
    notice: z.string().optional().describe('Says what was left out'),
  },
  async run({ question, branch: on, as: identity, chatId }, { environment, signal, progress }) {
    const service = new Service(environment, on);
    const answer = await service.ask({
      ...{ question, chatId, as: identity, signal },
      ...(progress ? askProgress((text) => progress.report(text)) : { giveUpAfter: GIVE_UP_AFTER }),
    });
    const kind = chatId === undefined ? undefined : answer.thread.error?.kind;
    if (kind === 'notFound') throw new Error(`The service has no thread “${chatId}”. Omit chatId to start one.`);
    if (kind === 'busy')
      throw new Error('The agent is still answering in this thread. Wait for that answer, or omit chatId.');
    if (answer.error !== undefined) throw new Error([answer.error, answer.text].filter(Boolean).join('\n\n'));
    return result(answer, service.branchLabel, service.identityLabel(identity));
  },
};

function result(answer: Answer, asked: string, identity: string): ToolResult {
  const { chatId } = answer.thread;
  let room = MOST_DATA;
  let isCut = false;
  const queries = answer.queries.flatMap(({ sql, table, error }) => {
    room -= sql.length;
    isCut ||= room < 0;
    if (room < 0) return [];
    const failure = error === undefined ? {} : { error };
    if (table === undefined) return [{ sql, ...failure }];
    const rows = firstRows(table.rows, (row) => (room -= JSON.stringify(row).length) >= 0);
    isCut ||= rows.length < table.totalRows;
    return [{ sql, columns: table.columns, rows, totalRows: table.totalRows, ...failure }];
  });
  const text = capped([answer.text, ...answer.queries.flatMap(queryText)].filter(Boolean).join('\n\n'));
  const where = [`Asked on branch ${asked} as ${identity}`, ...(chatId === undefined ? [] : [`chatId: ${chatId}`])];
  return {
    text: `${text || (queryFailure(answer) ?? NO_ANSWER)}\n\n${where.join('\n')}`,
    structured: {
      ...{ text: capped(answer.text), queries, branch: asked, identity, chatId },
      ...(isCut ? { notice: 'Some rows or queries are left out. Ask for fewer rows, or for totals.' } : {}),
    },
  };
}

const queryText = (query: AnsweredQuery): string[] =>
  query.table
    ? [fenced(query.sql, 'sql'), tableText(query.table), queryFailure({ queries: [query] }) ?? ''].filter(Boolean)
    : [];
