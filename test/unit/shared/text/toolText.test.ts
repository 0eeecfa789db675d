import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { capped, membersText, tableText, turnText } from '../../../../src/shared/text/toolText.ts';
import type { ShownTurn } from '../../../../src/shared/thread/turns.ts';
import { makeItem } from '../../../support/item.ts';

const columns = [{ name: 'id', type: 'string' }];
const rowsOf = (count: number, text = 'x'): string[][] => Array.from({ length: count }, (_, at) => [`${text}${at}`]);

describe('answers for language models', () => {
  it('contain fifty rows and the number of other rows', () => {
    const text = tableText({ columns, rows: rowsOf(60), totalRows: 12345 });
    assert.equal(text.split('\n').filter((line) => line.startsWith('| x')).length, 50);
    assert.match(text, /12295 more rows/);
    assert.doesNotMatch(tableText({ columns, rows: rowsOf(3), totalRows: 3 }), /more rows/);
    assert.match(tableText({ columns, rows: rowsOf(3), totalRows: 4 }), /\n1 more row\n$/);
  });

  it('have the names of the columns, and cells as they are', () => {
    const text = tableText({ columns, rows: [['=1+1']], totalRows: 1 });
    assert.equal(text, '| id |\n| --- |\n| =1+1 |\n');
  });

  it('stay short if cells are long', () => {
    const text = tableText({ columns, rows: rowsOf(50, 'y'.repeat(5000)), totalRows: 50 });
    assert.ok(text.length < 15_000);
    assert.match(text, /48 more rows/);
    assert.equal(capped('z'.repeat(30_000)), 'z'.repeat(30_000));
    assert.match(capped('z'.repeat(30_001)), /^z{30000}\n\nThe rest was omitted/);
  });

  it('contain the text, and each query with its result', () => {
    const steps = [
      makeItem('q', {
        toolCall: {
          name: 'svcSqlApi',
          input: { sqlQuery: 'SELECT 1', queryTitle: 'One' },
          result: { data: [{ id: 1 }] },
        },
      }),
      makeItem('r', {
        toolCall: { name: 'svcSqlApi', input: { sqlQuery: 'SELECT 2' }, result: { data: [{ id: 2 }] } },
      }),
      makeItem('s', { toolCall: { name: 'svcSqlApi', input: { sqlQuery: 'SELECT 3' }, result: { error: 'failed' } } }),
    ];
    const table = (id: number): string => `| id |\n| ---: |\n| ${id} |\n`;
    assert.equal(
      turnText({ steps, answer: makeItem('a', { content: 'Up.' }) } as unknown as ShownTurn),
      `Up.\n\n### One\n\n\`\`\`sql\nSELECT 1\n\`\`\`\n\n${table(1)}\n\n### SQL\n\n\`\`\`sql\nSELECT 2\n\`\`\`\n\n${table(2)}`,
    );
    assert.equal(turnText({ steps: [] } as unknown as ShownTurn), '');
    assert.match(turnText({ steps } as unknown as ShownTurn), /^### One/);
  });

  it('say why the last step failed if there is nothing else to say', () => {
    const failed = (name: string, error: string) =>
      makeItem(name, { toolCall: { name, input: {}, result: { error } } });
    const search = failed('svcMeta', 'no index');
    const query = failed('svcSqlApi', 'no table');
    const textOf = (...steps: ShownTurn['steps']): string => turnText({ steps } as unknown as ShownTurn);
    assert.equal(textOf(query, search), 'The search failed: no index');
    assert.equal(textOf(search, query), 'The agent’s query failed: no table');
    const answer = makeItem('a', { content: 'Sorry.' });
    assert.equal(turnText({ steps: [query], answer } as unknown as ShownTurn), 'Sorry.');
  });

  it('list at most forty members, with their types, and the number of the others', () => {
    const members = Array.from({ length: 42 }, (_, at) => ({
      ...{ name: `sales.n${at}`, title: at === 0 ? 'Net' : '', description: at === 0 ? 'Without\n  tax\n' : '' },
      ...{ type: 'number', ...(at === 0 ? { aggType: 'sum' } : {}) },
    }));
    const lines = membersText([{ name: 'sales', type: 'view', title: '', members }], 'sales').split('\n');
    assert.deepEqual(
      [lines.length, lines[0], lines[1]],
      [41, '- `sales.n0` (number, sum) Net: Without tax', '- `sales.n1` (number)'],
    );
    assert.equal(lines.at(-1), '2 more');
  });

  it('list the members that match most of the words, best first', () => {
    const member = (name: string, title: string) => ({ name, title, description: '', type: 'string' });
    const definitions = [
      {
        name: 'sales',
        type: 'view',
        title: 'Sales',
        members: [member('sales.country', 'Country'), member('sales.customer_country', 'Country of the customer')],
      },
    ];
    const lines = membersText(definitions, 'customer countries country').split('\n');
    assert.deepEqual(lines, ['- `sales.customer_country` (string) Country of the customer']);
    assert.match(
      membersText(definitions, 'sales country customers'),
      /^- `sales\.customer_country` .*\n- `sales\.country` .*$/,
    );
    assert.doesNotMatch(membersText(definitions, 'customer country'), /sales\.country/, 'half of the words');
    for (const query of ['weather', '']) assert.equal(membersText(definitions, query), '');
  });
});
