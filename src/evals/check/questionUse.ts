/** Decides which questions use a member of the data model. */
import { askedTurns, type TestQuestion } from '../question.ts';
import { namesIn } from '../../model/usedMembers.ts';

/** The star that selects all columns, of one table or of all. */
const ALL = /(?:\bselect|\bdistinct|[,.])\s*\*/i;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * The names that a question uses: those in its SQL and rules, and the words of its text, because the agent may choose other
 * members.
 */
export class QuestionUse {
  readonly #queries: readonly { names: ReadonlySet<string>; hasAll: boolean }[];
  readonly #words: string;

  constructor(question: TestQuestion) {
    const texts = askedTurns(question).flatMap(({ expectedSql, baseline, behavior }) =>
      [expectedSql?.sql ?? [], baseline?.sql ?? [], behavior?.uses ?? []].flat(),
    );
    this.#queries = texts.map((sql) => ({ names: namesIn(sql), hasAll: ALL.test(sql) }));
    this.#words = ` ${wordsIn(question.text).join(' ')} `;
  }

  /** @param name `orders.revenue`; or `orders`, which a query such as `SELECT COUNT(*) FROM orders` uses itself */
  uses(name: string): boolean {
    const [owner = '', member] = name.toLowerCase().split('.');
    if (member === undefined) return this.#queries.some(({ names }) => names.has(owner));
    if (this.#queries.some(({ names, hasAll }) => names.has(owner) && (hasAll || names.has(member)))) return true;
    return this.#words.includes(` ${wordsIn(member.replaceAll('_', ' ')).join(' ')} `);
  }
}
