/** Finds changes of the files that steer the agent: rules, skills, its configuration and certified queries. */
import { isMap } from 'yaml';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { AGENTS_PATH } from '../../shared/text/agentsPath.ts';
import { readAgentConfig, readCertifiedQuery, splitFrontMatter } from '../files/certifiedQueries.ts';
import { scalarText, YamlFile } from '../files/yaml.ts';

/** A changed file, or a certified query in it. */
export interface AgentChange {
  /**
   * `rule` and `config` apply to every question, a `certifiedQuery` to those that name it, and `optional` rules and
   * skills where the agent sees fit.
   */
  kind: 'rule' | 'config' | 'certifiedQuery' | 'optional';
  /** Name of the certified query; otherwise the path. */
  name: string;
  /** That of the certified query. */
  space?: string;
  path: string;
}

const CERTIFIED = /^(?:certified_queries|certified-queries|queries)\/.*\.md$/;
/** Questions don't steer the agent, and a README is about the folder. */
const OTHER = /^eval_questions(?:\/.*)?\.ya?ml$|(?:^|\/)(?:README|Readme|readme)\.md$/;

/**
 * Whether a file may steer the agent.
 * @param agentsPath the folder of the platform's files, in a project that may be below the folder that is checked
 */
export const isAgentFile = (path: string, agentsPath?: string): boolean => localPath(path, agentsPath) !== undefined;

/** @returns the path in the folder of the platform's files; undefined for other files */
function localPath(path: string, agentsPath = AGENTS_PATH): string | undefined {
  const [, ...parts] = `/${path}`.split(`/${agentsPath}/`);
  const local = parts.join(`/${agentsPath}/`);
  return parts.length > 0 && /\.(?:md|ya?ml)$/.test(path) && !OTHER.test(local) ? local : undefined;
}

/** A rule, a query or another part of a file, with its text. */
interface Part extends AgentChange {
  text: string;
}

/** @returns one change for each file, and one for each certified query */
export function agentChanges(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  agentsPath?: string,
): AgentChange[] {
  const [old, now] = [before, after].map(
    (files) =>
      new Map(
        files
          .flatMap((file) => partsOf(file, agentsPath))
          .map((part) => [JSON.stringify([part.path, part.kind, part.space, part.name]), part]),
      ),
  ) as [Map<string, Part>, Map<string, Part>];
  const changes = [...new Set([...now.keys(), ...old.keys()])].flatMap((key): AgentChange[] => {
    const [former, part] = [old.get(key), now.get(key)];
    if (former?.text === part?.text) return [];
    const { text: _, ...change } = (part ?? former)!;
    return [change];
  });
  // A rule that applied to every question in one version only concerns them all.
  const rules = new Set(changes.filter(({ kind }) => kind === 'rule').map(({ path }) => path));
  return changes.filter(({ kind, path }) => kind !== 'optional' || !rules.has(path));
}

function partsOf(file: SourceFile, agentsPath: string | undefined): Part[] {
  const { path } = file;
  const local = localPath(path, agentsPath);
  if (local === undefined) return [];
  const text = file.text.replaceAll('\r\n', '\n').trim();
  if (CERTIFIED.test(local)) {
    const [query] = readCertifiedQuery(file, []);
    return [{ kind: 'certifiedQuery', name: query?.name ?? path, space: query?.space, path, text }];
  }
  if (/^config\.ya?ml$/.test(local)) return partsOfConfig(file, text);
  const isAlways = /^rules\//.test(local) && ruleType(file) === 'always';
  return [{ kind: isAlways ? 'rule' : 'optional', name: path, path, text }];
}

/** The certified queries of the configuration, and everything else in it. */
function partsOfConfig(file: SourceFile, text: string): Part[] {
  const { path } = file;
  const queries = readAgentConfig(file, []);
  const lines = text.split('\n');
  for (const { range } of queries) lines.fill('', range.start.line, range.end.line + (range.end.character > 0 ? 1 : 0));
  const rest = lines.filter((line) => line.trim() !== '' && !/^certified_queries\s*:|^\s*#/.test(line)).join('\n');
  return [
    { kind: 'config', name: path, path, text: rest },
    ...queries.map(({ name, space, sql }): Part => ({ kind: 'certifiedQuery', name, space, path, text: sql })),
  ];
}

/** @returns the type of a rule: `always`, also where it has none, or for example `agent_requested` */
function ruleType({ path, text }: SourceFile): string {
  const [frontMatter] = /\.md$/.test(path) ? splitFrontMatter(text) : [text];
  const yaml = new YamlFile({ path, text: frontMatter ?? '' }, []);
  return (isMap(yaml.root) ? scalarText(yaml.member(yaml.root, 'type')) : undefined) ?? 'always';
}
