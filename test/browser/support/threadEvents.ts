/** Events of threads, with two of each: questions in two contexts, an answer with each kind of step and of result. */
import type { ErrorAction, StopOutcome, ThreadEvent } from '../../../src/shared/thread/model.ts';
import type { StreamLine } from '../../../src/shared/wire/streamLines.ts';
import { PIXEL } from '../../support/samples.ts';

export const TIME = Date.UTC(2024, 1, 29, 10, 30);
export const DEV = { branch: '', isDefaultBranch: true, identity: 'dev' };
export const EUROPE = { branch: 'net', isDefaultBranch: false, identity: 'europe' };
export const images = [{ name: 'a.png' }, {}].map((named) => ({ ...named, mimeType: 'image/png', data: PIXEL }));

export const sent = (id: string, text: string, context = DEV, attached: typeof images = []): ThreadEvent => ({
  ...{ type: 'sent', id, text, context, images: attached, time: TIME },
});
export const line = (line: object, seconds = 0): ThreadEvent => ({
  ...{ type: 'line', line: line as StreamLine, time: TIME + seconds * 1000 },
});
export const MESSAGE = { kind: 'message', role: 'assistant', graphPath: [], isDelta: false, isInProcess: false };
export const think = (id: string, thinking: string, seconds: number): ThreadEvent =>
  line({ ...MESSAGE, id, thinking }, seconds);
export const tool = (id: string, name: string, input: object, result?: object): ThreadEvent => {
  const toolCall = { name, input, ...(result && { result: { ...input, ...result } }) };
  return line({ ...MESSAGE, kind: 'toolCall', id, toolCall, isInProcess: !result });
};
export const answer = (id: string, content: string): ThreadEvent =>
  line({ ...MESSAGE, id, content, graphPath: ['final'] });
export const done: ThreadEvent = { type: 'finished' };
export const failed = (message: string, ...actions: ErrorAction[]): ThreadEvent => ({
  ...{ type: 'failed', error: { kind: 'network', message, actions } },
});
export const stopped = (messageId: string, service: StopOutcome): ThreadEvent => ({
  type: 'stopped',
  messageId,
  service,
});

const TYPES = ['number', 'String', 'time', 'boolean', 'geo'];
const member = (name: string, at: number): object => ({
  ...{ name: `${name}.m${at}`, title: at === 1 ? '' : `Member ${at}`, description: at === 0 ? 'The first' : '' },
  ...{ type: TYPES[at % 5], ...(at === 5 ? { aggType: 'sum' } : {}) },
});
export const cube = (name: string, title: string, count: number): object => ({
  ...{ name, type: 'view', title, members: Array.from({ length: count }, (_, at) => member(name, at)) },
});
export const QUESTION = 'About orders.yml:\n```yaml\ncubes: []\n```\n\nhow many?';
export const steps: ThreadEvent[] = [
  sent('q1', QUESTION, DEV, images),
  think('m1', 'Let me **think**.', 1),
  tool('s1', 'svcMeta', { searchQuery: 'sales' }, { cubes: [cube('orders', 'Orders', 6), cube('returns', '', 2)] }),
  line({ ...MESSAGE, id: 'm2', content: 'I look *further*.' }, 2),
  tool('s2', 'svcMeta', { searchQuery: 'nothing' }, { cubes: [] }),
  tool('s3', 'svcMeta', { searchQuery: 'broken' }, { error: 'no model' }),
  think('m3', 'And again.', 4),
];
export const n = { schema: [{ name: 'n', column_type: 'number' }] };
export const queries: ThreadEvent[] = [
  tool(
    't1',
    'svcSqlApi',
    { sqlQuery: 'SELECT m5', queryTitle: 'Part', description: 'All' },
    { ...n, data: [[1], [2]], totalRows: 9 },
  ),
  tool('t2', 'svcSqlApi', { sqlQuery: 'SELECT 2', queryTitle: 'Broken' }, { error: 'no such column' }),
  tool('t4', 'svcSqlApi', { sqlQuery: 'SELECT 4' }, { schema: [], data: [[], []] }),
  tool('t5', 'run_sql', { sqlQuery: 'SELECT 5', queryTitle: 'Warehouse' }, { ...n, data: [[5]] }),
  tool(
    't6',
    'svcSqlApiWithChart',
    { sqlQuery: 'SELECT 6', queryTitle: 'Drawn' },
    { ...n, data: [[6]], vegaSpec: { mark: 'point', encoding: { x: { field: 'n', type: 'quantitative' } } } },
  ),
  tool(
    't3',
    'svcSqlApi',
    { sqlQuery: "SELECT date_trunc('day', d), m5", description: 'Described' },
    { ...n, data: [] },
  ),
  tool('u1', 'send_mail', { to: 'ana' }, { sent: true }),
  tool('u2', 'send_fax', { to: 'bob' }, { error: 'no line' }),
];
const counts = { inputTokens: 1000, outputTokens: 134, cacheReadTokens: 90, cacheWriteTokens: 10 };
export const usage = line({ kind: 'usage', usage: counts });
export const uncounted = line({ kind: 'usage', usage: {} });
const TABLES = 'One.\n\n| a |\n|---|\n| -1 |\n\n| b |\n|---|\n| =2 |';
export const finished = [...[...steps, ...queries, answer('a1', TABLES)], ...[usage, done]];
