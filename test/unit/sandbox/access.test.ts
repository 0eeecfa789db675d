/** Access tests against the sandbox: loosening its row-level security fails the test of one identity. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { ChatClient } from '../../../src/api/client.ts';
import { readQuestionSet } from '../../../src/evals/files/questionSet.ts';
import { sessionAsk } from '../../../src/evals/matrix/answer.ts';
import { expected } from '../../../src/evals/matrix/expected.ts';
import { contextsToGrade, type Context } from '../../../src/evals/matrix/matrix.ts';
import { runMatrix } from '../../../src/evals/matrix/runMatrix.ts';
import { demoIdentities } from '../../sandbox/identities.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { startFast } from './support.ts';

const POLICIES = readFileSync(join(repoRoot, 'test/sandbox/model/policies.yml'), 'utf8');
const ACCESS = readFileSync(join(repoRoot, 'test/sandbox/access.yml'), 'utf8');

describe('the access tests of the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'policies-'));
  const path = join(folder, 'policies.yml');
  let sandbox: Sandbox;

  before(async () => {
    writeFileSync(path, POLICIES);
    sandbox = await startFast({ policies: path });
  });
  after(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  /** @returns the verdicts of all access tests, with the policies as they are now */
  async function verdicts(): Promise<Record<string, string>> {
    const { questions } = readQuestionSet([{ path: '.analytics-chat/access.yml', text: ACCESS }]);
    const client = new ChatClient({
      chatApiUrl: sandbox.chatApiUrl,
      credential: { kind: 'apiKey', value: sandbox.apiKey },
    });
    const found: Record<string, string> = {};
    await runMatrix(
      questions,
      (question) => contextsToGrade(question, (identity): Context => ({ label: 'main', branch: 'main', identity })),
      expected(),
      {
        signal: new AbortController().signal,
        ask: ({ text }, { identity = '' }, signal) => {
          const sessionSettings = demoIdentities[identity] ?? assert.fail(identity);
          const context = { branch: '', isDefaultBranch: true, identity };
          const connection = { client, sessionSettings, context, stallTimeout: 30_000 };
          return sessionAsk(() => Promise.resolve(connection))(text, signal);
        },
        onEvent: (event) => {
          if (event.type !== 'judged') return;
          const { question, status } = event.verdict;
          found[question.identity ?? ''] = status;
        },
      },
    );
    return found;
  }

  it('fail for exactly the identity whose policy is loosened, and pass again once it is restored', async () => {
    const all = {
      'Ana, Europe': 'passed',
      'Marc, internal user': 'passed',
      'Ben, Germany': 'passed',
      'Chloé, Electronics': 'passed',
    };
    assert.deepEqual(await verdicts(), all);
    writeFileSync(path, POLICIES.replace('    member: customers.country\n', ''));
    assert.deepEqual(await verdicts(), { ...all, 'Ben, Germany': 'failed' });
    writeFileSync(path, POLICIES);
    assert.deepEqual(await verdicts(), all);
  });
});
