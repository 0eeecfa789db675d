/** Decides which questions use a member of the data model. */
import type { Question } from '../question.ts';
import { affectedBy, dependentsIn, type Dependents } from '../../model/dependents.ts';
import { qualified, type MemberDefinition } from '../../model/members.ts';
import { namesIn } from '../../model/usedMembers.ts';

/** The star that selects all columns, of one table or of all. */
const ALL = /(?:\bselect|\bdistinct|[,.])\s*\*/i;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * The names that a question uses: those in its SQL, and the words of its text, because the agent may choose other
 * members.
 */
export class QuestionUse {
  readonly #queries: readonly { names: ReadonlySet<string>; hasAll: boolean }[];
  readonly #words: string;

  constructor({ text, expectedSql, baseline }: Pick<Question, 'text' | 'expectedSql' | 'baseline'>) {
    this.#queries = [expectedSql?.sql, baseline?.sql].flatMap((sql) =>
      sql === undefined ? [] : [{ names: namesIn(sql), hasAll: ALL.test(sql) }],
    );
    this.#words = ` ${wordsIn(text).join(' ')} `;
  }

  /** @param name `orders.revenue`; or `orders`, which a query such as `SELECT COUNT(*) FROM orders` uses itself */
  uses(name: string): boolean {
    const [owner = '', member] = name.toLowerCase().split('.');
    if (member === undefined) return this.#queries.some(({ names }) => names.has(owner));
    if (this.#queries.some(({ names, hasAll }) => names.has(owner) && (hasAll || names.has(member)))) return true;
    return this.#words.includes(` ${wordsIn(member.replaceAll('_', ' ')).join(' ')} `);
  }
}

/** Counts the questions that use a member, as `planCheck` would select them. */
export class MemberUse {
  readonly #dependents: Dependents;
  readonly #uses: readonly QuestionUse[];
  /** Indexes of the questions that use a name themselves. */
  readonly #users = new Map<string, readonly number[]>();

  /** @param members all members of the data model */
  constructor(members: readonly MemberDefinition[], questions: readonly Question[]) {
    this.#dependents = dependentsIn(members);
    this.#uses = questions.filter(({ access }) => access === undefined).map((question) => new QuestionUse(question));
  }

  /** @returns the number of questions that use the member or one that depends on it */
  count(member: Pick<MemberDefinition, 'owner' | 'name'>): number {
    return new Set([...affectedBy(qualified(member), this.#dependents)].flatMap((name) => this.#usersOf(name))).size;
  }

  #usersOf(name: string): readonly number[] {
    const known = this.#users.get(name);
    if (known) return known;
    const users = this.#uses.flatMap((use, index) => (use.uses(name) ? [index] : []));
    this.#users.set(name, users);
    return users;
  }
}
