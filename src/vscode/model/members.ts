/** Collects the data model definitions found by model searches, per connection, in the workspace state. */
import type * as vscode from 'vscode';
import type { ModelDefinition } from '../../shared/wire/toolPayloads.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { payloadOf, turnsOf } from '../../shared/thread/turns.ts';
import { knownNames, mergeDefinitions } from '../../shared/text/memberNames.ts';
import type { Connections } from '../connection/connections.ts';
import type { Sessions } from '../threads/sessions.ts';

const KEY = 'modelDefinitions';
/** Maximum number of stored definitions per connection. */
const LIMIT = 200;

const keyOf = (connection: string): string => (connection === '' ? KEY : `${KEY}:${connection}`);

type Definitions = Map<string, ModelDefinition>;

export class Members implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #connections: Connections;
  /** Definitions by connection name, because each connection has its own data model. */
  readonly #known = new Map<string, Definitions>();
  readonly #subscription: vscode.Disposable;

  /** @param isRecorded whether a thread is read-only; it is ignored, because it may be about another data model */
  constructor(
    memento: vscode.Memento,
    sessions: Sessions,
    connections: Connections,
    isRecorded: (threadId: string) => boolean,
  ) {
    this.#memento = memento;
    this.#connections = connections;
    this.#subscription = sessions.onDidChange(({ session, events }) => {
      const found = events.some((event) => event.type === 'line' && event.line.kind === 'toolCall');
      if (found && !isRecorded(session.thread.id))
        this.#collect(session.thread, connections.of(sessions.homeOf(session))?.name ?? '');
    });
  }

  /** All known cubes and views of the current connection, each with all members found so far. */
  get definitions(): readonly ModelDefinition[] {
    return this.on(this.#connections.current?.name);
  }

  /** @returns the definitions of a connection, by its name */
  on(connection = ''): readonly ModelDefinition[] {
    return [...this.#of(connection).values()];
  }

  /** @param connection name of a connection; defaults to the current one */
  viewNames(connection = this.#connections.current?.name): ReadonlySet<string> {
    return knownNames(this.on(connection));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #of(connection: string): Definitions {
    const known = this.#known.get(connection);
    if (known) return known;
    const kept = this.#memento.get<ModelDefinition[]>(keyOf(connection), []);
    const definitions = new Map(kept.map((each) => [each.name, each]));
    this.#known.set(connection, definitions);
    return definitions;
  }

  #collect(thread: Thread, connection: string): void {
    const definitions = this.#of(connection);
    let changed = false;
    for (const item of turnsOf(thread).at(-1)?.items ?? []) {
      const payload = payloadOf(item);
      if (payload?.kind !== 'modelSearch') continue;
      for (const definition of payload.definitions ?? []) changed = merge(definitions, definition) || changed;
    }
    if (changed) void this.#memento.update(keyOf(connection), this.on(connection).slice(-LIMIT));
  }
}

/** Merges a definition into the known ones. @returns whether anything changed */
function merge(definitions: Definitions, definition: ModelDefinition): boolean {
  const known = definitions.get(definition.name);
  const [merged = definition] = mergeDefinitions(known ? [known, definition] : [definition]);
  if (JSON.stringify(merged) === JSON.stringify(known)) return false;
  definitions.set(definition.name, merged);
  return true;
}
