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

/** How long the shop stays open for the next sandbox: tests start one after the other. */
const LINGER_MS = 1500;

async function closeIfUnused(): Promise<void> {
  if (users > 0 || !shared) return;
  const unused = shared;
  shared = undefined;
  await (await unused).close();
}

/** @returns the branches, and what to call when they are not needed any more */
export async function useWarehouse(onBuild?: () => void): Promise<{ branches: Branches; release: () => void }> {
  users += 1;
  let released = false;
  const release = (): void => {
    if (released) return;
    released = true;
    users -= 1;
    setTimeout(() => void closeIfUnused(), LINGER_MS);
  };
  try {
    return { branches: (await (shared ??= open(onBuild))).branches, release };
  } catch (error) {
    shared = undefined;
    release();
    throw error;
  }
}
