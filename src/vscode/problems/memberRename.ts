/** *Rename* (F2) on a member of the data model: in its definition, and wherever the project names it. */
import * as vscode from 'vscode';
import { referencesIn } from '../../evals/lint/lint.ts';
import { namesOfFile, type ModelNames } from '../../model/lint/names.ts';
import { mayDefineMembers } from '../../model/members.ts';
import { textAt } from '../../model/modelNode.ts';
import type { RenamedMember } from '../../model/lint/rename.ts';
import { trace } from '../../model/lint/trace.ts';
import { t } from '../../shared/text/l10n.ts';
import { rangeInDocument } from '../host/ranges.ts';
import { documentOf, editsIn } from './renameEverywhere.ts';
import type { CheckedProject, NameProblems } from './nameProblems.ts';

/** A member at a position. */
interface MemberAt extends RenamedMember {
  start: number;
  end: number;
}

export class MemberRename {
  readonly #problems: () => Promise<NameProblems>;

  constructor(problems: () => Promise<NameProblems>) {
    this.#problems = problems;
  }

  async prepareRename(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Range> {
    const found = await this.#memberAt(document, position);
    return rangeInDocument(document, found);
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit> {
    const { project, owner, name } = await this.#memberAt(document, position);
    if (!/^[A-Za-z_]\w*$/.test(newName)) throw new Error(t('A name has letters, digits and underscores only.'));
    if (newName.toLowerCase() !== name.toLowerCase() && project.names.membersOf(owner).has(newName.toLowerCase()))
      throw new Error(t('“{0}” already has a member “{1}”.', owner, newName));
    const edit = new vscode.WorkspaceEdit();
    for (const { path, start, end, text } of editsIn(project, { owner, name }, newName)) {
      const changed = await documentOf(project, path);
      edit.replace(changed.uri, rangeInDocument(changed, { start, end }), text);
    }
    return edit;
  }

  /** @throws Error if there is none */
  async #memberAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<MemberAt & { project: CheckedProject }> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    // Folders such as `views` also have code that is no data model.
    const isModel = mayDefineMembers({ path: document.uri.path, text: document.getText() });
    const project = isModel && folder && (await (await this.#problems()).read(folder));
    const path = vscode.workspace.asRelativePath(document.uri, false);
    const found = project && memberAt(project, path, document.offsetAt(position));
    if (!found) throw new Error(t('Only members of the data model can be renamed.'));
    return { ...found, project };
  }
}

function memberAt({ model, agentsPath, names }: CheckedProject, path: string, offset: number): MemberAt | undefined {
  const file = model.find((each) => each.path === path);
  if (file === undefined) return undefined;
  const isAt = (start: number, name: string): boolean => start <= offset && offset <= start + name.length;
  for (const { owner, name, kind, offset: start, node } of namesOfFile(file).members) {
    // A view gives a member the name of its alias.
    const written = kind === 'include' ? textAt(node, 'alias') : RENAMED.has(kind) ? name : undefined;
    if (name !== undefined && written !== undefined && isAt(start, written))
      return { owner, name, start, end: start + written.length };
  }
  for (const reference of referencesIn(file, agentsPath))
    for (const { part, kind, owners } of trace(reference, names)) {
      const { name, start } = part;
      const owner = owners?.find((each) => names.membersOf(each).has(name.toLowerCase()));
      if (kind === 'member' && owner !== undefined && isAt(start, name))
        return { ...definedMember(names, { owner, name }), start, end: start + name.length };
    }
  return undefined;
}

/** @returns the member of a cube that a view includes, or a cube inherits, under the same name */
function definedMember(names: ModelNames, { owner, name }: RenamedMember): RenamedMember {
  const [found] = names.membersOf(owner).get(name.toLowerCase()) ?? [];
  const [base = '', member = ''] = found?.source?.split('.') ?? [];
  const isSame = member.toLowerCase() === name.toLowerCase();
  return isSame && base !== owner ? definedMember(names, { owner: base, name: member }) : { owner, name };
}

const RENAMED: ReadonlySet<string> = new Set(['measure', 'dimension', 'segment', 'hierarchy', 'pre_aggregation']);
