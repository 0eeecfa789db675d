/** Counts the questions that use a member, as `planCheck` would select them. */
import type { Question } from '../question.ts';
import { affectedBy, dependentsIn, type Dependents } from './dependents.ts';
import { qualified, type ModelMember } from './members.ts';
import { QuestionUse } from './uses.ts';

export class MemberUse {
  readonly #dependents: Dependents;
  readonly #uses: readonly QuestionUse[];
  /** Indexes of the questions that use a name themselves. */
  readonly #users = new Map<string, readonly number[]>();

  /** @param members all members of the data model */
  constructor(members: readonly ModelMember[], questions: readonly Question[]) {
    this.#dependents = dependentsIn(members);
    this.#uses = questions.filter(({ access }) => access === undefined).map((question) => new QuestionUse(question));
  }

  /** @returns the number of questions that use the member or one that depends on it */
  count(member: Pick<ModelMember, 'owner' | 'name'>): number {
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
