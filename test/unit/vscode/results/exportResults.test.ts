/** Exports the rows of a query to a file: complete, exact, with little memory, and without a trace if it is canceled. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { DataBatch } from '../../../../src/api/dataQuery.ts';
import type * as sinks from '../../../../src/vscode/results/fileSink.ts';
import type * as results from '../../../../src/vscode/results/exportResults.ts';
import { discardUnfinished, diskSink, writeRows } from '../../../../src/vscode/results/writeRows.ts';
import { ndjson, services as localServices } from '../service.ts';
import { Editor, finance, pairs, sales, settled, until, Uri, withQuery } from '../support.ts';

const PAGE = 1000;
const options = { headers: true, guardFormulas: true };
const columns = ['id', 'amount', 'note', 'code'].map((name, at) => ({ name, type: at < 2 ? 'number' : 'string' }));

/** The columns, then rows in batches. */
async function* batches(count: number): AsyncGenerator<DataBatch> {
  yield { columns, rows: [], bytes: 0 };
  for (let from = 0; from < count; from += PAGE) {
    const rows = Array.from({ length: Math.min(PAGE, count - from) }, () => [1, 2, 'x'.repeat(50), null]);
    yield { columns, rows, bytes: 1 };
  }
}

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'export-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('Writing all rows', () => {
  it('writes all rows, one piece after the other, and tells how many', async () => {
    const [pieces, counts]: [string[], number[]] = [[], []];
    let isWriting = false;
    const write = async (text: string): Promise<void> => {
      assert.ok(!isWriting, 'the piece before is being written');
      isWriting = true;
      await settled();
      isWriting = false;
      pieces.push(text);
    };
    const count = await writeRows(batches(20_000), 'csv', options, write, (rows) => counts.push(rows));
    assert.deepEqual([count, pieces.length, pieces.join('').split('\r\n').length], [20_000, 5, 20_002]);
    assert.ok(pieces.slice(0, -1).every(({ length }) => length >= 256 * 1024) && isWriting === false);
    assert.ok(counts.every((each, at) => each % PAGE === 0 && each > (counts[at - 1] ?? 0)) && counts.length === 4);
  });

  it('leaves nothing of an export that is discarded, also while its file is opened, and keeps the previous file', async () => {
    const path = join(folder, 'rows.json');
    const first = await diskSink(path);
    await first.write('before');
    await first.commit();
    const sink = await diskSink(path);
    await sink.write('after');
    assert.equal(readdirSync(folder).length, 2, 'it is being written');
    await sink.discard();
    const opening = diskSink(path);
    await discardUnfinished();
    await opening;
    assert.deepEqual(readdirSync(folder), ['rows.json']);
    assert.equal(readFileSync(path, 'utf8'), 'before');
    await assert.rejects(diskSink(join(folder, 'none/rows.json')), /ENOENT/);
    await discardUnfinished();
  });

  it('keeps a file for another file system until it is committed, which that gets as a whole', async () => {
    const editor = new Editor();
    const { fileSink } = await editor.load<typeof sinks>('results/fileSink');
    for (const [end, text] of [
      ['discard', undefined],
      ['commit', 'ä\n2'],
    ] as const) {
      const sink = await fileSink(new Uri('virtual', '', '/shop/rows') as never);
      for (const part of ['ä\n', '2']) await sink.write(part);
      assert.equal(editor.files.size, 0);
      await sink[end]();
      assert.equal(editor.files.get('/shop/rows'), text);
    }
  });

  it('has the format of the first rows, a note only in Markdown, and is valid without rows', async () => {
    async function* days(): AsyncGenerator<DataBatch> {
      const columns = [{ name: 'day', type: 'timestamp' }];
      yield { columns, rows: [], bytes: 0 };
      yield { columns, rows: [['2024-01-01T00:00:00.000']], bytes: 1 };
    }
    for (const [rows, format, text] of [
      [days(), 'csv', /^day\r\n2024-01-01\r\n$/],
      [days(), 'markdown', /2024-01-01.*\|\n\n> These rows differ\.\n$/],
      [days(), 'json', /^\[[^>]*\]\s*$/],
      [batches(0), 'json', /^\[\s*\]\s*$/],
      [batches(0), 'csv', /^id,amount,note,code\r\n$/],
    ] as const) {
      let written = '';
      const write = async (part: string): Promise<void> => void (written += part);
      const note = (): string => 'These rows differ.';
      await writeRows(rows, format, options, write, () => undefined, note);
      assert.match(written, text);
    }
  });
});

describe('Exporting the rows of an answer', () => {
  const { start, closeAll } = localServices();
  afterEach(closeAll);
  let editor: Editor;
  let two: ReturnType<typeof pairs>;
  let { askForExport } = {} as typeof results;
  /** What the service answers with. */
  let lines: object[];
  /** Whether its responses stay open. */
  let isEndless: boolean;
  let asked: unknown[];
  const ALL = 'All 3 rows';
  const HERE = 'The 2 rows in the answer';

  beforeEach(async () => {
    lines = [{ schema: [{ name: 'n', column_type: 'string' }] }, { data: [['=1'], ['the-key'], ['c']] }];
    isEndless = false;
    const { url } = await start(({ response }) => {
      response.write(ndjson(...lines));
      if (!isEndless) response.end();
    });
    [editor, asked] = [new Editor(), []];
    two = pairs({
      connector: {
        dataQuery: (home: { connection: string }, { branch, identity }: { branch: string; identity: string }) => {
          asked.push([home.connection, branch, identity]);
          return Promise.resolve({ dataQueryUrl: url, credential: { kind: 'apiKey', value: 'k' } });
        },
      },
    });
    const query = { sqlQuery: 'SELECT 1', queryTitle: 'Sales: "a"', type: 'string', data: [['=1'], ['other-key']] };
    for (const session of [two.first, two.second]) withQuery(session, 't9', { ...query, totalRows: 3 });
    ({ askForExport } = await editor.load<typeof results>('results/exportResults'));
  });
  const sorting = { column: 0, direction: 'desc' };
  const shownAs = (isWhole = false) => ({ columns: [0], sorting, filters: [], isWhole });
  const save = async (
    pick: string | undefined,
    format: string | undefined,
    path?: string,
    shown?: object,
    id = 't9',
  ) => {
    [editor.picks, editor.targets] = [[pick, format], [path]];
    const run = await askForExport(two.services, two.second, id, shown as never);
    await run?.();
    return path === undefined ? undefined : editor.files.get(path);
  };

  it('has each format, guards formulas and redacts secrets', async () => {
    for (const [format, text, ending] of [
      ['CSV', "n\r\n'=1\r\n[redacted]\r\n", 'csv'],
      ['CSV, UTF-8 with BOM', "\ufeffn\r\n'=1\r\n[redacted]\r\n", 'csv'],
      ['CSV without headers', "'=1\r\n[redacted]\r\n", 'csv'],
      ['TSV', "n\n'=1\n[redacted]\n", 'tsv'],
      ['TSV without headers', "'=1\n[redacted]\n", 'tsv'],
      ['JSON', [{ n: '=1' }, { n: '[redacted]' }], 'json'],
      ['JSON, rows as lists', [['=1'], ['[redacted]']], 'json'],
      ['Markdown', /\| n \|\n\| ?:?-+ ?\|\n\| =1 \|\n/, 'md'],
      ['SQL IN list', /^\('=1', '\[redacted\]'\)/, 'sql'],
    ] as const) {
      const written = (await save(HERE, format, '/shop/rows')) ?? '';
      if (typeof text === 'string') assert.equal(written, text);
      else if (text instanceof RegExp) assert.match(written, text);
      else assert.deepEqual(JSON.parse(written), text);
      assert.equal(editor.names.pop(), `/shop/Sales a.${ending}`);
      const prompts = [...Array<string>(2).fill('Export results'), undefined, 'Select a file format'];
      assert.deepEqual([...editor.prompts.splice(0), ...editor.placeholders.splice(0)], prompts);
    }
    withQuery(two.second, 'untyped', { sqlQuery: 'SELECT 1', type: '', data: [['-1'], ['-2.50']], totalRows: 3 });
    assert.equal(await save(HERE, 'CSV', '/shop/rows', undefined, 'untyped'), 'n\r\n-1\r\n-2.50\r\n', 'numbers');
    editor.settings = { 'export.guardFormulas': false };
    assert.equal(await save(HERE, 'CSV', '/shop/rows'), 'n\r\n=1\r\n[redacted]\r\n');
  });

  it('has the rows of the answer, those that are shown, or all of the query, as its own connection has them', async () => {
    const shown = 'The rows and columns as shown';
    for (const [pick, arrangement, text, requests, note] of [
      [HERE, undefined, "n\r\n'=1\r\n[redacted]\r\n", 0, '2 rows were exported. [Open rows]'],
      [shown, shownAs(), "n\r\n[redacted]\r\n'=1\r\n", 0, '2 rows were exported. [Open rows]'],
      [shown, shownAs(true), "n\r\n[redacted]\r\nc\r\n'=1\r\n", 1, '3 rows were exported. [Open rows]'],
      [HERE, shownAs(true), "n\r\n'=1\r\n[redacted]\r\n", 0, '2 rows were exported. [Open rows]'],
    ] as const) {
      assert.equal(await save(pick, 'CSV', '/shop/rows', arrangement), text);
      assert.deepEqual(asked.splice(0), Array(requests).fill(['finance', 'net', 'ben']));
      assert.deepEqual([editor.messages.splice(0), editor.kinds.splice(0)], [[note], ['information']]);
      assert.deepEqual(editor.offered.splice(0)[0], [...(arrangement ? [shown] : []), HERE, ALL]);
    }
    await save(undefined, 'CSV', undefined, { columns: [0], filters: [] });
    assert.deepEqual(editor.offered.pop(), [HERE, ALL], 'the rows as they came');
    const path = join(folder, 'rows.csv');
    await save(ALL, 'CSV', path);
    assert.equal(readFileSync(path, 'utf8'), "n\r\n'=1\r\n[redacted]\r\nc\r\n");
    assert.deepEqual([editor.progress.at(-1), asked], ['3 rows', [['finance', 'net', 'ben']]]);
    assert.deepEqual(editor.titles, ['Loading all rows…', 'Exporting all rows…']);
    assert.deepEqual(editor.kinds, ['warning']);
    const differing = /^3 rows were exported\. These rows differ from those in the answer\..* \[Open rows.csv\]$/;
    assert.match(editor.messages.join(), differing);
    await save(ALL, 'Markdown', path);
    assert.match(readFileSync(path, 'utf8'), /\n\n> These rows differ from those in the answer\./);
  });

  it('writes nothing if its user cancels a step, or the query fails', async () => {
    await save(undefined, 'CSV');
    for (const format of [undefined, 'CSV']) await save(HERE, format);
    lines = [lines[0]!, { data: [['a']] }, { error: 'The warehouse is gone' }];
    await assert.rejects(save(ALL, 'CSV', join(folder, 'rows.csv')), /The warehouse is gone/);
    assert.deepEqual(readdirSync(folder), []);
    lines = [lines[0]!, { data: [['a']] }];
    editor.onProgress = () => editor.cancel();
    await save(ALL, 'CSV', join(folder, 'rows.csv'));
    await save('The rows and columns as shown', 'CSV', '/shop/rows', shownAs(true));
    assert.deepEqual(readdirSync(folder), []);
    isEndless = true;
    // When the first rows are there.
    editor.onProgress = () => void until(() => editor.progress.length > 0).then(() => editor.cancel());
    await save('The rows and columns as shown', 'CSV', '/shop/rows', shownAs(true));
    assert.deepEqual([editor.files.size, editor.messages], [0, []]);
  });

  it('offers no rows that can’t be loaded, and says how they could be', async () => {
    withQuery(two.second, 'unknown', { sqlQuery: '', totalRows: 2 });
    editor.picks = ['JSON'];
    await askForExport(two.services, two.second, 'unknown');
    assert.deepEqual([editor.offered.splice(0).length, editor.names], [1, ['/shop/Results.json']]);
    withQuery(two.second, 'whole', { sqlQuery: 'SELECT 1' });
    await askForExport(two.services, two.second, 'whole');
    assert.equal(editor.offered.pop()?.[0], 'CSV', 'only the formats');
    for (const [entry, setting] of [
      [{ ...finance, dataQueryUrl: '' }, 'analyticsChat.connections'],
      [{ ...sales, name: '', dataQueryUrl: '' }, 'analyticsChat.dataQueryUrl'],
    ] as const) {
      const { services, second } = pairs({ sessions: { connectionOf: () => entry } });
      withQuery(second, 't9', { sqlQuery: 'SELECT 1', totalRows: 2 });
      [editor.picks, editor.answers] = [Array(2).fill('All 2 rows'), [undefined, 'Open settings']];
      for (const opened of [undefined, setting]) {
        assert.equal(await askForExport(services, second, 't9'), undefined);
        assert.ok(editor.messages.pop()?.includes(`“${setting}”`));
        assert.equal(editor.executed.pop()?.[1], opened);
      }
    }
    const recorded = pairs({ repository: { isReadOnly: () => true } });
    withQuery(recorded.second, 't9', { sqlQuery: 'SELECT 1', totalRows: 2 });
    await askForExport(recorded.services, recorded.second, 't9');
    assert.equal(editor.offered.pop()?.[0], 'CSV', 'only the formats: its SQL may come from someone else');
    editor.picks = ['The rows and columns as shown'];
    assert.equal(await askForExport(recorded.services, recorded.second, 't9', shownAs(true) as never), undefined);
    assert.match(editor.messages.join(), /^The SQL of a recorded chat can’t be run/);
  });
});
