/**
 * Exports all rows of a query to a file: complete, exact, with little memory, and without a trace if it is canceled.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { queryAllRows, type DataBatch } from '../../../../src/api/dataQuery.ts';
import { discardUnfinished, diskSink, writeRows } from '../../../../src/vscode/results/writeRows.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { isFull, runs } from '../../../support/runs.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const ROWS = runs(50_000, 1_000_000);
const PAGE = 1000;
const MEGABYTE = 1024 * 1024;

/** Numbers beyond a double, decimals, line ends, quotes, formulas, null and the empty string. */
const rowText = (row: number): string =>
  `["90071992547409${String(row).padStart(7, '0')}",${row}.10,"=1+${row}\\n\\"quoted\\" ü 📦",${row % 2 === 0 ? 'null' : '""'}]`;

describe('Exporting all rows', () => {
  let server: Server;
  let folder: string;
  let serve: (response: ServerResponse) => Promise<void>;

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      serve(response).catch(() => response.destroy());
    });
    // Only clients close idle connections: a busy machine would send requests on one that the server just closed.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-'));
    serve = (response) => sendRows(response, ROWS);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves no file if the window is left while the file is opened', async () => {
    const opening = diskSink(join(folder, 'rows.csv'));
    await discardUnfinished();
    await opening;
    assert.deepEqual(readdirSync(folder), []);
  });

  const rowsOf = (signal: AbortSignal) =>
    queryAllRows('SELECT 1', {
      dataQueryUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/query`,
      credential: { kind: 'apiKey', value: 'key' },
      signal,
    });
  const options = { headers: true, guardFormulas: true };

  it('writes all rows exactly, with few in memory', async () => {
    const path = join(folder, 'rows.csv');
    const sink = await diskSink(path);
    const before = process.memoryUsage().rss;
    let most = 0;
    const count = await writeRows(rowsOf(new AbortController().signal), 'csv', options, sink.write, () => {
      most = Math.max(most, process.memoryUsage().rss - before);
    });
    await sink.commit();
    assert.equal(count, ROWS);
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
    let row = -1;
    for await (const cells of createReadStream(path).pipe(parse())) {
      if (row >= 0) {
        const text = `'=1+${row}\n"quoted" ü 📦`;
        assert.deepEqual(cells, [`90071992547409${String(row).padStart(7, '0')}`, `${row}.10`, text, '']);
      }
      row++;
    }
    assert.equal(row, ROWS);
    assert.ok(most < 300 * MEGABYTE, `${Math.round(most / MEGABYTE)} MB for ${statSync(path).size} bytes`);
    if (isFull) console.log(`      ${Math.round(most / MEGABYTE)} MB more, ${statSync(path).size} bytes`);
  });

  it('leaves nothing of a canceled export, and keeps the previous file', async () => {
    const path = join(folder, 'rows.json');
    const first = await diskSink(path);
    await first.write('before');
    await first.commit();
    const cancel = new AbortController();
    const sink = await diskSink(path);
    const count = await writeRows(rowsOf(cancel.signal), 'json', options, sink.write, () => cancel.abort());
    assert.ok(count > 0 && count < ROWS);
    assert.equal(readdirSync(folder).length, 2, 'it is being written');
    await sink.discard();
    assert.deepEqual(readdirSync(folder), ['rows.json']);
    assert.equal(readFileSync(path, 'utf8'), 'before');
  });

  it("fails with the service's reason if an error follows rows", async () => {
    serve = async (response) => {
      await sendRows(response, 2 * PAGE, false);
      response.end('{"error":"The warehouse is gone"}\n');
    };
    const sink = await diskSink(join(folder, 'rows.tsv'));
    const writing = writeRows(rowsOf(new AbortController().signal), 'tsv', options, sink.write, () => undefined);
    await assert.rejects(writing, /The warehouse is gone/);
    await sink.discard();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('adds a note below a Markdown table, but not in machine-readable formats', async () => {
    for (const [format, noted] of [
      ['markdown', true],
      ['csv', false],
      ['json', false],
    ] as const) {
      serve = (response) => sendRows(response, 2);
      let text = '';
      const write = async (part: string): Promise<void> => void (text += part);
      const rows = rowsOf(new AbortController().signal);
      await writeRows(
        rows,
        format,
        options,
        write,
        () => undefined,
        () => 'These rows differ.',
      );
      assert.equal(text.endsWith('|\n\n> These rows differ.\n'), noted, format);
      assert.equal(text.includes('differ'), noted, format);
    }
  });

  it('has the format of the first rows, which follow the columns', async () => {
    async function* batches(): AsyncGenerator<DataBatch> {
      const columns = [{ name: 'day', type: 'timestamp' }];
      yield { columns, rows: [], bytes: 0 };
      yield { columns, rows: [['2024-01-01T00:00:00.000']], bytes: 1 };
    }
    let text = '';
    const write = async (part: string): Promise<void> => void (text += part);
    await writeRows(batches(), 'csv', options, write, () => undefined);
    assert.equal(text, 'day\r\n2024-01-01\r\n');
  });

  it('writes a valid file of the format without rows', async () => {
    serve = (response) => sendRows(response, 0);
    let text = '';
    const write = async (part: string): Promise<void> => void (text += part);
    await writeRows(rowsOf(new AbortController().signal), 'json', options, write, () => undefined);
    assert.deepEqual(JSON.parse(text), []);
  });
});

describe('Exporting the rows of an answer', () => {
  it('guards formulas, which a spreadsheet would run, and offers to open the file', async () => {
    let written = '';
    const file = {};
    const opened: unknown[] = [];
    type Ask = (services: object, session: object, toolCallId: string) => Promise<(() => Promise<void>) | undefined>;
    const path = 'vscode/results/exportResults.ts';
    const { askForExport } = await loadWithEditor<{ askForExport: Ask }>(path, {
      commands: { executeCommand: (...all: unknown[]) => Promise.resolve(opened.push(all)) },
      window: {
        showQuickPick: ([csv]: object[]) => Promise.resolve(csv),
        showSaveDialog: () => Promise.resolve(file),
        showInformationMessage: (_text: string, action: string) => Promise.resolve(action),
      },
      workspace: {
        fs: {
          writeFile: (_file: object, bytes: Uint8Array) => Promise.resolve((written = new TextDecoder().decode(bytes))),
        },
      },
    });
    const result = JSON.stringify({ schema: [{ name: 'a', column_type: 'string' }], data: [['=1+1']], totalRows: 1 });
    const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: 'SELECT 1' }), result };
    const thread = withItems(emptyThread('t'), makeItem('q', { toolCall }));
    const services = {
      log: { redactDocument: (text: string) => text },
      identities: { timeZones: () => ({}) },
      sessions: { connectionOf: () => undefined },
    };
    await (
      await askForExport(services, { thread }, 'q')
    )?.();
    assert.equal(written, "a\r\n'=1+1\r\n");
    await until(() => opened.length > 0);
    assert.deepEqual(opened, [['vscode.open', file]]);
  });
});

async function sendRows(response: ServerResponse, count: number, end = true): Promise<void> {
  const schema = ['id', 'amount', 'note', 'code'].map((name, index) => ({
    name,
    column_type: index < 2 ? 'number' : 'string',
  }));
  const closed = once(response, 'close');
  response.write(`${JSON.stringify({ schema })}\n`);
  for (let from = 0; from < count && !response.destroyed; from += PAGE) {
    const rows = Array.from({ length: Math.min(PAGE, count - from) }, (_, index) => rowText(from + index));
    if (response.write(`{"data":[${rows.join(',')}]}\n`)) continue;
    await Promise.race([once(response, 'drain'), closed]);
  }
  if (end) response.end();
}
