/** Runs the data queries of question tests, which reach the rate limit of a service more easily than a single user. */
import { queryTable, type DataQueryOptions } from '../../api/dataQuery.ts';
import { errorFromFetch } from '../../api/errors.ts';
import type { Reconnecting } from '../../shared/thread/model.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { systemClock, type Clock } from './clock.ts';
import { RetryPolicy, TEST_GIVE_UP_AFTER } from './retry.ts';

/**
 * Runs a query, and runs it again after the time that the service asks to wait, as the session does with a question.
 * @throws ChatError, as `queryTable` does; the last one if the service still refuses
 */
export async function queryWithRetries(
  query: string,
  {
    onReconnecting,
    ...options
  }: DataQueryOptions & {
    /** Called before each wait. */
    onReconnecting?: (reconnecting: Reconnecting) => void;
  },
  clock: Clock = systemClock,
): Promise<ResultTable> {
  const policy = new RetryPolicy(() => clock.now(), TEST_GIVE_UP_AFTER);
  for (;;) {
    try {
      return await queryTable(query, options);
    } catch (failure) {
      const error = errorFromFetch(failure);
      const wait = error.asksToWait ? policy.next(error, false, clock.random()) : undefined;
      if (wait === undefined) throw failure;
      onReconnecting?.({ attempt: policy.attempt, until: clock.now() + wait });
      await clock.sleep(wait, options.signal);
    }
  }
}
