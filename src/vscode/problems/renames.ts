/** Remembers which members were renamed by hand since the window was opened, so that their new names can be suggested. */
import { compareModels } from '../../model/changes.ts';
import { isRead, namesOfFile } from '../../model/lint/names.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { FolderProject } from './project.ts';

export class Renames {
  /** The new names by the old ones. */
  readonly names = new Map<string, string>();
  /** The last version of each file of a folder. */
  readonly #versions = new Map<string, SourceFile>();

  /** Compares the files with their last versions. */
  add({ folder, model }: FolderProject): void {
    for (const file of model) {
      const key = `${folder.uri.toString()} ${file.path}`;
      const before = this.#versions.get(key);
      if (before === file) continue;
      this.#versions.set(key, file);
      if (before === undefined || !isRead(before)) continue;
      for (const { kind, member, before: old } of compareModels(namesOfFile(before).members, namesOfFile(file).members))
        if (kind === 'renamed' && old.name !== undefined && member.name !== undefined)
          this.names.set(old.name, member.name);
    }
  }
}
