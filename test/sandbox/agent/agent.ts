/** The agent: answers a question with model searches, SQL queries and text. */
import { randomUUID } from 'node:crypto';
import type { Model } from '../semantic/model.ts';
import type { QueryResult } from '../data/client.ts';
import type { QueryEngine } from '../semantic/query.ts';
import { writeAnswer } from './answer.ts';
import { chooseChart } from './chart.ts';
import { carryOver } from './question/followUp.ts';
import type { Intent, Understanding } from './question/intent.ts';
import type { Lexicon } from './question/lexicon.ts';
import { oddResult, type Odd } from './odd.ts';
import { planQuery, PlanError, type Plan } from './plan.ts';
import { explainReply, helpReply, impossibleReply, unknownReply } from './replies.ts';
import { searchModel } from './search.ts';
import type { Stage } from './stage.ts';
import { understand } from './question/understand.ts';

/** Maximum number of rows in a tool result (part 8). */
const MAX_RESULT_ROWS = 100;

export interface AgentOptions {
  model: Model;
  lexicon: Lexicon;
  /** Runs queries with the permissions of the user. */
  engine: QueryEngine;
  stage: Stage;
  /** If set, every query fails with this message. */
  toolError?: string;
  /** An error in the answer. */
  odd?: Odd | undefined;
  /** Number of filler deltas after the answer. */
  flood?: number;
}
export interface Question {
  text: string;
  imageCount: number;
  previous?: Intent;
}

const isSql = (text: string): boolean =>
  /^\s*(?:run|execute)?:?\s*(?:select|with)\s/i.test(text) && /\bfrom\b/i.test(text);

interface Query {
  sql: string;
  title: string;
  description: string;
  chart: (result: QueryResult) => string | undefined;
}

export class Agent {
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** @returns the intent of the question, for follow-up questions */
  async answer({ text, imageCount, previous }: Question): Promise<Intent | undefined> {
    const { lexicon } = this.#options;
    if (isSql(text)) {
      await this.#runSql(text.replace(/^\s*(?:run|execute):?\s*/i, ''));
      return previous;
    }
    const understanding = understand(text, lexicon, previous && carryOver(previous, lexicon));
    const reply = await this.#reply(text, understanding);
    const seen =
      imageCount > 0 ? `\n\n> I cannot look into images, so I left ${imageCount === 1 ? 'it' : 'them'} out.` : '';
    await this.#finish(reply + seen);
    return understanding.kind === 'query' ? understanding.intent : previous;
  }

  async #reply(text: string, understanding: Understanding): Promise<string> {
    const { model, lexicon, odd, stage } = this.#options;
    if (understanding.kind !== 'query') {
      await stage.think('Let me see what the data model has for this.');
      await this.#search(text);
      if (understanding.kind === 'explain') return explainReply(understanding.concepts, model);
      return understanding.kind === 'help' ? helpReply(lexicon) : unknownReply(understanding.missing, lexicon);
    }
    const { intent } = understanding;
    const wanted = [...intent.measures, ...intent.dimensions]
      .map(({ member }) => member.title.toLowerCase())
      .join(', ');
    const range = intent.range
      ? ` The time is ${intent.range.label}: ${intent.range.from} up to, not including, ${intent.range.to}.`
      : '';
    await stage.think(`The question is about ${wanted}.${range} I look for the members in the data model first.`);
    let plan: Plan;
    try {
      plan = planQuery(intent);
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      await this.#search(text);
      return impossibleReply(error.message);
    }
    await this.#search(text, plan);
    if (odd?.kind === 'noQuery') return 'I know this one without a query: nothing has changed.';
    await stage.think(
      `The view ${plan.view.name} has everything. I group the rows, run the query and check the result.`,
    );
    const query = { ...plan, chart: (result: QueryResult) => chooseChart(intent, plan, result) };
    const result = await this.#query(text, query);
    if (result instanceof Error) return failed(result);
    return writeAnswer(intent, plan, result, Math.min(result.data.length, MAX_RESULT_ROWS));
  }

  async #search(searchQuery: string, plan?: Plan): Promise<void> {
    const { lexicon, stage } = this.#options;
    await stage.tool('svcMeta', { searchQuery }, async () => {
      const cubes = searchModel(searchQuery, lexicon, plan?.view);
      return { value: cubes, result: { cubes, searchQuery } };
    });
  }

  /** Runs the query before the call is sent, because the chart in the call's input depends on the rows. */
  async #query(userRequest: string, { sql, title, description, chart }: Query): Promise<QueryResult | Error> {
    const { engine, odd, stage, toolError } = this.#options;
    const outcome = await engine
      .run(sql)
      .then((result) => (odd ? oddResult(result, odd) : result))
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    const vegaSpec = outcome instanceof Error ? undefined : chart(outcome);
    const shared = { sqlQuery: sql, queryTitle: title, description, userRequest };
    const spec = vegaSpec === undefined ? {} : { vegaSpec };
    return stage.tool('svcSqlApi', { ...shared, memoryId: randomUUID(), ...spec }, async () => {
      if (toolError !== undefined) throw new Error(toolError);
      if (outcome instanceof Error) throw outcome;
      const { schema, data } = outcome;
      const rows = { schema, data: data.slice(0, MAX_RESULT_ROWS), totalRows: data.length, uuid: randomUUID() };
      return { value: outcome, result: { ...shared, ...rows, ...spec } };
    });
  }

  /** Runs a question that is an SQL query, without changing it. */
  async #runSql(sql: string): Promise<void> {
    await this.#options.stage.think('This is SQL already, so I run it as it is.');
    const description = 'The query from the message.';
    const result = await this.#query(sql, { sql, title: 'Your query', description, chart: () => undefined });
    if (result instanceof Error) return this.#finish(failed(result));
    const count = result.data.length.toLocaleString('en-US');
    const part = result.data.length > MAX_RESULT_ROWS ? ` The result holds the first ${MAX_RESULT_ROWS}.` : '';
    await this.#finish(`The query gave **${count}** ${result.data.length === 1 ? 'row' : 'rows'}.${part}`);
  }

  async #finish(text: string): Promise<void> {
    const { stage, flood = 0 } = this.#options;
    const filler = Array.from({ length: flood }, (_, index) => `${index + 1} of ${flood} is here.\n`).join('');
    const whole = flood > 0 ? `${text}\n\n${filler}` : text;
    await stage.say(whole);
    await stage.final(whole);
  }
}

const failed = ({ message }: Error): string =>
  `The query failed, so there is no result to answer from. The service said:\n\n> ${message.replaceAll('\n', '\n> ')}`;
