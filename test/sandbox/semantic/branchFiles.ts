/**
 * Loads the YAML files of the data model on every branch. A branch is stored as its changed members and includes, which
 * are merged into the files of main; comments and order are preserved.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMap, parseDocument, type Document, type YAMLMap, YAMLSeq } from 'yaml';

/** Texts of files by path, such as `cubes/orders.yml`. */
export type ModelFiles = ReadonlyMap<string, string>;

/** The model of main: that of the demo's workspace. */
const MODEL = join(import.meta.dirname, '..', '..', 'fixtures', 'workspaces', 'model', 'model');
const BRANCHES = join(import.meta.dirname, '..', 'model', 'branches');

/** The branch of requests that name none. */
export const MAIN_BRANCH = 'main';

const entriesOf = (node: unknown): YAMLMap[] =>
  node instanceof YAMLSeq ? node.items.filter((item) => isMap(item)) : [];
const nameOf = (node: unknown): unknown => (isMap(node) ? node.get('name') : String(node));

/** Replaces the item of the same name, or adds one. */
function put(list: YAMLSeq, item: unknown): void {
  const at = list.items.findIndex((known) => nameOf(known) === nameOf(item));
  if (at < 0) list.add(item);
  else list.items[at] = item;
}

/** Merges the items of a list in the change into the list of the same key. */
function putAll(target: YAMLMap, change: YAMLMap, key: string): void {
  const items = change.get(key);
  const list = target.get(key);
  if (items instanceof YAMLSeq && list instanceof YAMLSeq) for (const item of items.items) put(list, item);
}

function changeCube(target: YAMLMap, change: YAMLMap): void {
  putAll(target, change, 'dimensions');
  putAll(target, change, 'measures');
}

function changeView(target: YAMLMap, change: YAMLMap): void {
  for (const join of entriesOf(change.get('cubes'))) {
    const path = join.get('join_path');
    const known = entriesOf(target.get('cubes')).find((other) => other.get('join_path') === path);
    if (!known) throw new Error(`No view includes ${String(path)} yet`);
    putAll(known, join, 'includes');
  }
}

function changeFile(document: Document, change: Document): boolean {
  let isChanged = false;
  for (const [key, apply] of [
    ['cubes', changeCube],
    ['views', changeView],
  ] as const)
    for (const changed of entriesOf(change.get(key)))
      for (const target of entriesOf(document.get(key)))
        if (target.get('name') === changed.get('name')) {
          apply(target, changed);
          isChanged = true;
        }
  return isChanged;
}

function onBranch(main: ModelFiles, change: string): ModelFiles {
  return new Map(
    [...main].map(([path, text]) => {
      const document = parseDocument(text);
      // Parse the change for each file, because a node belongs to one document.
      const isChanged = changeFile(document, parseDocument(change));
      return [path, isChanged ? document.toString({ lineWidth: 0, flowCollectionPadding: false }) : text];
    }),
  );
}

/** @returns the files of every branch; `main` first */
export async function loadModelFiles(): Promise<Map<string, ModelFiles>> {
  const main = new Map<string, string>();
  for (const kind of ['cubes', 'views'])
    for (const name of (await readdir(join(MODEL, kind))).filter((file) => file.endsWith('.yml')).sort())
      main.set(`${kind}/${name}`, await readFile(join(MODEL, kind, name), 'utf8'));
  const branches = new Map<string, ModelFiles>([[MAIN_BRANCH, main]]);
  for (const name of (await readdir(BRANCHES)).sort())
    branches.set(name.replace(/\.yml$/, ''), onBranch(main, await readFile(join(BRANCHES, name), 'utf8')));
  return branches;
}
