/** Which questions a change of the model may concern. */
import type { Question } from '../question.ts';

/** String literals and line comments, which name no members. */
const NOT_NAMES = /'[^']*'|--[^\n]*/g;

/** @returns the names in a query, in lower case */
export const namesIn = (sql: string): Set<string> =>
  new Set(
    sql
      .replace(NOT_NAMES, ' ')
      .toLowerCase()
      .match(/[\p{L}_][\p{L}\p{N}_]*/gu),
  );

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What a question is known to use: its SQL, and its words, since the agent may choose other members than the truth. */
export class QuestionUse {
  readonly #queries: readonly { names: ReadonlySet<string>; hasAll: boolean }[];
  readonly #words: string;

  constructor({ text, expectedSql, baseline }: Pick<Question, 'text' | 'expectedSql' | 'baseline'>) {
    this.#queries = [expectedSql?.sql, baseline?.sql].flatMap((sql) =>
      sql === undefined ? [] : [{ names: namesIn(sql), hasAll: /\bselect\s+\*|\.\s*\*/i.test(sql) }],
    );
    this.#words = ` ${wordsIn(text).join(' ')} `;
  }

  /** @param name `orders.revenue`; a cube or view is used by its members */
  uses(name: string): boolean {
    const [owner = '', member] = name.toLowerCase().split('.');
    if (member === undefined) return false;
    if (this.#queries.some(({ names, hasAll }) => names.has(owner) && (hasAll || names.has(member)))) return true;
    return this.#words.includes(` ${wordsIn(member.replaceAll('_', ' ')).join(' ')} `);
  }
}
