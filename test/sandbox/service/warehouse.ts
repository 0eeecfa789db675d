/** The shop and its data model. Nothing in them ever changes, so all sandboxes of one process share them. */
import { openDatabase } from '../data/database.ts';
import { loadBranches, type Branches } from './branches.ts';

interface Warehouse {
  branches: Branches;
  close: () => Promise<void>;
}

let shared: Promise<Warehouse> | undefined;
let users = 0;

async function open(onBuild?: () => void): Promise<Warehouse> {
  const database = await openDatabase(onBuild);
  const branches = await loadBranches(database);
  // The words for the main branch are looked up now, so that the first question need not wait.
  await branches.find(undefined, true)?.lexicon();
  return { branches, close: () => database.close() };
}

/**
 * @returns the branches, and what to call when they are not needed any more; the last user's call closes the database
 */
export async function useWarehouse(
  onBuild?: () => void,
): Promise<{ branches: Branches; release: () => Promise<void> }> {
  users += 1;
  const mine = (shared ??= open(onBuild));
  let released = false;
  const release = async (): Promise<void> => {
    if (released) return;
    released = true;
    users -= 1;
    if (users > 0) return;
    shared = undefined;
    await (await mine).close();
  };
  try {
    return { branches: (await mine).branches, release };
  } catch (error) {
    users -= 1;
    shared = undefined;
    throw error;
  }
}
