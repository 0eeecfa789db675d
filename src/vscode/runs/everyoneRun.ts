/** Asks one question as several identities, and holds the state of the page and the threads of the answers. */
import type { AccessFinding } from '../../evals/access/identities.ts';
import type { Question } from '../../evals/question.ts';
import { sessionAsk, type Answer } from '../../evals/matrix/answer.ts';
import type { RunSqlIn } from '../../evals/matrix/asking.ts';
import { gradableQueries, noQueryReason } from '../../evals/matrix/expectation.ts';
import type { Context } from '../../evals/matrix/matrix.ts';
import type { AccessNote, AskedIdentity, EveryoneState } from '../../shared/protocol/everyone.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { Connector } from '../connection/connector.ts';

export interface EveryoneOptions {
  question: string;
  identities: readonly string[];
  /** Display name of the branch. */
  branch: string;
  contextOf: (identity: string) => QuestionContext;
  home: Home | undefined;
  /** Absent if no data query URL is set. */
  runSql?: RunSqlIn;
  /** The access tests of the workspace. */
  tests: readonly Question[];
  /** Number of significant digits to which numbers are compared. */
  precision: number;
  /** BCP 47 tag for numbers and dates. */
  locale: string;
}

export class EveryoneRun {
  readonly #connector: Pick<Connector, 'connect'>;
  readonly #options: EveryoneOptions;
  readonly #onChange: () => void;
  readonly #answers = new Map<string, Answer>();
  #identities: AskedIdentity[];
  #findings: readonly AccessFinding[] = [];
  #table: EveryoneState['table'] = { dimensions: [], measures: [], rows: [], totalRows: 0 };
  #unknown: readonly string[] = [];
  /** Present while questions are running. */
  #controller: AbortController | undefined;

  constructor(connector: Pick<Connector, 'connect'>, options: EveryoneOptions, onChange: () => void) {
    this.#connector = connector;
    this.#options = options;
    this.#onChange = onChange;
    this.#identities = this.#waiting();
  }

  get state(): EveryoneState {
    const { question, branch } = this.#options;
    return {
      question,
      branch,
      identities: this.#identities,
      table: this.#table,
      notes: [...this.#findings.map(noteOf), ...this.#unknown.map(unknownNote)],
      isRunning: this.#controller !== undefined,
    };
  }

  /** @returns the answer of an identity; undefined if it has none */
  answered(index: number): Answer | undefined {
    return this.#answers.get(this.#options.identities[index] ?? '');
  }

  /** Stops running answers on the service; finished ones stay. */
  cancel(): void {
    this.#controller?.abort();
  }

  /** Asks as all identities, unless a run is in progress. */
  async start(): Promise<void> {
    if (this.#controller) return;
    const { signal } = (this.#controller = new AbortController());
    this.#answers.clear();
    this.#identities = this.#waiting();
    this.#findings = [];
    try {
      const { unknownIdentities } = await import('../../evals/access/identities.ts');
      this.#unknown = unknownIdentities(this.#options.tests, this.#options.identities);
      await this.#tabulate();
      await this.#ask(signal);
      this.#findings = await this.#check();
    } finally {
      this.#controller = undefined;
      for (const { name, state } of this.#identities)
        if (state === 'waiting') this.#update(name, { state: 'canceled', message: t('Canceled') });
      this.#onChange();
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const [{ runMatrix }, { same }] = await Promise.all([
      import('../../evals/matrix/runMatrix.ts'),
      import('../../evals/matrix/same.ts'),
    ]);
    const { question: text, branch, identities, home, contextOf, runSql, precision } = this.#options;
    const contexts = identities.map((identity): Context => ({ label: identity, branch, identity }));
    const start = { line: 0, character: 0 };
    const question: Question = { name: text, text, path: '', range: { start, end: start } };
    const tabulated: Promise<void>[] = [];
    await runMatrix([question], () => contexts, same({ precision }), {
      ask: (_, { identity = '' }, cancel) =>
        sessionAsk(() => this.#connector.connect(home, contextOf(identity)))(text, cancel),
      ...{ runSql, precision, signal },
      // Identities are meant to see different rows: that is no reason to ask again.
      attempts: 1,
      onEvent: (event) => {
        if (event.type === 'judged') return;
        const identity = identities[event.cell]!;
        if (event.type === 'started') this.#update(identity, { state: 'asking', message: '' });
        else {
          this.#answers.set(identity, event.answer);
          this.#update(identity, outcomeOf(event.answer));
          tabulated.push(this.#tabulate());
        }
        this.#onChange();
      },
    });
    await Promise.all(tabulated);
  }

  /** Recomputes the table from all answers so far. */
  async #tabulate(): Promise<void> {
    const { identityTable, forbiddenRows } = await import('../../evals/access/identities.ts');
    const { question, identities, tests } = this.#options;
    const results = identities.map((identity) => {
      const answer = this.#answers.get(identity);
      if (answer === undefined) return { forbidden: new Set<never>() };
      return { table: gradableQueries(answer)[0]?.table, forbidden: forbiddenRows(question, identity, answer, tests) };
    });
    this.#table = identityTable(results, this.#options.locale, this.#options.precision);
    this.#onChange();
  }

  async #check(): Promise<readonly AccessFinding[]> {
    const { accessFindings } = await import('../../evals/access/identities.ts');
    const { question, tests, precision } = this.#options;
    return accessFindings(question, this.#answers, tests, precision);
  }

  #waiting(): AskedIdentity[] {
    return this.#options.identities.map((name) => ({ name, state: 'waiting', message: '' }));
  }

  #update(identity: string, change: Pick<AskedIdentity, 'state' | 'message'>): void {
    this.#identities = this.#identities.map((each) => (each.name === identity ? { ...each, ...change } : each));
  }
}

function outcomeOf(answer: Answer): Pick<AskedIdentity, 'state' | 'message'> {
  if (answer.isStopped) return { state: 'canceled', message: t('Canceled') };
  if (answer.error !== undefined) return { state: 'failed', message: answer.error };
  const table = gradableQueries(answer)[0]?.table;
  if (table === undefined) return { state: 'failed', message: noQueryReason(answer) };
  const { rows, totalRows } = table;
  const isPartial = rows.length < totalRows;
  const message = isPartial ? t('{0} of {1} rows', rows.length, totalRows) : plural(totalRows, '{0} row|{0} rows');
  return { state: 'answered', message };
}

const noteOf = ({ identity, status, message, rule }: AccessFinding): AccessNote => ({
  kind: status,
  text: t('{0}: {1} ({2} in access.yml)', identity, message, rule),
});

const unknownNote = (identity: string): AccessNote => ({
  kind: 'unknown',
  text: t('access.yml names “{0}”, which is not in your setting “analyticsChat.identities”.', identity),
});
