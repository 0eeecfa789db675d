/**
 * The data query API: all rows of a query, as lines of JSON. First `{"schema": […]}`, then `{"data": [[…], …]}`
 * again and again; a last or only `{"error": "…"}` when it fails. Its address is set by the user in full.
 */
import { isFields } from '../shared/text/checks.ts';
import { parseExact } from '../shared/wire/exactJson.ts';
import { t } from '../shared/text/l10n.ts';
import { readTable, type Column } from '../shared/wire/toolPayloads.ts';
import { Secret } from '../shared/secret.ts';
import { checkedUrl } from './address.ts';
import { ChatError, errorFromJsonRpc, errorFromLine } from './errors.ts';
import { exchange } from './exchange.ts';
import { NdjsonParser, type ParsedLine } from './ndjson.ts';
import { hostFetch } from './post.ts';
import type { Credential } from './request.ts';

/** A part of the result: the columns, which are the same each time, and some more rows. */
export interface DataBatch {
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[];
}

export interface DataQueryOptions {
  dataQueryUrl: string;
  /** For the origin of that address. */
  credential: Credential;
  signal: AbortSignal;
  fetch?: typeof fetch;
}

/**
 * Runs a query and yields its rows as they come; cells keep the digits that the service wrote.
 * @param query the SQL of a tool result, as it is
 * @throws ChatError; an abort of the signal ends the iteration silently
 */
export async function* queryAllRows(
  query: string,
  options: DataQueryOptions,
): AsyncGenerator<DataBatch, void, undefined> {
  const { credential, signal, fetch = hostFetch } = options;
  const url = checkedUrl(options.dataQueryUrl, 'dataQueryUrl').href;
  const secret = new Secret(credential.value);
  const caller = { credential, secret, fetch };
  yield* exchange(caller, url, JSON.stringify({ query }), { signal }, (response) => readBatches(response, secret));
}

async function* readBatches(response: Response, secret: Secret): AsyncGenerator<DataBatch, void, undefined> {
  const reader = response.body?.getReader();
  const parser = new NdjsonParser((text) => secret.hideWhole(text));
  let columns: readonly Column[] | undefined;
  let done = false;
  while (reader && !done) {
    const piece = await reader.read();
    done = piece.done;
    for (const line of piece.done ? parser.flush() : parser.push(piece.value)) {
      const batch = readBatch(line, columns);
      columns ??= batch?.columns;
      if (batch) yield batch;
    }
  }
  // An empty result has its columns at least.
  if (columns === undefined) throw new ChatError('protocol', t('The data query API sent no result.'));
}

/** @param columns those of the lines before; what comes as objects later is read by them too */
function readBatch(line: ParsedLine, columns: readonly Column[] | undefined): DataBatch | undefined {
  const value = valueOf(line);
  if (!isFields(value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') throw errorFromLine(error);
  if (isFields(error)) throw 'jsonrpc' in value ? errorFromJsonRpc(error) : errorFromLine(messageOf(error));
  const table = readTable({ schema: columns ?? value.schema, data: value.data });
  return table && { columns: columns ?? table.columns, rows: table.rows };
}

function valueOf(line: ParsedLine): unknown {
  try {
    if ('value' in line) return parseExact(line.text);
  } catch {
    // Nested too deep to be read exactly: no cell of a table is.
  }
  throw new ChatError('protocol', t('The data query API sent something that is not JSON.'));
}

const messageOf = ({ message }: Record<string, unknown>): string => (typeof message === 'string' ? message : '');
