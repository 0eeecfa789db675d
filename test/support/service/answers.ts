/** Optional fields of the result of a scripted query. */
interface ResultParts {
  vegaSpec?: object;
  schema?: readonly { name: string; column_type: string }[];
  data?: readonly (readonly unknown[])[];
}

const schema = [
  { name: 'region', column_type: 'string' },
  { name: 'revenue', column_type: 'number' },
];
const data = [
  ['north', 1],
  ['south', 2],
];

/** @returns the lines of a thread with one query */
export function resultLines(messageId: unknown, input: unknown, parts: ResultParts): object[] {
  const vegaSpec = parts.vegaSpec && JSON.stringify(parts.vegaSpec);
  const asked = { sqlQuery: 'SELECT region, MEASURE(revenue) FROM sales', queryTitle: 'Revenue by region', vegaSpec };
  const result = { ...asked, schema, data, ...parts, vegaSpec };
  return [
    { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'scripted', isStreaming: true } },
    { id: messageId, role: 'user', content: input, isDelta: false, sort: 1 },
    {
      id: `query ${String(messageId)}`,
      role: 'assistant',
      content: '',
      isDelta: false,
      isInProcess: false,
      sort: 2,
      toolCall: { name: 'svcSqlApi', input: JSON.stringify(asked), result: JSON.stringify(result) },
    },
    {
      id: `final ${String(messageId)}`,
      role: 'assistant',
      content: 'That is all.',
      graphPath: ['final'],
      isDelta: false,
      isInProcess: false,
      sort: 3,
    },
    { id: '__state__', role: 'assistant', isDelta: false, sort: 4, state: { messages: [] } },
  ];
}
