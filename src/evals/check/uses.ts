/** Finds the questions that a change of the model may affect. */
import type { Question } from '../question.ts';

/** String literals and line comments, which contain no member names. */
const NOT_NAMES = /'[^']*'|--[^\n]*/g;

/** @returns the lowercase names in a query */
export const namesIn = (sql: string): Set<string> =>
  new Set(
    sql
      .replace(NOT_NAMES, ' ')
      .toLowerCase()
      .match(/[\p{L}_][\p{L}\p{N}_]*/gu),
  );

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The names that a question uses: those in its SQL, and its words, since the agent may choose other members. */
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
