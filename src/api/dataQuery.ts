/**
 * The data query API: all rows of a query, as lines of JSON. First `{"schema": […]}`, then `{"data": [[…], …]}`
 * again and again; a last or only `{"error": "…"}` when it fails. Its address is set by the user in full.
 */
import { parseExact } from '../shared/exactJson.ts';
import { t } from '../shared/l10n.ts';
import { readTable, type Column } from '../shared/payloads.ts';
import { Secret } from '../shared/secret.ts';
import { checkedUrl } from './address.ts';
import { ChatError, errorFromFetch, errorFromLine, errorFromStatus, withoutSecret } from './errors.ts';
import { NdjsonParser, type ParsedLine } from './ndjson.ts';
import { requestHeaders, type Credential } from './request.ts';

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
  const { credential, signal } = options;
  const url = checkedUrl(options.dataQueryUrl).href;
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const secret = new Secret(credential.value);
  const connection = new AbortController();
  const cancel = (): void => connection.abort();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const response = await send(url, {
      method: 'POST',
      headers: requestHeaders(credential),
      body: JSON.stringify({ query }),
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal: connection.signal,
    });
    if (!response.ok)
      throw errorFromStatus(response.status, secret.hide((await response.text()).slice(0, 65_536)), response.headers);
    yield* readBatches(response, secret);
  } catch (failure) {
    if (!signal.aborted) throw withoutSecret(errorFromFetch(failure), secret);
  } finally {
    signal.removeEventListener('abort', cancel);
    connection.abort();
  }
}

async function* readBatches(response: Response, secret: Secret): AsyncGenerator<DataBatch, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const parser = new NdjsonParser((text) => secret.hideWhole(text));
  const decode = batchDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    for (const line of done ? parser.flush() : parser.push(value)) {
      const batch = decode(line);
      if (batch) yield batch;
    }
    if (done) return;
  }
}

type Fields = Record<string, unknown>;

/** @returns a function from lines to batches that remembers the columns */
function batchDecoder(): (line: ParsedLine) => DataBatch | undefined {
  let columns: readonly Column[] | undefined;
  let schema: unknown;
  return (line) => {
    if ('problem' in line) throw new ChatError('protocol', t('The data query API sent something that is not JSON.'));
    const value = parseExact(line.text) as Fields | null;
    if (typeof value !== 'object' || value === null) return undefined;
    if (typeof value.error === 'string') throw errorFromLine(value.error);
    schema = value.schema ?? schema;
    const table = readTable({ schema, data: value.data });
    if (table === undefined) return undefined;
    columns ??= table.columns;
    return { columns, rows: table.rows };
  };
}
