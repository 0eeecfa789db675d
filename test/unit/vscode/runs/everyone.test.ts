/** *Ask as Everyone…* against the sandbox. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { ChatClient } from '../../../../src/api/client.ts';
import { readQuestionSet } from '../../../../src/evals/files/questions.ts';
import type { EveryoneState } from '../../../../src/shared/protocol/everyone.ts';
import type { Home, QuestionContext } from '../../../../src/shared/thread/model.ts';
import type { SessionSettings } from '../../../../src/shared/wire/streamLines.ts';
import type { ConnectionAt } from '../../../../src/vscode/connection/connector.ts';
import { EveryoneRun } from '../../../../src/vscode/runs/everyoneRun.ts';
import { demoIdentities } from '../../../sandbox/identities.ts';
import { until } from '../../../support/until.ts';
import { repoRoot } from '../../../vscode/paths.ts';
import { useSandbox } from '../../sandbox/support.ts';

const SETTINGS: Readonly<Record<string, SessionSettings>> = {
  dev: { externalId: 'dev' },
  ...demoIdentities,
  Nobody: { internalId: 'nobody@acme.example' },
};
const ACCESS = readFileSync(join(repoRoot, 'test/sandbox/access.yml'), 'utf8');
const GUEST = '- { name: guests, question: orders, expect: [{ as: guest, empty: true }] }';

describe('asking as everyone', () => {
  const sandbox = useSandbox();
  afterEach(() => sandbox.faults());

  function runOf(question: string, onChange: (state: EveryoneState) => void = () => undefined): EveryoneRun {
    const credential = { kind: 'apiKey', value: sandbox.apiKey } as const;
    const client = new ChatClient({ chatApiUrl: sandbox.chatApiUrl, credential });
    const connector = {
      connect: (_?: Home, context?: QuestionContext): Promise<ConnectionAt> => {
        if (context === undefined) assert.fail();
        const sessionSettings = SETTINGS[context.identity] ?? assert.fail();
        const home = { origin: sandbox.url, connection: '' };
        return Promise.resolve({ client, sessionSettings, context, home, stallTimeout: 30_000 });
      },
    };
    const { questions } = readQuestionSet([{ path: '.analytics-chat/access.yml', text: `${ACCESS}  ${GUEST}\n` }]);
    const contextOf = (identity: string) => ({ branch: '', isDefaultBranch: true, identity });
    const options = {
      ...{ question, identities: Object.keys(SETTINGS), branch: 'main', contextOf, home: undefined },
      ...{ tests: questions, precision: 4, locale: 'en' },
    };
    const run: EveryoneRun = new EveryoneRun(connector, options, () => onChange(run.state));
    return run;
  }
  const cellsOf = ({ table }: EveryoneState, region: string): (string | undefined)[] =>
    table.rows.find(({ key }) => key[0] === region)?.cells.map((cells) => cells?.[0]?.text?.replace(/\.\d+$/, '')) ??
    [];

  it('has a column for each identity, at most four at once, and continues if one fails', async () => {
    const asking: number[] = [];
    const run = runOf('revenue by region in 2024', ({ identities }) =>
      asking.push(identities.filter(({ state }) => state === 'asking').length),
    );
    await run.start();
    const { identities, isRunning } = run.state;
    assert.deepEqual([Math.max(...asking), isRunning], [4, false]);
    assert.deepEqual(
      identities.map(({ name, state }) => `${name}: ${state}`),
      Object.keys(SETTINGS).map((name) => `${name}: ${name === 'Nobody' ? 'failed' : 'answered'}`),
    );
    assert.match(identities.at(-1)?.message ?? '', /nobody@acme\.example/);
    const europe = cellsOf(run.state, 'Europe');
    assert.equal(europe[0], europe[1]);
    const ana = cellsOf(run.state, 'Asia Pacific')[1] ?? cellsOf(run.state, 'North America')[1];
    assert.equal(ana, undefined);
    assert.ok(run.answered(1)?.thread.chatId);
    assert.deepEqual(run.state.notes, [
      {
        kind: 'unknown',
        text: 'access.yml names “guest”, which is not in your setting “analyticsChat.identities”.',
      },
    ]);
  });

  it('stops the running answers on the service, and asks no others', async () => {
    sandbox.faults(...Array.from({ length: 4 }, () => ({ stallAfter: 1 })));
    const run = runOf('revenue by region in 2024');
    const [asked, aborted] = ['/stream-chat-state', '/abort'].map(
      (path) => () => sandbox.requests.filter((request) => request.path.endsWith(path)).length,
    ) as [() => number, () => number];
    const before = asked();
    const running = run.start();
    await until(() => asked() === before + 4);
    run.cancel();
    await running;
    assert.ok(run.state.identities.every(({ state }) => state === 'canceled'));
    assert.deepEqual([asked(), aborted()], [before + 4, 4]);
  });

  it('shows nothing of the last run when it asks again, and how many rows an answer left out', async () => {
    const states: EveryoneState[] = [];
    const run = runOf('orders by day in 2024', (state) => states.push(state));
    await run.start();
    assert.equal(run.state.identities[0]?.message, '100 of 366 rows');
    assert.ok(run.state.table.rows.length > 0);
    states.length = 0;
    const again = run.start();
    await until(() => states.length > 0);
    run.cancel();
    await again;
    assert.deepEqual(states[0]?.table.rows, []);
  });
});
