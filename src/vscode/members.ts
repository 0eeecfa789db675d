/** The data model as far as the agent's searches have shown it in this workspace. */
import type * as vscode from 'vscode';
import type { ModelDefinition } from '../shared/payloads.ts';
import type { Thread } from '../shared/thread.ts';
import { payloadOf } from '../shared/turns.ts';
import { knownNames, mergeDefinitions } from '../sql/members.ts';
import type { Sessions } from './sessions.ts';

const KEY = 'modelDefinitions';
/** Definitions that are kept over restarts. */
const LIMIT = 200;

export class Members implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #definitions: Map<string, ModelDefinition>;
  readonly #subscription: vscode.Disposable;

  constructor(memento: vscode.Memento, sessions: Sessions) {
    this.#memento = memento;
    this.#definitions = new Map(memento.get<ModelDefinition[]>(KEY, []).map((each) => [each.name, each]));
    this.#subscription = sessions.onDidChange(({ session, events }) => {
      const found = events.some((event) => event.type === 'line' && event.line.kind === 'toolCall');
      if (found) this.#learn(session.thread);
    });
  }

  /** All cubes and views that are known, each with all of its members that were ever found. */
  get definitions(): readonly ModelDefinition[] {
    return [...this.#definitions.values()];
  }

  viewNames(): ReadonlySet<string> {
    return knownNames(this.definitions);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #learn({ items }: Thread): void {
    let learnt = false;
    for (const item of items.slice(-20)) {
      const payload = payloadOf(item);
      if (payload?.kind !== 'modelSearch') continue;
      for (const definition of payload.definitions ?? []) learnt = this.#merge(definition) || learnt;
    }
    if (learnt) void this.#memento.update(KEY, this.definitions.slice(-LIMIT));
  }

  /** @returns whether the definition brought anything new */
  #merge(definition: ModelDefinition): boolean {
    const known = this.#definitions.get(definition.name);
    const [merged = definition] = mergeDefinitions(known ? [known, definition] : [definition]);
    if (JSON.stringify(merged) === JSON.stringify(known)) return false;
    this.#definitions.set(definition.name, merged);
    return true;
  }
}
