/** Reads the data model from its YAML files, with the changes of a development branch laid over it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Cube, Dimension, Format, Measure, Member, Model, View, ViewMember } from './model.ts';

interface RawMember {
  name: string;
  title?: string;
  description?: string;
  sql?: string;
  type: string;
  format?: Format;
  primary_key?: boolean;
  public?: boolean;
  filters?: { sql: string }[];
  /** Separated by commas. */
  meta?: { synonyms?: string };
}
interface RawCube {
  name: string;
  title?: string;
  description?: string;
  sql?: string;
  sql_table?: string;
  joins?: { name: string; sql: string }[];
  dimensions?: RawMember[];
  measures?: RawMember[];
}
type RawInclude = string | { name: string; alias?: string };
interface RawView {
  name: string;
  title?: string;
  description?: string;
  cubes: { join_path: string; includes: RawInclude[] }[];
}
interface RawFile {
  cubes?: RawCube[];
  views?: RawView[];
}

const folder = join(import.meta.dirname, '..', 'model');

/** The branch that is used when a request names none. */
export const MAIN_BRANCH = 'main';

async function readFiles(...names: string[]): Promise<RawFile[]> {
  const path = join(folder, ...names);
  const files = (await readdir(path)).filter((name) => name.endsWith('.yml')).sort();
  return Promise.all(files.map(async (name) => parse(await readFile(join(path, name), 'utf8')) as RawFile));
}

/** Members of the same name are replaced, the others added. */
function overlay(base: RawMember[] = [], changes: RawMember[] = []): RawMember[] {
  const names = new Set(changes.map(({ name }) => name));
  return [...base.filter(({ name }) => !names.has(name)), ...changes];
}

function mergeCubes(files: readonly RawFile[]): RawCube[] {
  const cubes = new Map<string, RawCube>();
  for (const cube of files.flatMap((file) => file.cubes ?? [])) {
    const before = cubes.get(cube.name);
    const dimensions = overlay(before?.dimensions, cube.dimensions);
    const measures = overlay(before?.measures, cube.measures);
    cubes.set(cube.name, { ...before, ...cube, dimensions, measures });
  }
  return [...cubes.values()];
}

function mergeViews(files: readonly RawFile[]): RawView[] {
  const views = new Map<string, RawView>();
  for (const view of files.flatMap((file) => file.views ?? [])) {
    const before = views.get(view.name);
    views.set(view.name, { ...before, ...view, cubes: [...(before?.cubes ?? []), ...view.cubes] });
  }
  return [...views.values()];
}

function makeMember(raw: RawMember, kind: Member['kind']): Member {
  const fields = {
    name: raw.name,
    title: raw.title ?? raw.name,
    description: raw.description ?? '',
    sql: raw.sql ?? '',
    synonyms: (raw.meta?.synonyms ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()])),
    ...(raw.format ? { format: raw.format } : {}),
  };
  if (kind === 'dimension')
    return { ...fields, kind, type: raw.type as Dimension['type'], primaryKey: raw.primary_key === true };
  return { ...fields, kind, type: raw.type as Measure['type'], filters: (raw.filters ?? []).map(({ sql }) => sql) };
}

function makeCube(raw: RawCube): Cube {
  const members = new Map<string, Member>();
  for (const member of raw.dimensions ?? []) members.set(member.name, makeMember(member, 'dimension'));
  for (const member of raw.measures ?? []) members.set(member.name, makeMember(member, 'measure'));
  return {
    name: raw.name,
    title: raw.title ?? raw.name,
    description: raw.description ?? '',
    source: raw.sql_table ?? `(${raw.sql ?? ''})`,
    joins: raw.joins ?? [],
    members,
  };
}

function makeView(raw: RawView, cubes: ReadonlyMap<string, Cube>): View {
  const cubeOf = (name: string): Cube => {
    const cube = cubes.get(name);
    if (cube === undefined) throw new Error(`The view ${raw.name} names an unknown cube: ${name}`);
    return cube;
  };
  const members = new Map<string, ViewMember>();
  for (const { join_path, includes } of raw.cubes) {
    const cube = cubeOf(join_path.split('.').at(-1) ?? '');
    for (const include of includes) {
      const { name, alias = name } = typeof include === 'string' ? { name: include } : include;
      const member = cube.members.get(name);
      if (member === undefined) throw new Error(`The view ${raw.name} names an unknown member: ${cube.name}.${name}`);
      // A branch that includes a member under another name gives it that name.
      for (const [known, { member: other }] of members) if (other === member) members.delete(known);
      members.set(alias, { name: alias, cube, member });
    }
  }
  const root = cubeOf(raw.cubes[0]?.join_path.split('.')[0] ?? '');
  return { name: raw.name, title: raw.title ?? raw.name, description: raw.description ?? '', root, members };
}

function makeModel(files: readonly RawFile[]): Model {
  const cubes = new Map(mergeCubes(files).map((raw) => [raw.name, makeCube(raw)]));
  return { cubes, views: new Map(mergeViews(files).map((raw) => [raw.name, makeView(raw, cubes)])) };
}

/** @returns the model of every branch, by branch name; `main` first */
export async function loadModels(): Promise<Map<string, Model>> {
  const main = [...(await readFiles('cubes')), ...(await readFiles('views'))];
  const models = new Map([[MAIN_BRANCH, makeModel(main)]]);
  for (const name of (await readdir(join(folder, 'branches'))).sort()) {
    const change = parse(await readFile(join(folder, 'branches', name), 'utf8')) as RawFile;
    models.set(name.replace(/\.yml$/, ''), makeModel([...main, change]));
  }
  return models;
}
