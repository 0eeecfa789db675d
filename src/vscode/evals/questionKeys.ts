/** Completion and hovers for the keys of question files and access tests, where no YAML extension knows their schema. */
import * as vscode from 'vscode';
import { kindOfFile } from '../../evals/files/layout.ts';
import type { KeySchema } from '../../evals/files/schema.ts';
import { AGENTS_PATH } from '../../shared/text/agentsPath.ts';
import { readSettings } from '../host/settings.ts';

const YAML_EXTENSION = 'redhat.vscode-yaml';

/** @returns the schema of a file; undefined for other files, and if the YAML extension has it from the manifest */
async function schemaOf({ uri }: vscode.TextDocument): Promise<KeySchema | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  const { agentsPath } = readSettings(folder);
  const kind = kindOfFile(vscode.workspace.asRelativePath(uri, false), agentsPath);
  if (kind !== 'questions' && kind !== 'ownQuestions' && kind !== 'access') return undefined;
  const isInManifest = kind !== 'questions' || agentsPath === AGENTS_PATH;
  if (isInManifest && vscode.extensions.getExtension(YAML_EXTENSION)) return undefined;
  return (await import('../../evals/files/schema.ts')).keySchemas[kind]();
}

const provider: vscode.CompletionItemProvider & vscode.HoverProvider = {
  async provideCompletionItems(document, position) {
    const schema = await schemaOf(document);
    if (schema === undefined) return [];
    const { completeKey } = await import('../../evals/files/schemaKeys.ts');
    const { start, keys } = completeKey(document.getText(), position.line, position.character, schema);
    return keys.map(({ name, description, insertText }) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Property);
      item.insertText = insertText;
      item.documentation = description;
      item.range = new vscode.Range(position.with({ character: start }), position);
      return item;
    });
  },
  async provideHover(document, position) {
    const schema = await schemaOf(document);
    if (schema === undefined) return undefined;
    const { describeKey } = await import('../../evals/files/schemaKeys.ts');
    const found = describeKey(document.getText(), position.line, position.character, schema);
    if (found === undefined) return undefined;
    const { start, end, description } = found;
    return new vscode.Hover(description, new vscode.Range(position.line, start, position.line, end));
  },
};

export const provideQuestionKeys = (): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider('yaml', provider),
    vscode.languages.registerHoverProvider('yaml', provider),
  );
