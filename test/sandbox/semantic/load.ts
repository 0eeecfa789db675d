/** Loads the data model of every branch from its YAML files. */
import { parse } from 'yaml';
import { loadModelFiles } from './branchFiles.ts';
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
      members.set(alias, { name: alias, cube, member });
    }
  }
  const root = cubeOf(raw.cubes[0]?.join_path.split('.')[0] ?? '');
  return { name: raw.name, title: raw.title ?? raw.name, description: raw.description ?? '', root, members };
}

function makeModel(files: readonly RawFile[]): Model {
  const cubes = new Map(files.flatMap((file) => file.cubes ?? []).map((raw) => [raw.name, makeCube(raw)]));
  return {
    cubes,
    views: new Map(files.flatMap((file) => file.views ?? []).map((raw) => [raw.name, makeView(raw, cubes)])),
  };
}

/** @returns the model of every branch, by branch name; `main` first */
export async function loadModels(): Promise<Map<string, Model>> {
  const models = new Map<string, Model>();
  for (const [branch, files] of await loadModelFiles())
    models.set(branch, makeModel([...files.values()].map((text) => parse(text) as RawFile)));
  return models;
}
