/**
 * The demo database, in a process of its own: a process with its memory takes a tenth of a second to start another one,
 * and tests start hundreds.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';

export type Value = string | number | boolean | null;
export interface SchemaColumn {
  name: string;
  column_type: string;
}
/** A result in the form of 2.7. */
export interface QueryResult {
  schema: SchemaColumn[];
  data: Value[][];
}

export interface Request {
  id: number;
  statements: readonly string[];
}
export type Reply =
  | { type: 'building' }
  | { type: 'ready' }
  | { type: 'result'; id: number; result: QueryResult }
  | { type: 'failed'; id: number; message: string };

export interface Database {
  /**
   * Runs statements in one transaction.
   * @returns the result of the last one
   * @throws Error with the message of PostgreSQL
   */
  run: (...statements: string[]) => Promise<QueryResult>;
  close: () => void;
}

/**
 * Starts the process with the first statement; it keeps this one alive until it is closed.
 * @param onBuild called before the database is built, which takes some seconds
 */
export function openDatabase(onBuild?: () => void): Database {
  let started: Promise<Database> | undefined;
  return {
    run: async (...statements) => (await (started ??= startDatabase(onBuild))).run(...statements),
    close: () =>
      void started?.then(
        (database) => database.close(),
        () => undefined,
      ),
  };
}

async function startDatabase(onBuild?: () => void): Promise<Database> {
  const child = fork(join(import.meta.dirname, 'databaseProcess.ts'), { execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<QueryResult>>();
  const ready = Promise.withResolvers<void>();
  child.on('message', (reply: Reply) => {
    if (reply.type === 'building') return onBuild?.();
    if (reply.type === 'ready') return ready.resolve();
    if (reply.type === 'result') waiting.get(reply.id)?.resolve(reply.result);
    else waiting.get(reply.id)?.reject(new Error(reply.message));
    waiting.delete(reply.id);
  });
  child.once('exit', (code) => {
    const ended = new Error(`The process of the database ended with exit code ${code}.`);
    for (const { reject } of [ready, ...waiting.values()]) reject(ended);
  });
  await ready.promise;
  let count = 0;
  return {
    run: (...statements) => {
      const result = Promise.withResolvers<QueryResult>();
      waiting.set((count += 1), result);
      child.send({ id: count, statements } satisfies Request);
      return result.promise;
    },
    close: () => child.disconnect(),
  };
}
