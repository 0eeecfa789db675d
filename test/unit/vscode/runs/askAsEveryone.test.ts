/** The *Ask as Everyone…* and *Compare Branches…* commands, with two connections, branches, identities and chats. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { emptyThread, type Home, type QuestionContext } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor, withSettings } from '../../../support/withEditor.ts';
import { reply, services as localServices } from '../../api/support/service.ts';
import { cutoff, echo, final, state } from '../../chat/support/answers.ts';
import { connectionTo } from '../../chat/support/sessions.ts';
import type { ServiceStubs } from '../areas.ts';

type Run = (services: ServiceStubs, argument?: object) => Promise<void>;

const nothing = () => ({ dispose: () => undefined });
const entryOf = (name: string, dataQueryUrl: string) => ({
  ...{ name, chatApiUrl: `https://${name}.example/agent`, authentication: 'apiKey', dataQueryUrl },
});
const [current, own] = [entryOf('production', ''), entryOf('staging', 'https://staging.example/query')];
const home = { origin: 'https://staging.example', connection: 'staging' };
const named = { europe: { externalId: 'eu' }, guest: { externalId: 'guest' } };
const threadOf = (id: string, content: string) => ({ ...emptyThread(id), turns: [makeTurn({ id, content })] });
const ownSession = { thread: threadOf('own', 'Revenue?') };
const otherSession = { thread: threadOf('other', 'Costs?') };

describe('a question for several contexts', () => {
  const { start, closeAll } = localServices();
  afterEach(closeAll);
  let askAsEveryone: Run;
  let compareBranches: Run;
  /** The question that the prompt proposes; the user enters it. */
  let proposed: string[];
  before(async () => {
    const webview = { onDidReceiveMessage: nothing, asWebviewUri: String, cspSource: '', postMessage: nothing };
    const editor = {
      ...{ Uri: { joinPath: () => '' } },
      workspace: withSettings({ identities: named }),
      window: {
        createWebviewPanel: () => ({ webview, onDidChangeViewState: nothing, onDidDispose: nothing }),
        showInputBox: ({ value }: { value: string }) => Promise.resolve((proposed.push(value), value)),
      },
    };
    const paths = ['vscode/runs/askAsEveryone.ts', 'vscode/runs/compareBranches.ts'] as const;
    ({ askAsEveryone, compareBranches } = await loadWithEditor<{ askAsEveryone: Run; compareBranches: Run }>(
      paths[0],
      editor,
      paths[1],
    ));
  });
  beforeEach(() => (proposed = []));

  const services = {
    context: { extensionUri: '' },
    guarded: (work: () => unknown) => work(),
    branches: {
      ...{ current: { name: 'dev', isDefault: false }, label: 'dev', main: 'main' },
      contextOn: (branch: string) => ({ branch, isDefaultBranch: branch === 'main' }),
    },
    connections: { current },
    identities: { current: 'europe', usable: () => Object.keys(named), names: () => Object.keys(named) },
    questionFiles: { load: () => Promise.resolve([]) },
    repository: { isReadOnly: () => false },
    sessions: { active: ownSession, all: [otherSession, ownSession], connectionOf: () => own },
  };

  it('is that of the active chat, for all identities on its connection, which has also the left out rows', async () => {
    const [asked, queried]: [unknown[], Home[]] = [[], []];
    const call = { name: 'svcSqlApi', input: '{"sqlQuery":"SELECT 1"}' };
    const result = JSON.stringify({ sqlQuery: 'SELECT 1', schema: [{ name: 'n' }], data: [[1]], totalRows: 2 });
    const { url } = await start((request) => {
      const tool = { ...final('', 2, 'call'), graphPath: ['tools'], toolCall: { ...call, result } };
      return reply(request, cutoff(), echo(request), tool, final('Two.', 3), state);
    });
    const connector = {
      connect: (to: Home, { branch, identity }: QuestionContext) => {
        asked.push([to, branch, identity]);
        return Promise.resolve(connectionTo({ url }));
      },
      dataQuery: (to: Home) => (queried.push(to), Promise.reject(new Error('away'))),
    };
    await askAsEveryone({ ...services, connector });
    await until(() => queried.length === 2);
    assert.deepEqual(proposed, ['Revenue?']);
    assert.deepEqual(asked, [
      [home, 'dev', 'europe'],
      [home, 'dev', 'guest'],
    ]);
    assert.deepEqual(queried, [home, home]);
  });

  it('is refused with a service token, which identifies its user', async () => {
    const sessions = { ...services.sessions, connectionOf: () => ({ ...own, authentication: 'serviceToken' }) };
    await assert.rejects(askAsEveryone({ ...services, sessions }), /Connect with an API key/);
  });

  it('is asked on the sides of the argument, which lack the current branch or identity', async () => {
    const pinned: QuestionContext[] = [];
    const sent: string[] = [];
    const sessions = {
      ...services.sessions,
      ...{ onDidChange: nothing, onDidRemove: nothing },
      add: (thread: object) => ({ thread, send: ({ text }: { text: string }) => Promise.resolve(sent.push(text)) }),
      pin: (_id: string, context: QuestionContext) => pinned.push(context),
    };
    const compare = (left: unknown, right: unknown) =>
      compareBranches({ ...services, sessions, views: { embed: nothing } }, { left, right });
    await compare({ identity: 'guest' }, { identity: 'europe', branch: 'main' });
    await compare('main', { branch: 'other' });
    await assert.rejects(compare('main', { identity: 'nobody' }), /no identity named “nobody”/);
    assert.deepEqual(proposed, ['Revenue?', 'Revenue?', 'Revenue?']);
    assert.deepEqual(sent, ['Revenue?', 'Revenue?', 'Revenue?', 'Revenue?']);
    assert.deepEqual(
      pinned.map(({ branch, isDefaultBranch, identity }) => [branch, isDefaultBranch, identity]),
      [
        ['dev', false, 'guest'],
        ['main', true, 'europe'],
        ['main', true, 'europe'],
        ['other', false, 'europe'],
      ],
    );
  });
});
