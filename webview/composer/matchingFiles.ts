/** Finds the files whose paths match what is typed behind an `@`. */
import type { WorkspaceFile } from '../../src/shared/protocol/chat.ts';

const MOST = 50;

export interface FoundFile {
  file: WorkspaceFile;
  /** Name of the file, and path of its folder. */
  name: string;
  folder: string;
}

/** @returns the files whose paths contain the query, those whose names begin with it or contain it first */
export function matchingFiles(files: readonly WorkspaceFile[], query: string): FoundFile[] {
  const wanted = query.toLowerCase();
  const ranks: FoundFile[][] = [[], [], []];
  for (const file of files) {
    const cut = file.path.lastIndexOf('/') + 1;
    const at = file.path.toLowerCase().lastIndexOf(wanted);
    if (at < 0) continue;
    const rank = at < cut ? 2 : at === cut ? 0 : 1;
    ranks[rank]?.push({ file, name: file.path.slice(cut), folder: file.path.slice(0, Math.max(0, cut - 1)) });
  }
  return ranks.flat().slice(0, MOST);
}
