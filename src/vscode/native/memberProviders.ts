/** Completion, hover and Go to Definition for data model names in SQL and model files. */
import * as vscode from 'vscode';
import { findDefinition } from '../../compare/definitions.ts';
import { completionsAt, nameAt } from '../../compare/members.ts';
import type { Members } from './members.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { titledMarkdownString } from '../host/markdown.ts';

const LANGUAGES = ['sql', 'jinja-sql', 'yaml', 'javascript'];
/** Files that may define the data model, outside the folders in `NOT_IN`. */
const MODEL_FILES = '**/{model,models,schema,cubes,views}/**/*.{yml,yaml,js}';
const NOT_IN = '**/{node_modules,.git,dbt_packages,target}/**';
const MAX_FILES = 2000;

class MemberProvider implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.DefinitionProvider {
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const { definitions } = this.#members;
    if (definitions.length === 0) return [];
    const offset = document.offsetAt(position);
    const { start, candidates } = completionsAt(document.getText(), offset, definitions);
    const range = new vscode.Range(document.positionAt(start), position);
    return candidates.map(({ name, insertText, kind, detail, documentation }) => {
      const item = new vscode.CompletionItem(
        plainText(name),
        kind === 'member' ? vscode.CompletionItemKind.Field : vscode.CompletionItemKind.Class,
      );
      item.insertText = insertText;
      item.detail = detail;
      item.documentation = documentation;
      item.range = range;
      return item;
    });
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = await this.#nameAt(document, position);
    if (!found) return undefined;
    const { definition, member } = found;
    const title = member?.title || member?.name || definition.title || definition.name;
    const facts = member ? [member.name, member.type, member.aggType] : [definition.name, definition.type];
    const text = titledMarkdownString(title, facts.filter(Boolean).join(' · '), member?.description ?? '');
    return new vscode.Hover(text, new vscode.Range(document.positionAt(found.start), document.positionAt(found.end)));
  }

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location[]> {
    const found = await this.#nameAt(document, position);
    if (!found) return [];
    const files = await modelFiles();
    return findDefinition(files, found.name).flatMap(({ fileName, start, end }) => {
      const file = files.find((each) => each.fileName === fileName);
      return file
        ? [new vscode.Location(file.uri, new vscode.Range(positionIn(file.text, start), positionIn(file.text, end)))]
        : [];
    });
  }

  async #nameAt(document: vscode.TextDocument, position: vscode.Position) {
    const { definitions } = this.#members;
    if (definitions.length === 0) return undefined;
    return nameAt(document.getText(), document.offsetAt(position), definitions);
  }
}

async function modelFiles(): Promise<{ uri: vscode.Uri; fileName: string; text: string }[]> {
  const uris = await vscode.workspace.findFiles(MODEL_FILES, NOT_IN, MAX_FILES);
  return Promise.all(
    uris.map(async (uri) => ({
      uri,
      fileName: uri.path,
      text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)),
    })),
  );
}

function positionIn(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length - 1;
  return new vscode.Position(line, offset - (before.lastIndexOf('\n') + 1));
}

export function provideMembers(members: Members): vscode.Disposable {
  const provider = new MemberProvider(members);
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(LANGUAGES, provider, '.'),
    vscode.languages.registerHoverProvider(LANGUAGES, provider),
    vscode.languages.registerDefinitionProvider(LANGUAGES, provider),
  );
}
