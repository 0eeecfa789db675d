/** A view between its host and its page: what is posted, and what is dropped. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import type { ThreadView } from '../../../../src/vscode/views/threadView.ts';
import type * as views from '../../../../src/vscode/views/threadView.ts';
import { loadWithEditor, pairs, Panel, type ChatSession } from '../support.ts';

const { first, second } = pairs();
const l10n = { Send: 'Senden' };
// VS Code has a comment for some.
const bundle = { ...l10n, Ask: { message: 'Fragen', comment: ['A button.'] } };
const draft = { text: 'About it:', images: [] };

describe('a view', () => {
  let View: typeof views.ThreadView;
  let view: ThreadView;
  let panel: Panel;
  let problems: string[];
  let shown: string[];
  let intents: string[];

  before(async () => {
    ({ ThreadView: View } = await loadWithEditor<typeof views>('vscode/views/threadView.ts', { l10n: { bundle } }));
  });
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    [panel, problems, shown, intents] = [new Panel(), [], [], []];
    panel.webview.html = 'the page';
    view = new View(panel, first, host);
    panel.receive({ type: 'ready' });
  });
  const host = {
    viewContext: ({ thread }: ChatSession) => thread.id as never,
    draft: (id: string) => ({ ...emptyDraft, text: `draft of ${id}` }),
    onIntent: (_view: object, { type }: { type: string }) => intents.push(type),
    onProblem: (text: string) => problems.push(text),
    onShown: ({ thread }: ChatSession) => shown.push(thread.id),
  };
  afterEach(() => {
    view.dispose();
    mock.timers.reset();
  });
  const show = (visible: boolean): void => {
    panel.visible = visible;
    view.visibilityChanged();
  };
  const push = (count: number): void => {
    for (let times = 0; times < count; times += 1) view.push([{ type: 'loading' }]);
  };

  it('that is shown again gets the state for its user, but no rows or lists that its last page requested', () => {
    panel.types();
    show(false);
    view.post({ type: 'compose', draft });
    view.post({ type: 'rows', toolCallId: 't1', from: 0, rows: [[1]], state: 'loading' });
    view.post({ type: 'threads', query: 'a', from: 0, entries: [], total: 0, busy: true });
    // The page that loads focuses its composer itself: a later message could take the focus from where the user is.
    for (const what of ['history', 'last', 'composer'] as const) view.post({ type: 'focus', what });
    push(1);
    view.viewContextChanged();
    assert.deepEqual([panel.types(), shown.splice(0)], [[], ['first']]);
    show(true);
    // It has nothing before its new page has loaded, also if it shows another chat.
    view.show(second);
    assert.deepEqual([panel.types(), shown], [[], []]);
    panel.receive({ type: 'ready' });
    const [{ seq: _, ...state } = {}] = panel.posted as Record<string, unknown>[];
    const own = { thread: second.thread, viewContext: 'second', draft: host.draft('second'), l10n };
    assert.deepEqual(state, { type: 'snapshot', ...own });
    assert.deepEqual([panel.types(), shown], [['snapshot', 'compose', 'focus'], ['second']]);
    panel.receive({ type: 'needSnapshot' });
    assert.deepEqual(panel.types(), ['snapshot']);
  });

  it('that is shown again gets its next event at once, although its last page had not rendered all', () => {
    push(3);
    const later = performance.now() + 500;
    const clock = mock.method(performance, 'now', () => later);
    for (const visible of [false, true]) show(visible);
    panel.receive({ type: 'ready' });
    panel.types();
    push(1);
    clock.mock.restore();
    assert.deepEqual(panel.types(), ['events']);
  });

  it('that is behind gets its events in numbered batches, before a message that follows them', () => {
    panel.types();
    push(5);
    view.post({ type: 'compose', draft });
    push(1);
    const posted = panel.posted as { type: string; seq?: number; events?: unknown[] }[];
    assert.deepEqual(
      posted.map(({ type, seq, events }) => (events ? [seq, events.length] : type)),
      [[1, 1], [2, 1], [3, 3], 'compose'],
    );
  });

  it('that has rendered its events gets the next ones at once', () => {
    push(3);
    view.post({ type: 'ping' });
    const later = performance.now() + 500;
    const clock = mock.method(performance, 'now', () => later);
    panel.types();
    for (const [seq, posted] of [
      [1, []],
      [3, ['events', 'events']],
    ] as const) {
      panel.receive({ type: 'drawn', seq });
      push(1);
      assert.deepEqual(panel.types(), posted);
    }
    clock.mock.restore();
  });

  it('reloads its page only if that is shown and silent, and starts it with a snapshot', () => {
    const wait = (answer: () => void): void => {
      for (let beat = 0; beat < 10; beat += 1) {
        mock.timers.tick(5000);
        answer();
      }
    };
    panel.types();
    wait(() => panel.receive({ type: 'pong' }));
    assert.deepEqual([...new Set(panel.types())], ['ping']);
    show(false);
    wait(() => undefined);
    assert.deepEqual([problems, panel.types()], [[], []]);
    show(true);
    panel.receive({ type: 'ready' });
    wait(() => undefined);
    assert.equal(problems[0], 'An unresponsive page was reloaded.');
    assert.deepEqual([panel.webview.html, panel.loads], ['the page', 3]);
    panel.types();
    push(1);
    view.post({ type: 'compose', draft });
    view.show(first);
    assert.deepEqual(panel.types(), []);
    panel.receive({ type: 'ready' });
    assert.deepEqual(panel.types(), ['snapshot', 'compose']);
    const hidden = Object.assign(new Panel(), { visible: false });
    const part = { visible: true, reveal: () => assert.fail(), webview: { ...hidden.webview, html: undefined } };
    const others = [new View(hidden, first, host), new View(part as never, first, host)];
    hidden.visible = true;
    others[0]!.push([{ type: 'loading' }]);
    mock.timers.tick(60_000);
    assert.deepEqual(hidden.types(), [], 'it was hidden and has not loaded, or is a part of another page');
    others.forEach((each) => each.dispose());
    for (const message of [{ type: 'nonsense' }, { type: 'draft' }, { type: 'stop' }]) panel.receive(message);
    assert.deepEqual(problems.slice(-2), Array(2).fill('A page sent an invalid message.'));
    assert.deepEqual(intents, ['stop']);
  });

  for (const count of [1, 5])
    it(`that was closed during a prompt stays closed, also with ${count - 1} events to post`, () => {
      panel.types();
      push(count);
      view.dispose();
      panel.isClosed = true;
      view.reveal();
      view.post({ type: 'compose', draft });
      push(1);
      panel.receive({ type: 'stop' });
      mock.timers.tick(60_000);
      assert.deepEqual([panel.reveals, panel.types().includes('compose')], [0, false]);
      assert.deepEqual([view.visible, view.active, intents, problems], [false, false, [], []]);
    });
});
