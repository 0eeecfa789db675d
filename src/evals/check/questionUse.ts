/** Decides which questions use a member of the data model. */
import { askedTurns, type TestQuestion } from '../question.ts';
import { affectedBy, dependenciesIn, dependentsIn } from '../../model/dependents.ts';
import { qualified, type MemberDefinition } from '../../model/members.ts';
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

/** Finds the questions that use a member, as `planCheck` would select them. */
export class MemberUse {
  /** The questions by the lowercase name of a member. */
  readonly #questions = new Map<string, TestQuestion[]>();

  /** @param members all members of the data model */
  constructor(members: readonly MemberDefinition[], questions: readonly TestQuestion[]) {
    const dependencies = dependenciesIn(dependentsIn(members));
    const names = new Set([...dependencies.keys(), ...members.map((member) => qualified(member).toLowerCase())]);
    for (const question of questions) {
      if (question.access) continue;
      const use = new QuestionUse(question);
      const used = [...names].filter((name) => use.uses(name));
      for (const name of affectedBy(used, dependencies)) {
        const known = this.#questions.get(name);
        if (known) known.push(question);
        else this.#questions.set(name, [question]);
      }
    }
  }

  /** @returns the questions that use the member or one that depends on it */
  questionsOf(member: Pick<MemberDefinition, 'owner' | 'name'>): readonly TestQuestion[] {
    return this.#questions.get(qualified(member).toLowerCase()) ?? [];
  }
}
