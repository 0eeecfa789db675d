/** The database and its data models, which never change and are shared by all sandboxes of a process. */
import { resultsPath } from '../data/cache.ts';
import { openDatabase, type Database } from '../data/client.ts';
import { KeptResults, type KnownResults } from '../data/results.ts';
import { loadBranches, type Branches } from './branches.ts';

interface Warehouse {
  readonly database: Database;
  readonly branches: Branches;
  /** Results of SQL, also of earlier processes. */
  readonly known: KnownResults;
}

interface Use extends Warehouse {
  /** To call when the database is no longer needed. It keeps the process alive. */
  readonly release: () => void;
}

let shared: Promise<Warehouse> | undefined;
let users = 0;

async function open(onBuild?: () => void): Promise<Warehouse> {
  const database = openDatabase(onBuild);
  const known = new KeptResults(await resultsPath());
  const branches = await loadBranches(database, known);
  // Build the lexicon of the main branch now, so that the first question does not wait for it.
  await branches.find(undefined, true)?.lexicon();
  return { database, branches, known };
}

/** Milliseconds to keep the database open for the next sandbox, since tests start them one after another. */
const LINGER_MS = 1500;
/** Mocha ends the workers of a parallel run itself, so these keep the database for the next test file. */
const isMochaWorker = process.env['MOCHA_WORKER_ID'] !== undefined;

async function closeIfUnused(): Promise<void> {
  if (users > 0 || !shared) return;
  const unused = shared;
  shared = undefined;
  (await unused).database.close();
}

/** Opens the database and its data models, unless they are open. */
export async function useWarehouse(onBuild?: () => void): Promise<Use> {
  users += 1;
  let released = false;
  const release = (): void => {
    if (released) return;
    released = true;
    users -= 1;
    if (!isMochaWorker) setTimeout(() => void closeIfUnused(), LINGER_MS);
  };
  try {
    return { ...(await (shared ??= open(onBuild))), release };
  } catch (error) {
    shared = undefined;
    release();
    throw error;
  }
}
