/** The branches of the data model, each with its lexicon. */
import { buildLexicon, type Lexicon } from '../agent/question/lexicon.ts';
import type { Database } from '../data/client.ts';
import type { KnownResults } from '../data/results.ts';
import { MAIN_BRANCH } from '../semantic/branchFiles.ts';
import { loadModels } from '../semantic/load.ts';
import type { Model } from '../semantic/model.ts';
import { QueryEngine } from '../semantic/query.ts';
import type { RowFilter } from '../semantic/relation.ts';

export class Branch {
  readonly model: Model;
  readonly #database: Database;
  readonly #known: KnownResults;
  #lexicon: Promise<Lexicon> | undefined;

  constructor(database: Database, model: Model, known: KnownResults) {
    this.#database = database;
    this.model = model;
    this.#known = known;
  }

  /** Built on first use. */
  lexicon(): Promise<Lexicon> {
    return (this.#lexicon ??= buildLexicon(this.model, this.engine([])));
  }

  engine(filters: readonly RowFilter[]): QueryEngine {
    return new QueryEngine(this.#database, this.model, filters, this.#known);
  }
}

export class Branches {
  readonly #branches: ReadonlyMap<string, Branch>;

  constructor(branches: ReadonlyMap<string, Branch>) {
    this.#branches = branches;
  }

  get names(): string[] {
    return [...this.#branches.keys()];
  }

  /**
   * @param name branch name of the request; defaults to the main branch
   * @param isDefault whether the request names it as the default branch
   * @returns `undefined` if the branch does not exist, or `isDefault` is wrong
   */
  find(name: string | undefined, isDefault: boolean): Branch | undefined {
    const wanted = name ?? MAIN_BRANCH;
    return isDefault === (wanted === MAIN_BRANCH) ? this.#branches.get(wanted) : undefined;
  }
}

/** @param known results of earlier queries, which never change because the data doesn't */
export async function loadBranches(database: Database, known: KnownResults): Promise<Branches> {
  const models = await loadModels();
  return new Branches(new Map([...models].map(([name, model]) => [name, new Branch(database, model, known)])));
}
