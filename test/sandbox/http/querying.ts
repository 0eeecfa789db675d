/** The data query API: streams all rows of a query as NDJSON. */
import { Wire } from '../faults/wire.ts';
import type { FaultSpec } from '../faults/spec.ts';
import type { Exchange } from './exchange.ts';
import { badRequest } from './failures.ts';
import { readChatFields } from './requests.ts';
import { branchOf, type Service } from '../service/service.ts';

/** Number of rows per line. */
const PAGE_ROWS = 1000;

const FIELDS = ['query', 'sessionSettings', 'activeBranchName', 'isDefaultBranch'];

/**
 * Accepts `{"query": "<semantic SQL>"}` with `sessionSettings`, `activeBranchName` and `isDefaultBranch`, validated as
 * in a chat request. Streams `{"schema": …}`, then lines `{"data": [[…], …]}`; on failure, `{"error": "…"}` as the last
 * or only line.
 * @throws HttpFailure 400 for an unknown field, so that no field is silently ignored
 */
export async function queryData(service: Service, exchange: Exchange, fault: FaultSpec): Promise<void> {
  const { authenticator } = service;
  const { caller, body } = await authenticator.authenticate(exchange);
  const { query } = body;
  for (const field of Object.keys(body)) if (!FIELDS.includes(field)) throw badRequest(`Unknown field '${field}'`);
  if (typeof query !== 'string' || query.trim() === '') throw badRequest('query must be SQL text');
  const { activeBranchName, isDefaultBranch } = body;
  const branch = branchOf(service, readChatFields({ activeBranchName, isDefaultBranch }));
  if (branch === undefined) throw badRequest('Bad branch');

  const { response } = exchange;
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  const wire = new Wire(response, fault);
  let first = true;
  try {
    for await (const { schema, data } of branch.engine(authenticator.rowFilters(caller)).pages(query, PAGE_ROWS)) {
      if (first && !(await wire.write(`${JSON.stringify({ schema })}\n`))) return;
      first = false;
      if (data.length > 0 && !(await wire.write(`${JSON.stringify({ data })}\n`))) return;
    }
    if (fault.errorLine !== undefined) await wire.write(`${JSON.stringify({ error: fault.errorLine })}\n`);
  } catch (error) {
    await wire.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
  }
  wire.end();
}
