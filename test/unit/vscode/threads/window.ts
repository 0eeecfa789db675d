/** A window whose threads, history and views are real: only VS Code and the service are stubs. */
import assert from 'node:assert/strict';
import { nodeFiles } from '../../../../src/chat/history/files/nodeFiles.ts';
import type { History } from '../../../../src/chat/history/history.ts';
import type { Intent } from '../../../../src/shared/protocol/chat.ts';
import type { AllServices } from '../../../../src/vscode/services.ts';
import type * as recorder from '../../../../src/vscode/threads/recorder.ts';
import type * as replays from '../../../../src/vscode/threads/replays.ts';
import type * as repository from '../../../../src/vscode/threads/threadRepository.ts';
import type * as sessions from '../../../../src/vscode/threads/sessions.ts';
import type * as area from '../../../../src/vscode/threads/threadsArea.ts';
import type * as unread from '../../../../src/vscode/threads/unread.ts';
import type * as views from '../../../../src/vscode/views/chatViews.ts';
import { historyOn, inFolder, makeThread } from '../../chat/history/support/stores.ts';
import { connectionTo, context, serve, type Asked } from '../service.ts';
import { Editor, EventEmitter, finance, homeOf, loadWithEditor } from '../support.ts';
import { mementoOn, onNet, pairs, Panel, sales } from '../support.ts';
import type { ChatSession, ChatView, ServiceStubs, Thread } from '../support.ts';

type Playing = typeof recorder & typeof replays;
type Modules = typeof area & typeof sessions & typeof repository & typeof views & typeof unread & Playing;
const FILES = ['threadRepository', 'sessions', 'unread', 'recorder', 'replays'];

export interface Window {
  editor: Editor;
  history: History;
  services: AllServices;
  /** What was logged. */
  done: string[];
  lines: EventEmitter<object>;
  /** How each connection was opened, and what the service was asked. */
  connected: Parameters<AllServices['connector']['connect']>[];
  asked: Asked[];
  commands: ReturnType<typeof area.registerThreads>['commands'];
  /** Handles an action of the user in a view. */
  act(view: ChatView, intent: Intent): Promise<void>;
  /** Opens a stored thread in an editor tab, whose page is ready. */
  tab(threadId: string): Promise<[ChatView, Panel, ChatSession]>;
  /** Opens the side bar; its page, which saved this state, is ready. */
  sideBar(state?: object, early?: object[]): Promise<[ChatView, Panel]>;
  close(): Promise<void>;
}

interface Opening {
  /** Answers what the service is asked. */
  answer?: (asked: Asked) => unknown;
  /** Settles when a connection may be opened. */
  ready?: () => Promise<unknown>;
  stored?: Map<string, unknown>;
}

/** Opens a window with the history in a folder. */
async function windowOn(folder: string, { answer, ready, stored }: Opening = {}): Promise<Window> {
  const editor = new Editor();
  const others = [...FILES.map((file) => `vscode/threads/${file}.ts`), 'vscode/views/chatViews.ts'];
  const modules = await loadWithEditor<Modules>('vscode/threads/threadsArea.ts', editor.with(), ...others);
  const { history } = historyOn(await nodeFiles(folder));
  const home = homeOf(sales);
  const service = answer && (await serve(answer));
  const connected: Window['connected'] = [];
  const threads = new modules.Sessions({
    connect: async (...of) => {
      connected.push(of);
      await ready?.();
      assert.ok(service, 'No service.');
      return { ...connectionTo(service, of[1]), home };
    },
    context: (home) => (home?.connection === 'finance' ? onNet : context),
    connectionAt: (home) => (home?.connection === 'finance' ? finance : sales),
    onFailure: ({ kind }) => done.push(`failed: ${kind}`),
    onUnknownLine: (count) => done.push(`${count} unknown lines`),
  });
  const problems: unknown[] = [];
  const report = (problem: unknown): void => void problems.push(problem);
  const kept = new modules.ThreadRepository(
    () => Promise.resolve(history),
    threads,
    mementoOn(stored),
    () => home.origin,
    report,
  );
  const pages = new modules.ChatViews(pairs().services.context.extensionUri, threads, kept, {
    viewContext: () => ({}) as never,
    onProblem: (text) => done.push(text),
  });
  const read = new modules.UnreadThreads(threads, (session) => pages.of(session).some(({ visible }) => visible));
  const lines = new EventEmitter<object>();
  const record = new modules.Recorder(threads, { onLine: lines.event as never });
  const { services, done } = pairs({
    ...{ sessions: threads, repository: kept, views: pages, unread: read, recorder: record },
    ...{ replays: new modules.Replays(threads), history: () => Promise.resolve(history) },
  } as ServiceStubs);
  const registered = modules.registerThreads(services);
  const ready_ = (panel: Panel): [ChatView, Panel] => {
    panel.receive({ type: 'ready' });
    return [pages.all.at(-1)!, panel];
  };
  return {
    ...{ editor, history, services, done, lines, connected, commands: registered.commands },
    asked: service?.asked ?? [],
    act: async (view, intent) => {
      const handlers = registered.intents as unknown as Record<string, (view: ChatView, intent: Intent) => unknown>;
      await handlers[intent.type]!(view, intent);
    },
    tab: async (threadId) => {
      const panel = new Panel();
      await pages.restorePanel(panel as never, { threadId });
      const [view] = ready_(panel);
      return [view, panel, view.session];
    },
    sideBar: async (state, early = []) => {
      const panel = new Panel();
      await pages.resolve(panel as never, () => early, state);
      return ready_(panel);
    },
    close: async () => {
      for (const part of [registered, read, record, pages, kept, threads]) part.dispose();
      await service?.close();
      assert.deepEqual(problems, []);
    },
  };
}

/**
 * Opens a window with stored threads, and closes it and each other one after the test.
 * @param threads ids or threads, the newest first
 */
export const inWindow = (
  threads: readonly (string | Thread)[],
  test: (window: Window, again: (opening?: Opening) => Promise<Window>) => Promise<void>,
  opening?: Opening,
): Promise<void> =>
  inFolder(async (folder) => {
    const { history } = historyOn(await nodeFiles(folder));
    for (const each of threads.toReversed())
      history.save(typeof each === 'string' ? makeThread(each) : each, homeOf(sales));
    await history.flush();
    const windows: Window[] = [];
    const open = async (how?: Opening): Promise<Window> => {
      const window = await windowOn(folder, how);
      windows.push(window);
      return window;
    };
    try {
      await test(await open(opening), open);
    } finally {
      for (const window of windows) await window.close();
    }
  });

/** Opens a window without threads, whose service answers so. */
export const whileAnswering = (
  answer: NonNullable<Opening['answer']>,
  test: Parameters<typeof inWindow>[1],
): Promise<void> => inWindow([], test, { answer });
