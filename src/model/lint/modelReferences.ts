/** Finds the references of cubes and views to members and to each other, with their positions. */
import { jinjaTags } from '../../shared/text/jinja.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { treeOf } from '../members.ts';
import type { ModelNode, ModelOwner } from '../modelNode.ts';
import { viewCubes } from '../views.ts';
import { namePartsOf, type NamePart, type Reference } from './reference.ts';

/** How a value refers to the data model. */
type Kind =
  /** Text with references in braces. */
  | 'template'
  /** A path, or a list of paths, relative to the cube. */
  | 'path'
  /** A member of the cube or view itself. */
  | 'member'
  /** A path of cubes. */
  | 'owner'
  /** A member of the cube that a view includes. */
  | 'included';

/** The values that the compiler of the data model resolves, by their keys in camel case; list items have the key `0`. */
const FIELDS: readonly (readonly [Kind, RegExp])[] = [
  ['template', /(?:^|\.)(?:\w*sql|sqlTable)$/i],
  ['path', /^measures\.\w+\.(?:drillMembers|drillMemberReferences|reduceBy|groupBy|addGroupBy)$/],
  ['path', /^measures\.\w+\.timeShift\.0\.timeDimension$/],
  ['path', /^dimensions\.\w+\.(?:reduceBy|groupBy|addGroupBy|key)$/],
  ['path', /^(?:measures|dimensions)\.\w+\.case\.switch$/],
  ['path', /^(?:measures|dimensions)\.\w+\.(?:filter|grain)\.(?:exclude|keepOnly|include)$/],
  ['path', /^(?:measures|dimensions)\.\w+\.filter\.include\.0(?:\.(?:and|or)\.0)*\.member$/],
  ['path', /^preAggregations\.\w+\.(?:timeDimension|segment|dimension|measure|rollup)(?:s|References?)?$/],
  ['path', /^preAggregations\.\w+\.timeDimensions\.0\.dimension$/],
  ['path', /^preAggregations\.\w+\.outputColumnTypes\.0\.member$/],
  ['path', /^hierarchies\.\w+\.levels$/],
  ['path', /^accessPolicy\.0\.rowLevel\.filters\.0(?:\.(?:and|or)\.0)*\.member$/],
  ['member', /^accessPolicy\.0\.member(?:Level|Masking)\.(?:includes|excludes)$/],
  ['member', /^folders\.0(?:\.includes\.0)*\.includes$/],
  ['member', /^defaultFilters\.0\.(?:member|unless)$/],
  ['owner', /^joins\.0\.name$/],
  ['owner', /^cubes\.0\.joinPath$/],
  ['owner', /^folders\.0(?:\.includes\.0)*\.joinPath$/],
  ['owner', /^extends$/],
  ['included', /^cubes\.0\.(?:includes|excludes)$/],
  ['included', /^cubes\.0\.includes\.0\.name$/],
];

const camelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const kinds = new Map<string, Kind | undefined>();

/** @param key path of keys in camel case */
function kindOf(key: string): Kind | undefined {
  // Names of members are parts of keys, so that their number has no limit.
  if (kinds.size > 10_000) kinds.clear();
  if (!kinds.has(key)) kinds.set(key, FIELDS.find(([, pattern]) => pattern.test(key))?.[0]);
  return kinds.get(key);
}

/** Lists of members, which may be maps by their names. */
const LISTS = /^(?:measures|dimensions|segments|joins|preAggregations|hierarchies)$/;

/** A reference in braces, not escaped: `{revenue}`, `${orders.revenue}`. */
const IN_BRACES = /(?<!\\)\{ ?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*) ?\}/g;
const FILTER = /\bFILTER_PARAMS\.([A-Za-z_]\w*\.[A-Za-z_]\w*)\.filter\b/g;
/** Names that the compiler and JavaScript provide. */
const PROVIDED =
  /^(?:FILTER_PARAMS|FILTER_GROUP|SQL_UTILS|SECURITY_CONTEXT|USER_CONTEXT|COMPILE_CONTEXT|securityContext|user_?attributes|groups|process|globalThis|undefined|Math|JSON|Date|Object|Array|String|Number)$/i;
/** The parameters of a Python function, which a filter can have. */
const LAMBDA = /\blambda +(\w+(?: *, *\w+)*) *:/g;
/** Paths, or a list of them. */
const PATHS = /^[\w.,\s[\]]+["'`]?$/;
const PATH = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g;
/** In JavaScript, a value may be the result of a function. */
const ARROW = /^\(\w*\)\s*=>/;
/** Replaces templates, so that no name is read in them or across them. */
const NO_NAME = '\ue000';

/** @returns the references in all cubes and views of a model file */
export function modelReferences(file: SourceFile): Reference[] {
  const { owners, declared } = treeOf(file);
  if (owners.length === 0) return [];
  const reader = new Reader(withoutTags(file.text), declared);
  return owners.flatMap((owner) => reader.references(owner));
}

function withoutTags(text: string): string {
  let masked = '';
  for (const { start, end } of jinjaTags(text))
    masked += text.slice(masked.length, start) + NO_NAME.repeat(end - start);
  return masked + text.slice(masked.length);
}

class Reader {
  readonly #text: string;
  /** Names that JavaScript code declares itself. */
  readonly #declared: ReadonlySet<string>;
  readonly #isCode: boolean;
  #found: Reference[] = [];

  /** @param declared undefined for a file without code */
  constructor(text: string, declared: ReadonlySet<string> | undefined) {
    this.#text = text;
    this.#declared = declared ?? new Set();
    this.#isCode = declared !== undefined;
  }

  references({ kind, name, node }: ModelOwner): Reference[] {
    this.#found = [];
    const cubes = new Map(kind === 'view' ? viewCubes(node).map(({ node: item, cube }) => [item, cube]) : []);
    this.#entries(node, '', name, cubes);
    return this.#found;
  }

  /** @param owner the cube or view that names are relative to */
  #entries(node: ModelNode, path: string, owner: string, cubes: ReadonlyMap<ModelNode, string>): void {
    for (const { key, start, value, isComputed } of node.entries ?? []) {
      const name = camelCase(key);
      if (isComputed || name === 'meta') continue;
      const isNamed = LISTS.test(path);
      if (isNamed && path === 'joins') this.#add('owner', { start, end: start + key.length, text: key }, owner);
      this.#value(value, path === '' ? name : `${path}.${isNamed ? '0' : name}`, owner, cubes);
    }
  }

  #value(node: ModelNode, path: string, owner: string, cubes: ReadonlyMap<ModelNode, string>): void {
    const included = cubes.get(node);
    if (node.entries) return this.#entries(node, path, included ?? owner, cubes);
    const kind = kindOf(path);
    for (const item of node.items ?? []) {
      if (item.text !== undefined && kind) this.#add(kind, item, owner);
      // A cube that can't be read has members that are not known.
      else if (path !== 'cubes' || cubes.has(item)) this.#value(item, `${path}.0`, owner, cubes);
    }
    if (node.text !== undefined && kind) this.#add(kind, node, owner);
  }

  #add(kind: Kind, { start, end }: ModelNode, owner: string): void {
    const source = this.#text.slice(start, end);
    if (kind === 'template') return this.#template(source, start, owner);
    const from = ARROW.exec(source)?.[0].length ?? 0;
    if (!PATHS.test(source.slice(from))) return;
    for (const { 0: path, index } of source.slice(from).matchAll(PATH)) {
      const parts = namePartsOf(path, start + from + index);
      if (this.#isDeclared(parts)) continue;
      if (kind === 'owner') this.#found.push({ parts, owners: [], isPath: true, isOwner: true });
      else if (kind === 'path') this.#found.push({ parts, owners: [owner], isPath: true });
      // A path in a list of members names the cube first, which the compiler accepts in policies only.
      else if (parts.length === 1) this.#found.push({ parts, owners: [owner], isPath: false });
      else this.#found.push({ parts, owners: [], isPath: true });
    }
  }

  /** Whether the first name is not one of the data model. */
  #isDeclared(parts: readonly NamePart[]): boolean {
    const { name } = parts[0]!;
    return PROVIDED.test(name) || this.#declared.has(name);
  }

  #template(source: string, start: number, owner: string): void {
    const parameters = new Set([...source.matchAll(LAMBDA)].flatMap(([, list = '']) => list.split(/[, ]+/)));
    for (const match of source.matchAll(IN_BRACES)) {
      const parts = namePartsOf(match[1]!, start + match.index + match[0].indexOf(match[1]!));
      if (parameters.has(parts[0]!.name)) continue;
      // In JavaScript, braces without a dollar sign are text.
      if (this.#isDeclared(parts) || (this.#isCode && source[match.index - 1] !== '$')) continue;
      const isTable = source[match.index + match[0].length] === '.';
      this.#found.push({ parts, owners: [owner], isPath: true, ...(isTable ? { isTable } : {}) });
    }
    for (const match of source.matchAll(FILTER)) {
      const parts = namePartsOf(match[1]!, start + match.index + match[0].indexOf(match[1]!, 'FILTER_PARAMS'.length));
      this.#found.push({ parts, owners: [owner], isPath: true });
    }
  }
}
