/** Writes a certified query: Markdown with YAML front matter, in the platform's own format. */
import { fileNameOf } from '../baselines/write.ts';
import { yamlScalar } from '../files/addQuestion.ts';
import type { SourceFile } from '../files/sourceFile.ts';

export interface NewCertifiedQuery {
  name: string;
  /** The question that the query answers. */
  request: string;
  sql: string;
}

/** @returns the path of a certified query, relative to the project */
export const certifiedPath = (name: string): string => `agents/certified_queries/${fileNameOf(name)}.md`;

/** @returns the file to write; the platform reads everything below the front matter as SQL */
export function writeCertified({ name, request, sql }: NewCertifiedQuery): SourceFile {
  const lines = ['---', `name: ${yamlScalar(name)}`, `user_request: ${yamlScalar(request)}`, '---', '', sqlBody(sql)];
  return { path: certifiedPath(name), text: `${lines.join('\n')}\n` };
}

const sqlBody = (sql: string): string => sql.replace(/\r\n?/g, '\n').trim();
