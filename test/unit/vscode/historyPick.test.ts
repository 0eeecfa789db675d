/** The pick of past threads: what it lists, and whether it says that it still searches. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { until } from '../../support/until.ts';
import { loadWithEditor } from '../../support/withEditor.ts';

type Listener = (value?: string) => void;

/** As much of the editor's pick as the history needs; it shows nothing. */
function newPick() {
  const listeners: Record<string, Listener> = {};
  const on = (name: string) => (listener: Listener) => (listeners[name] = listener);
  const pick = {
    items: [] as { label: string }[],
    busy: false,
    value: '',
    onDidChangeValue: on('value'),
    onDidTriggerItemButton: on('button'),
    onDidAccept: on('accept'),
    onDidHide: on('hide'),
    show: () => undefined,
    hide: () => listeners.hide?.(),
    dispose: () => undefined,
  };
  const type = (value: string): void => {
    pick.value = value;
    listeners.value?.(value);
  };
  return { pick, type, labels: () => pick.items.map(({ label }) => label) };
}

const metaOf = (title: string) => ({ id: title, title, updatedAt: 0 });

describe('the pick of past chats', () => {
  let history: (app: object) => Promise<unknown>;
  const picks: ReturnType<typeof newPick>[] = [];

  before(async () => {
    const createQuickPick = (): object => {
      const made = newPick();
      picks.push(made);
      return made.pick;
    };
    const editor = {
      ThemeIcon: class {},
      window: { createQuickPick },
    };
    ({ history } = await loadWithEditor<{ history: typeof history }>('vscode/commands/history.ts', editor));
  });

  /** @param store how it lists and searches */
  async function open(store: object): Promise<{ shown: ReturnType<typeof newPick>; closed: Promise<unknown> }> {
    const closed = history({
      history: () => Promise.resolve(store),
      sessions: { isRunning: () => false },
      connections: { label: () => '' },
      guarded: (work: () => unknown) => work(),
    });
    const shown = await until(() => picks.pop());
    await until(() => shown.labels().length > 0);
    return { shown, closed };
  }

  it('is not busy any more once nothing is searched for', async () => {
    const never = Promise.withResolvers<never>();
    const { shown, closed } = await open({
      list: () => Promise.resolve([metaOf('revenue')]),
      async *search() {
        yield await never.promise;
      },
    });
    shown.type('orders');
    assert.equal(shown.pick.busy, true);
    shown.type('o');
    assert.equal(shown.pick.busy, false);
    shown.pick.hide();
    await closed;
  });

  it('lists what was searched for last, though an earlier list comes later', async () => {
    const late = Promise.withResolvers<object[]>();
    const lists = [Promise.resolve([metaOf('revenue')]), late.promise];
    const { shown, closed } = await open({
      list: () => lists.shift(),
      async *search() {
        yield await Promise.resolve({ where: 'title', meta: metaOf('orders') });
      },
    });
    shown.type('o');
    shown.type('orders');
    await until(() => !shown.pick.busy);
    late.resolve([metaOf('revenue')]);
    await late.promise;
    await new Promise(setImmediate);
    assert.deepEqual(shown.labels(), ['orders']);
    shown.pick.hide();
    await closed;
  });
});
