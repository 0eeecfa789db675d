/** Decides whether a query over cubes and views uses a member. */
import { QueryReader } from './queryReader.ts';

/** The members that a query uses; names are in any case. */
export class QueryMembers {
  readonly #certain = new Set<string>();
  readonly #possible = new Set<string>();

  /** @param sql the query, without templates */
  constructor(sql: string) {
    for (const { owner, name, isCertain } of new QueryReader(sql).members()) {
      const member = `${owner}.${name}`.toLowerCase();
      this.#possible.add(member);
      if (isCertain) this.#certain.add(member);
    }
  }

  /** Whether the query uses `orders.count`, or the cube or view `orders`. */
  uses(member: string): boolean {
    return includes(this.#certain, member);
  }

  /** Whether the query may use it, because it is not known whose column a name is. */
  mayUse(member: string): boolean {
    return includes(this.#possible, member);
  }
}

function includes(members: ReadonlySet<string>, member: string): boolean {
  const [owner = '', name = ''] = member.toLowerCase().split('.');
  return members.has(`${owner}.${name}`) || (name !== '' && members.has(`${owner}.*`));
}
