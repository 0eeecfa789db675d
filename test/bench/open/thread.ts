/** A long thread as left by a week of work; deterministic. */
import { decodeLine } from '../../../src/api/decode.ts';
import { reduceAll } from '../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../src/shared/thread/model.ts';
import { answer } from '../markdown/answers.ts';
import { seeded } from '../../support/random.ts';

const ROWS = 100;
/** Every this many answers has a chart, and so does the last one. */
const CHART_EVERY = 5;
const BLOCKS = 4;
const BLOCK_SIZE = 420;

const agent = ['svc_data_analyst_agent'];
const context = { branch: '', isDefaultBranch: true, identity: 'bench' };
const schema = [
  { name: 'month', column_type: 'time' },
  { name: 'region', column_type: 'string' },
  { name: 'category', column_type: 'string' },
  { name: 'revenue', column_type: 'number' },
  { name: 'share', column_type: 'number' },
];
const vegaSpec = JSON.stringify({
  $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
  mark: 'bar',
  encoding: {
    x: { field: 'month', type: 'temporal' },
    y: { field: 'revenue', type: 'quantitative', aggregate: 'sum' },
    color: { field: 'region', type: 'nominal' },
  },
});

/** The end of the last answer. */
export const END = 'And that is the last word.';

/** @returns a thread of `messages` questions and answers, each answer with reasoning, a query and its rows */
export function longThread(messages: number): Thread {
  const count = messages / 2;
  const random = seeded(11);
  const blocks = answer(count * BLOCKS * BLOCK_SIZE, 1).text.split('\n\n');
  let thread = emptyThread('long');
  for (let turn = 0; turn < count; turn += 1) {
    const text = blocks.slice(turn * BLOCKS, (turn + 1) * BLOCKS).join('\n\n');
    const isLast = turn === count - 1;
    thread = reduceAll(thread, turnEvents(turn, isLast ? `${text}\n\n${END}` : text, random));
  }
  if (thread.turns.length < count || thread.turns.at(-1)?.items.at(-1)?.content.endsWith(END) !== true)
    throw new Error('The thread is not as long as it should be.');
  return thread;
}

function turnEvents(turn: number, content: string, random: () => number): ThreadEvent[] {
  const id = `${1_700_000_000_000 + turn}-message`;
  let sort = 0;
  const line = (fields: object): ThreadEvent => {
    const value = { role: 'assistant', content: '', sort: sort++, isDelta: false, isInProcess: false, ...fields };
    const decoded = decodeLine({ value, text: JSON.stringify(value) });
    if (!('kind' in decoded) || decoded instanceof Error) throw new Error('The line is not understood.');
    return { type: 'line', line: decoded, time: turn };
  };
  const asked = {
    queryTitle: `Revenue by month and region ${turn}`,
    sqlQuery: `SELECT DATE_TRUNC('month', ordered_at) AS month, region, category, MEASURE(revenue), MEASURE(share)\nFROM sales\nWHERE region <> 'r${turn}'\nGROUP BY 1, 2, 3\nORDER BY 4 DESC\nLIMIT ${ROWS}`,
    ...(turn % CHART_EVERY === CHART_EVERY - 1 ? { vegaSpec } : {}),
  };
  const data = Array.from({ length: ROWS }, (_, row) => [
    `2024-${String((row % 12) + 1).padStart(2, '0')}-01T00:00:00.000`,
    `region ${row % 6}`,
    `category ${row % 9}`,
    (random() * 1e6).toFixed(2),
    random(),
  ]);
  return [
    {
      type: 'sent',
      id,
      text: `How did revenue develop by month and region, ${turn}?`,
      images: [],
      context,
      time: turn,
    },
    { type: 'attached' },
    line({
      id: `think ${turn}`,
      thinking: 'The user asks for revenue. I will look for the measure.',
      graphPath: agent,
    }),
    line({
      id: `query ${turn}`,
      graphPath: [...agent, 'tools'],
      toolCall: {
        name: 'svcSqlApi',
        input: JSON.stringify(asked),
        result: JSON.stringify({ ...asked, schema, data, totalRows: 12_345 }),
      },
    }),
    line({ id: `final ${turn}`, content, graphPath: ['final'] }),
    { type: 'finished' },
  ];
}
