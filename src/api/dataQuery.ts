/**
 * The client of the data query API, which returns all rows of a query as NDJSON: `{"schema": […]}`, then any number of
 * `{"data": [[…], …]}`; on failure, `{"error": "…"}` as the last or only line. Users set its complete URL.
 */
import { isFields, textIn } from '../shared/text/checks.ts';
import { parseExact } from '../shared/wire/exactJson.ts';
import { t } from '../shared/text/l10n.ts';
import { withPlainParts } from '../shared/wire/plainParts.ts';
import { readTable, type Column, type ResultTable } from '../shared/wire/toolPayloads.ts';
import { Secrets } from '../shared/text/secrets.ts';
import { dataQueryAddress } from './address.ts';
import { ChatError, errorFromJsonRpc, errorFromLine } from './errors.ts';
import { exchange, fetchTwice, hostFetch, type StallTimer } from './exchange.ts';
import { MAX_LINE_BYTES, NdjsonParser, TOO_LONG, type ParsedLine } from './ndjson.ts';
import { renewing } from './renewal.ts';
import { dataQueryBody, type Credential, type QueryContext } from './request.ts';

/** A batch of rows; all batches of a result share their columns. */
export interface DataBatch {
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[];
  /** Bytes of the response so far, decompressed. */
  bytes: number;
}

export interface DataQueryOptions extends QueryContext {
  /** As set by the user; `{branch}` is replaced by the branch. */
  dataQueryUrl: string;
  /** Replaces `{branch}` if no branch is given; `main` by default. */
  mainBranch?: string;
  /** The credential for the origin of that URL. */
  credential: Credential;
  signal: AbortSignal;
  /** Milliseconds without a row after which the query fails with `stalled`. */
  stallTimeout?: number;
  fetch?: typeof fetch;
}

/** Milliseconds; a fetch without an answer ends after the same time. */
const STALL_TIMEOUT = 5 * 60_000;
/** Of one table, which is kept in memory. */
const MOST_ROWS = 1_000_000;
const MOST_MEGABYTES = 100;

/**
 * Runs a query and yields its rows as they arrive. Numbers keep the digits that the service sent.
 * @param query the SQL of a tool result, unchanged
 * @throws ChatError; if the signal aborts, the iteration ends without an error
 */
export async function* queryAllRows(
  query: string,
  options: DataQueryOptions,
): AsyncGenerator<DataBatch, void, undefined> {
  const { dataQueryUrl, mainBranch = 'main', activeBranchName = mainBranch } = options;
  const { credential, signal, stallTimeout = STALL_TIMEOUT, fetch = hostFetch } = options;
  const url = dataQueryAddress(dataQueryUrl, activeBranchName).href;
  const body = dataQueryBody(query, credential.kind, options);
  const caller = { credential, secrets: new Secrets(credential.value), fetch: fetchTwice(fetch) };
  yield* renewing(caller, (valid) => exchange(valid, url, body, { signal, stallTimeout }, readBatches));
}

/**
 * Same as `queryAllRows`, but collects the rows in one table.
 * @throws ChatError also for more rows or bytes than fit into memory
 */
export async function queryTable(query: string, options: DataQueryOptions): Promise<ResultTable> {
  let columns: readonly Column[] = [];
  const rows: (readonly unknown[])[] = [];
  for await (const batch of queryAllRows(query, options)) {
    columns = batch.columns;
    if (rows.length + batch.rows.length > MOST_ROWS || batch.bytes > MOST_MEGABYTES * 1_000_000)
      throw new ChatError(
        'protocol',
        t(
          'The result has more than {0} rows or {1} MB. Limit the rows of the query.',
          MOST_ROWS.toLocaleString(),
          MOST_MEGABYTES,
        ),
      );
    for (const row of batch.rows) rows.push(row);
  }
  return { columns, rows, totalRows: rows.length };
}

async function* readBatches(
  response: Response,
  stall: StallTimer,
  signal: AbortSignal,
): AsyncGenerator<DataBatch, void, undefined> {
  const reader = response.body?.getReader();
  signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined));
  const parser = new NdjsonParser();
  let columns: readonly Column[] | undefined;
  let bytes = 0;
  let done = false;
  while (reader && !done) {
    const piece = await reader.read();
    signal.throwIfAborted();
    done = piece.done;
    bytes += piece.value?.length ?? 0;
    for (const line of piece.done ? parser.flush() : parser.push(piece.value)) {
      const batch = readBatch(line, columns);
      if (!batch) continue;
      const isProgress = columns === undefined || batch.rows.length > 0;
      columns ??= batch.columns;
      // Only the silence of the service counts, not the time that the consumer takes.
      if (isProgress) stall.pause();
      yield { ...batch, bytes };
      if (isProgress) stall.progress();
    }
  }
  // Even an empty result must have a schema.
  if (columns === undefined) throw new ChatError('protocol', t('The data query API returned no result.'));
}

/** @param columns the columns of earlier lines, also used for rows that arrive as objects */
function readBatch(line: ParsedLine, columns: readonly Column[] | undefined): Omit<DataBatch, 'bytes'> | undefined {
  const value = valueOf(line);
  if (!isFields(value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') throw errorFromLine(error);
  if (isFields(error))
    throw 'jsonrpc' in value ? errorFromJsonRpc(error) : errorFromLine(textIn(error, 'message') ?? '');
  // Rows of other columns must not stand under the names of the first ones.
  const again = columns && readTable({ schema: value.schema })?.columns;
  if (again?.some(({ name }, index) => name !== columns?.[index]?.name))
    throw new ChatError('protocol', t('The data query API returned two results with different columns.'));
  const table = readTable({ schema: columns ?? value.schema, data: value.data });
  // Without a schema, a batch has columns only if it has rows.
  const named = columns ?? table?.columns;
  return table && named?.length ? { columns: named, rows: table.rows } : undefined;
}

function valueOf(line: ParsedLine): unknown {
  try {
    if ('value' in line) return withPlainParts(parseExact(line.text), line.value);
  } catch {
    // Too deeply nested for a `JSON.parse` reviver, so not a valid table.
  }
  // The page of a login or of a wrong URL.
  if (line.text.trimStart().startsWith('<'))
    throw new ChatError('protocol', t('The server sent a web page instead of an answer.'));
  if ('problem' in line && line.problem === TOO_LONG)
    throw new ChatError(
      'protocol',
      t('The data query API returned a line of more than {0} MB.', MAX_LINE_BYTES / 1024 / 1024),
    );
  throw new ChatError('protocol', t('The data query API returned invalid JSON.'));
}
