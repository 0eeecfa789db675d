/** Reads and writes certified queries: Markdown with YAML front matter, or a list in `agents/config.yml`. */
import { isMap, type Node } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import { fileNameOf } from './baseline.ts';
import { AGENTS_PATH } from '../../shared/text/agentsPath.ts';
import { spaceOfFolder } from './layout.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { CertifiedQuery, Problem } from '../question.ts';
import { scalarText, YamlFile, yamlScalar } from './yaml.ts';

/** @returns the query of a Markdown file; none if the file has errors, which are added to `problems` */
export function readCertifiedQuery(file: SourceFile, problems: Problem[]): CertifiedQuery[] {
  const [frontMatter, body] = splitFrontMatter(file.text);
  const firstLine = frontMatter === undefined ? 0 : 1;
  const yaml = new YamlFile({ path: file.path, text: frontMatter ?? '' }, problems, firstLine);
  if (frontMatter === undefined || !isMap(yaml.root)) {
    yaml.report(undefined, t('A certified query must start with front matter between two --- lines.'));
    return [];
  }
  const fileName = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const sql = withoutFence(replaceHtmlComments(body, () => ' '));
  return readEntry(yaml, yaml.root, { fileName, space: spaceOfFolder(file.path), body: sql });
}

/** Reads `certified_queries:` of `agents/config.yml`: a list, or a map from names. */
export function readAgentConfig(file: SourceFile, problems: Problem[]): CertifiedQuery[] {
  const yaml = new YamlFile(file, problems);
  const list = isMap(yaml.root) ? yaml.member(yaml.root, 'certified_queries') : undefined;
  if (isMap(list))
    return yaml.keysOf(list).flatMap((name) => {
      const entry = name === undefined ? undefined : yaml.member(list, name);
      return readEntry(yaml, entry, { fileName: name });
    });
  if (scalarText(list) !== undefined) yaml.report(list, t('“{0}” must be a list.', 'certified_queries'));
  return yaml.entries(list).flatMap((entry) => readEntry(yaml, entry, {}));
}

function readEntry(
  yaml: YamlFile,
  entry: Node | undefined,
  { fileName, space: folder, body }: { fileName?: string; space?: string; body?: string },
): CertifiedQuery[] {
  if (!isMap(entry)) {
    yaml.report(entry, t('A certified query must have the keys {0}.', 'name, user_request, sql_query'));
    return [];
  }
  const field = (key: string): string | undefined => scalarText(yaml.member(entry, key));
  const [name, sql] = [field('name') ?? fileName, field('sql_query') ?? body];
  const fields = { name, user_request: field('user_request'), sql_query: sql };
  const missing = Object.entries(fields).filter(([, text]) => !text);
  for (const [key] of missing) yaml.report(entry, t('“{0}” is missing.', key));
  const space = field('space') ?? folder;
  return missing.length > 0 ? [] : [{ name: name!, space, sql: sql!, path: yaml.path, range: yaml.rangeOf(entry) }];
}

/** @returns the YAML between the first two lines of `---`, if any, and what follows */
export function splitFrontMatter(text: string): [string | undefined, string] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const isFence = (line: string): boolean => line.trimEnd() === '---';
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (!isFence(lines[0]!) || end < 0) return [undefined, text];
  return [lines.slice(1, end).join('\n'), lines.slice(end + 1).join('\n')];
}

/** HTML comments, after the literals and comments of SQL, which may contain their delimiters. */
const COMMENTS = /'[^']*'|"[^"]*"|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|(<!--(?:[^-]|-(?!->))*(?:-->)?)/g;

/** @param by returns the text to put in the place of a comment */
export const replaceHtmlComments = (body: string, by: (comment: string) => string): string =>
  body.replace(COMMENTS, (match, comment: string | undefined) => (comment === undefined ? match : by(comment)));

/** The SQL of a body that is one fenced block; any other body unchanged. */
function withoutFence(body: string): string {
  const lines = body.trim().split(/\r?\n/);
  const isFenced = /^```\w*\s*$/.test(lines[0]!) && lines.at(-1)?.trim() === '```';
  return (isFenced ? lines.slice(1, -1) : lines).join('\n').trim();
}

interface NewCertifiedQuery {
  name: string;
  /** The question that the query answers. */
  request: string;
  sql: string;
}

/** @returns the path of a certified query, relative to the project */
export const certifiedPath = (name: string, agentsPath = AGENTS_PATH): string =>
  `${agentsPath}/certified_queries/${fileNameOf(name)}.md`;

/** @returns the file to write; the platform reads everything below the front matter as SQL */
export function writeCertified({ name, request, sql }: NewCertifiedQuery, agentsPath?: string): SourceFile {
  const lines = ['---', `name: ${yamlScalar(name)}`, `user_request: ${yamlScalar(request)}`, '---', '', sqlBody(sql)];
  return { path: certifiedPath(name, agentsPath), text: `${lines.join('\n')}\n` };
}

const sqlBody = (sql: string): string => sql.replace(/\r\n?/g, '\n').trim();
