/** The schemas of question files and access tests, for YAML extensions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, it } from 'mocha';
import { kindOfFile } from '../../../../src/evals/files/layout.ts';
import { keySchemas } from '../../../../src/evals/files/schema.ts';
import { repoRoot } from '../../../vscode/paths.ts';

type Kind = keyof typeof keySchemas;

describe('the schemas for YAML extensions', () => {
  const manifest = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as {
    contributes: { yamlValidation: { fileMatch: string[]; url: string }[] };
  };

  it('are those of the kinds of files', () => {
    for (const path of [
      'agents/eval_questions.yml',
      'agents/eval_questions.yaml',
      'agents/eval_questions/a.yml',
      'agents/eval_questions/a.yaml',
      '.analytics-chat/questions.yml',
      '.analytics-chat/questions.yaml',
      '.analytics-chat/access.yml',
      '.analytics-chat/access.yaml',
    ]) {
      const urls = manifest.contributes.yamlValidation
        .filter(({ fileMatch }) => fileMatch.some((pattern) => matchesGlob(path, pattern)))
        .map(({ url }) => url);
      assert.deepEqual(urls, [`./dist/schemas/${kindOfFile(path)}.json`], path);
      assert.ok(keySchemas[kindOfFile(path) as Kind]().properties);
    }
  });
});
