/** *Correct…* with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as preview from '../../../../src/vscode/host/preview.ts';
import type * as area from '../../../../src/vscode/model/modelArea.ts';
import type * as files from '../../../../src/vscode/model/modelFiles.ts';
import { makeTurn } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { Uri } from '../../../support/editorValues.ts';
import { pairs, queryItem } from '../pairs.ts';
import { World } from '../world.ts';

const PATH = '/shop/model/cubes/orders.yml';
const MODEL = `cubes:
  - name: orders
    measures:
      # Money
      - name: revenue
        description: Old \\{hint\\}.
        sql: amount
        type: sum
`;
const QUERY = 'SELECT MEASURE(orders.revenue) FROM orders';

describe('correcting an answer', () => {
  let world: World;
  let correct: (query?: string, only?: string) => Promise<{ name: string } | undefined>;

  beforeEach(async () => {
    world = new World();
    world.files.set(PATH, MODEL);
    type Correct = (
      queries: string[],
      clean: (text: string) => string,
      only?: string,
    ) => Promise<{ name: string } | undefined>;
    type Exports = { writeCorrection: Correct; applyPreview: () => void };
    const module = await loadWithEditor<Exports>('vscode/model/correct.ts', world.editor, 'vscode/host/preview.ts');
    world.applyPreview = module.applyPreview;
    correct = (query = QUERY, only) =>
      module.writeCorrection([query], (text) => text.replaceAll('the-key', '[redacted]'), only);
  });

  it('offers the members of the query with their current description, and replaces it after a preview', async () => {
    world.picks = ['orders.revenue', 'description'];
    world.entered = ['Net, not the-key.'];
    assert.equal((await correct())?.name, 'orders.revenue');
    assert.deepEqual(world.offered, [
      ['orders.revenue', 'orders'],
      ['description', 'meta.ai_context'],
    ]);
    assert.deepEqual(world.prompts, ['Old {hint}.']);
    const text = MODEL.replace('Old \\{hint\\}.', 'Net, not [redacted].');
    assert.deepEqual(world.previewed, [[{ path: PATH, text }]]);
    assert.equal(world.files.get(PATH), text);
    assert.deepEqual(world.saved, [PATH]);
  });

  it('asks for no member if it is known', async () => {
    world.picks = ['description'];
    world.entered = ['Net.'];
    assert.equal((await correct('orders.revenue', 'orders.revenue'))?.name, 'orders.revenue');
    assert.match(world.files.get(PATH)!, /description: Net\.\n/);
  });

  it('offers a member that is not saved yet', async () => {
    world.unsaved.set(PATH, MODEL.replaceAll('revenue', 'profit'));
    world.picks = [undefined];
    await correct('SELECT MEASURE(orders.profit) FROM orders');
    assert.deepEqual(world.offered, [['orders.profit', 'orders']]);
  });

  it('writes nothing if the user cancels any step or closes the preview', async () => {
    const steps = [
      { picks: [undefined] },
      { picks: ['orders.revenue', undefined] },
      { picks: ['orders.revenue', 'description'], entered: [undefined] },
      { picks: ['orders.revenue', 'meta.ai_context'], entered: ['x'], onPreview: () => undefined },
    ];
    for (const step of steps) {
      Object.assign(world, step);
      assert.equal(await correct(), undefined);
      assert.equal(world.files.get(PATH), MODEL);
    }
    assert.equal(world.previewed.length, 1);
  });

  it('shows a preview again that was closed, or applied after the file had changed', async () => {
    world.picks = ['orders.revenue', 'description'];
    world.entered = ['Net.'];
    world.answers = ['Show preview', 'Show preview'];
    const line = '# Orders\n';
    const steps = [
      () => undefined,
      () => {
        world.files.set(PATH, line + MODEL);
        world.applyPreview();
      },
      () => world.applyPreview(),
    ];
    world.onPreview = () => steps.shift()?.();
    await correct();
    assert.deepEqual(world.messages, [
      'Nothing was written: the preview was closed.',
      'The files changed after the preview, so nothing was written.',
    ]);
    assert.equal(world.files.get(PATH), (line + MODEL).replace('Old \\{hint\\}.', 'Net.'));
    assert.equal(world.writes, 1);
  });

  it('offers the definition if a hint can’t be written there', async () => {
    world.files.set(PATH, MODEL.replace('sql: amount', 'meta: text'));
    world.picks = ['orders.revenue', 'meta.ai_context'];
    world.entered = ['x'];
    assert.equal(await correct(), undefined);
    assert.match(world.messages.join(), /^The hint of orders\.revenue is not plain text/);
    assert.equal(world.previewed.length, 0);
  });

  it('says that it needs a folder with these members, and a trusted workspace', async () => {
    await assert.rejects(correct('SELECT 1 FROM customers'), /not defined in the open folders/);
    world.folders = [];
    await assert.rejects(correct(), /Open the folder/);
    world.isTrusted = false;
    await assert.rejects(correct(), /Restricted Mode/);
  });
});

describe('the command that corrects an answer', () => {
  it('offers the members of all queries of the answer, and asks again in its chat', async () => {
    const world = new World();
    world.files.set(PATH, `${MODEL}      - name: count\n        type: count\n      - name: refunds\n        sql: r\n`);
    const query = (id: string, measure: string) =>
      queryItem(id, { sqlQuery: `SELECT MEASURE(orders.${measure}) FROM orders` });
    const two = pairs({ sessions: { create: () => assert.fail() } });
    const turns = [
      makeTurn({ id: 'q1' }, [query('t1', 'refunds')]),
      makeTurn({ id: 'q2', content: 'Why?' }, [query('t2', 'revenue'), query('t3', 'count')]),
    ];
    for (const each of [two.first, two.second]) Object.assign(each, { thread: { ...each.thread, turns } });
    const path = 'vscode/model/modelArea.ts';
    const provide = () => ({ dispose: () => undefined });
    const editor = {
      ...world.editor,
      languages: {
        ...{ registerCompletionItemProvider: provide, registerHoverProvider: provide },
        registerDefinitionProvider: provide,
      },
    };
    const module = await loadWithEditor<typeof area & typeof files & typeof preview>(
      path,
      editor,
      'vscode/host/preview.ts',
      'vscode/model/modelFiles.ts',
    );
    world.applyPreview = module.applyPreview;
    const services = { ...two.services, modelFiles: new module.ModelFiles() };
    const correct = module.registerModel(services).commands['analyticsChat.correct'];
    [world.picks, world.entered, world.answers] = [['orders.revenue', 'description'], ['Net.'], ['Ask again']];
    await correct({ threadId: 'second', toolCallId: 't3' });
    assert.deepEqual(world.offered[0]?.toSorted(), ['orders', 'orders.count', 'orders.revenue']);
    await until(() => two.done.length === 2);
    assert.deepEqual(two.done.splice(0), ['reveal second', 'send Why? in second']);
    world.picks = [undefined];
    await correct({ threadId: 'second', toolCallId: 't1' });
    assert.deepEqual(world.offered.at(-1), ['orders.refunds', 'orders']);
    // A member that no answer uses.
    [world.picks, world.entered] = [['description'], ['Of the-key.']];
    await correct({ member: 'orders.count' });
    assert.match(world.files.get(PATH)!, /name: count\n.*description: Of \[redacted\]\./);
    assert.deepEqual(two.done, []);
  });
});

describe('asking again after a correction', () => {
  const uri = Uri.file(PATH);
  let world: World;
  let asked: string[];
  let isReadOnly: boolean;
  let isDeleted: boolean;
  let offer: () => Promise<void>;

  beforeEach(async () => {
    world = new World();
    [asked, isReadOnly, isDeleted] = [[], false, false];
    type Offer = (services: object, session: object, question: string, uri: Uri) => Promise<void>;
    const path = 'vscode/model/correct.ts';
    const { offerToAskAgain } = await loadWithEditor<{ offerToAskAgain: Offer }>(path, world.editor);
    let current = 'main';
    const branches = {
      currentIn: () => ({ name: current }),
      mainOf: () => 'main',
      switchTo: (name: string) => Promise.resolve((current = name)),
    };
    const sessionOf = (id: string) => ({
      thread: { id },
      send: ({ text }: { text: string }) =>
        Promise.resolve(asked.push(`${text} on ${current}${id === 'own' ? '' : ' in a new chat'}`)),
    });
    const session = sessionOf('own');
    const services = {
      branches,
      sessions: { get: () => (isDeleted ? undefined : session), create: () => sessionOf('new') },
      repository: { isReadOnly: () => isReadOnly },
      views: { reveal: () => Promise.resolve() },
    };
    offer = () => offerToAskAgain(services, session, 'revenue?', uri);
  });
  const pushed = { HEAD: { name: 'dev', upstream: {}, ahead: 0 }, workingTreeChanges: [], indexChanges: [] };
  const repository = (state: object) => ({ getRepository: () => ({ state: { ...pushed, ...state } }) });

  it('waits until the change is pushed, then asks on the branch of the change', async () => {
    const states = [{ workingTreeChanges: [{ uri }] }, { HEAD: { name: 'dev', upstream: {}, ahead: 1 } }, {}];
    world.git = { getRepository: () => repository(states.shift() ?? {}).getRepository() };
    world.answers = ['Ask again', 'Ask again'];
    await offer();
    assert.deepEqual(world.messages, [
      'Commit model/cubes/orders.yml and push it to “dev”, then ask again: the service uses the pushed model.',
      'model/cubes/orders.yml is not pushed to “dev” yet, so the service still has the old model.',
    ]);
    assert.deepEqual(asked, ['revenue? on dev']);
  });

  it('asks without a push only if the user insists, and not after the offer is closed', async () => {
    world.git = repository({ HEAD: { name: 'main' } });
    world.answers = ['Ask again', 'Ask anyway'];
    await offer();
    assert.deepEqual(asked, ['revenue? on main']);
    world.answers = [undefined];
    await offer();
    assert.equal(asked.length, 1);
    // Git lists untracked files separately if the user wants so.
    world.git = repository({ untrackedChanges: [{ uri }] });
    world.answers = ['Ask again'];
    await offer();
    assert.equal(asked.length, 1);
  });

  it('asks at once where there is no repository', async () => {
    world.answers = ['Ask again'];
    await offer();
    assert.deepEqual(asked, ['revenue? on main']);
  });

  it('asks in a new chat if the answer is recorded or its chat was deleted', async () => {
    world.answers = ['Ask again', 'Ask again'];
    isReadOnly = true;
    await offer();
    [isReadOnly, isDeleted] = [false, true];
    await offer();
    assert.deepEqual(asked, ['revenue? on main in a new chat', 'revenue? on main in a new chat']);
  });
});
