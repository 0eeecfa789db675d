/** The service on one branch: asking, and running SQL through the data query API. */
import { ChatClient } from '../api/client.ts';
import { queryTable } from '../api/dataQuery.ts';
import { withRetries } from '../chat/session/retry.ts';
import { queryFailureText } from '../chat/connection/errorMessages.ts';
import { queryContextOf, type Connect, type Connection } from '../chat/connection/connection.ts';
import { sessionAsk, type Answer, type AskEvents } from '../evals/matrix/answer.ts';
import type { TestQuestion } from '../evals/question.ts';
import { allRowsOf } from '../compare/answerRows.ts';
import type { GradableQuery } from '../evals/matrix/expectation.ts';
import type { Context } from '../evals/matrix/matrix.ts';
import type { MatrixOptions } from '../evals/matrix/runMatrix.ts';
import type { Thread } from '../shared/thread/model.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { Environment } from './environment.ts';
import type { OnWaiting } from './output.ts';
import { UsageError } from './usage.ts';

/** Milliseconds of silence after which a connection counts as lost. */
const STALL_TIMEOUT = 60_000;

/** Milliseconds that a stop waits for the service, twice at most, because the user waits for the command to end. */
const STOP_PATIENCE = 1000;

/** Said of an answer with neither text nor rows. */
export const NO_ANSWER = 'The agent returned no answer.';

interface Loading extends Pick<AskEvents, 'onReconnecting'> {
  /** Name of the identity to ask as. */
  as?: string;
  signal: AbortSignal;
}

export interface Asking extends Loading, AskEvents {
  question: string;
  /** The thread to continue; a new one by default. */
  chatId?: string;
  /** The same, if it is known. */
  thread?: Thread;
  /**
   * Milliseconds of failures without progress after which the question is given up; those of a test by default. Silence
   * counts as a failure after the same time, but at the latest after a minute.
   */
  giveUpAfter?: number;
  /** Called as soon as the service begins to answer. */
  onServed?: () => void;
}

/** A branch of the service, and the identity to ask as. */
export interface ServiceContext extends Context {
  service: Service;
}

export class Service {
  readonly #environment: Environment;
  readonly #client: ChatClient;
  readonly #branch: string | undefined;

  /** @param branch defaults to the main branch */
  constructor(environment: Environment, branch: string | undefined) {
    this.#environment = environment;
    const { chatApiUrl, credential } = environment;
    this.#client = new ChatClient({ chatApiUrl, credential });
    this.#branch = branch;
  }

  get branchLabel(): string {
    return this.#branch ?? this.#environment.mainBranch;
  }

  get canRunSql(): boolean {
    return this.#environment.dataQueryUrl !== undefined;
  }

  /** @throws UsageError for an unknown identity */
  identityLabel(as: string | undefined): string {
    return this.#environment.identity(as).label;
  }

  ask({ question, chatId, thread, as, signal, giveUpAfter, onServed, ...events }: Asking): Promise<Answer> {
    const stallTimeout = Math.min(STALL_TIMEOUT, giveUpAfter ?? STALL_TIMEOUT);
    const connect: Connect = () => Promise.resolve({ client: this.#client, ...this.#contextOf(as), stallTimeout });
    const ask = sessionAsk(connect, events, { chatId, thread, stopPatience: STOP_PATIENCE, giveUpAfter });
    return ask(question, signal, onServed);
  }

  /**
   * @returns all rows of a query
   * @throws ChatError
   */
  async runSql(sql: string, { as, signal, onReconnecting }: Loading): Promise<ResultTable> {
    const { dataQueryUrl = '', mainBranch, dataQueryCredential: credential } = this.#environment;
    const queryContext = queryContextOf(this.#contextOf(as));
    const options = { dataQueryUrl, mainBranch, credential, ...queryContext, signal };
    return withRetries(() => queryTable(sql, options), signal, onReconnecting);
  }

  /** @param identity its name; by default, the only one of the environment */
  context(identity: string | undefined): ServiceContext {
    return { label: this.branchLabel, branch: this.branchLabel, identity, service: this };
  }

  /**
   * @param onDifference receives a message if the rows differ from those of the answer
   * @returns the table of a query, with all its rows where a data query URL is set
   * @throws UsageError if they can't be loaded
   */
  allRows(
    { sql, table }: GradableQuery,
    loading: Loading,
    onDifference: (message: string) => void,
  ): Promise<ResultTable> {
    const load = (): Promise<ResultTable> =>
      this.runSql(sql, loading).catch((failure: unknown) => {
        throw new UsageError(`Can’t load all rows: ${queryFailureText(failure)}`);
      });
    return allRowsOf(table, this.canRunSql && sql !== '' ? load : undefined, { signal: loading.signal, onDifference });
  }

  /** @throws UsageError for an unknown identity */
  #contextOf(as: string | undefined): Pick<Connection, 'sessionSettings' | 'context'> {
    const { label, sessionSettings } = this.#environment.identity(as);
    const branch = this.#branch ?? '';
    const isDefaultBranch = branch === '' || branch === this.#environment.mainBranch;
    return { sessionSettings, context: { branch, isDefaultBranch, identity: label } };
  }
}

/** @returns how a run asks and loads rows, which reports each wait for another connection */
export function serviceAsking(
  { dataQueryUrl }: Environment,
  onWaiting: OnWaiting,
): Pick<MatrixOptions<ServiceContext>, 'ask' | 'runSql'> {
  const loading = (name: string, { identity }: ServiceContext, signal: AbortSignal): Loading => ({
    as: identity,
    signal,
    onReconnecting: (reconnecting) => onWaiting(reconnecting, name),
  });
  return {
    ask: ({ name, text }: TestQuestion, context, signal, { onServed, thread } = {}) =>
      context.service.ask({ question: text, onServed, thread, ...loading(name, context, signal) }),
    runSql:
      dataQueryUrl === undefined
        ? undefined
        : (sql, { name }, context, signal) => context.service.runSql(sql, loading(name, context, signal)),
  };
}
