/** Data queries of question tests and comparisons, which run many at once. */
import { queryTable, type DataQueryOptions } from '../../api/dataQuery.ts';
import { errorFromFetch } from '../../api/errors.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { systemClock, type Clock } from './clock.ts';
import { RetryPolicy } from './retry.ts';

/**
 * Runs a query, and again if the service has asked to wait: a question that is refused so is asked again too.
 * @throws ChatError, as `queryTable` does; the last one if the service goes on refusing
 */
export async function queryWithRetries(
  query: string,
  options: DataQueryOptions,
  clock: Clock = systemClock,
): Promise<ResultTable> {
  const policy = new RetryPolicy(() => clock.now());
  for (;;) {
    try {
      return await queryTable(query, options);
    } catch (failure) {
      const error = errorFromFetch(failure);
      const isAsked = error.kind === 'rateLimited' || error.retryAfter !== undefined;
      const wait = isAsked ? policy.next(error, false, clock.random()) : undefined;
      if (wait === undefined) throw failure;
      await clock.sleep(wait, options.signal);
    }
  }
}
