/** The threads of the past: pick, search, rename, pin, delete, export, clear. */
import * as vscode from 'vscode';
import type { SearchHit } from '../../chat/history/search.ts';
import type { StoredMeta } from '../../chat/history/records.ts';
import { titleOf } from '../../chat/history/title.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App, Command } from '../app.ts';
import { itemButton, picked, type ItemButton } from '../host/quickPick.ts';
import { exportThread, removeThread, showThread } from '../threads/threadActions.ts';

const SEARCH_FROM = 2;

interface ThreadPick extends vscode.QuickPickItem {
  meta: StoredMeta;
  buttons: readonly ItemButton[];
}

function pickOf(app: App, meta: StoredMeta, hit?: SearchHit): ThreadPick {
  const running = app.sessions.isRunning(meta.id);
  return {
    meta,
    label: `${running ? '$(sync~spin) ' : meta.pinned ? '$(pinned) ' : ''}${meta.title || t('New chat')}`,
    description: [new Date(meta.updatedAt).toLocaleString(), app.connections.label(meta)].filter(Boolean).join(' · '),
    ...(hit?.where === 'content' ? { detail: hit.snippet } : {}),
    alwaysShow: hit !== undefined,
    buttons: [
      ...(running ? [itemButton('debug-stop', t('Stop'), () => app.sessions.get(meta.id)?.abort())] : []),
      meta.pinned
        ? itemButton('pinned', t('Unpin'), () => pin(app, meta, false))
        : itemButton('pin', t('Pin'), () => pin(app, meta, true)),
      itemButton('edit', t('Rename'), () => rename(app, meta)),
      itemButton('export', t('Export'), () => exportThread(app, meta.id, meta.title)),
      itemButton('trash', t('Delete'), () => removeWithUndo(app, meta)),
    ],
  };
}

/** Picks a thread to open; typing searches titles and contents. */
export const history: Command = async (app) => {
  const store = await app.history();
  const pick = vscode.window.createQuickPick<ThreadPick>();
  pick.title = t('Analytics Chat: History');
  pick.placeholder = t('Search titles and contents');
  let searching = new AbortController();
  const list = async (signal: AbortSignal): Promise<void> => {
    const all = await store.list();
    if (!signal.aborted) pick.items = all.map((meta) => pickOf(app, meta));
  };
  const search = async (query: string): Promise<void> => {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    pick.busy = query.trim().length >= SEARCH_FROM;
    if (!pick.busy) return list(signal);
    const found: ThreadPick[] = [];
    try {
      for await (const hit of store.search(query.trim(), signal)) {
        if (signal.aborted) return;
        found.push(pickOf(app, hit.meta, hit));
        pick.items = [...found];
      }
      if (!signal.aborted) pick.items = found;
    } finally {
      if (!signal.aborted) pick.busy = false;
    }
  };
  const refresh = (): Promise<void> => search(pick.value);
  pick.onDidChangeValue((value) => void app.guarded(() => search(value)));
  pick.onDidTriggerItemButton(
    ({ item, button }) =>
      void app.guarded(async () => {
        await item.buttons.find((each) => each === button)?.act();
        await refresh();
      }),
  );
  await refresh();
  const choice = await picked(pick);
  searching.abort();
  return choice && showThread(app, choice.meta.id);
};

/** The list of threads in the side bar. */
export const showHistory: Command = async (app) => {
  const view = await app.views.focus(app.views.sideBarSession ?? app.sessions.active);
  view?.post({ type: 'focus', what: 'history' });
};

/** @param argument `{threadId}` of a thread of this machine */
export const openThread: Command = async (app, argument) => {
  const threadId = textIn(argument, 'threadId');
  return threadId === undefined ? history(app) : showThread(app, threadId);
};

const pin = async (app: App, { id }: StoredMeta, pinned: boolean): Promise<unknown> =>
  (await app.history()).pin(id, pinned);

async function rename(app: App, { id, title }: StoredMeta): Promise<void> {
  const typed = await vscode.window.showInputBox({ title: t('Rename chat'), value: title });
  if (typed?.trim()) await (await app.history()).rename(id, typed);
}

/** Deletes with a way back. */
async function removeWithUndo(app: App, { id, title }: StoredMeta): Promise<void> {
  const restore = await removeThread(app, id);
  const undo = t('Undo');
  void app.guarded(async () => {
    if ((await vscode.window.showInformationMessage(t('“{0}” was deleted.', title), undo)) !== undo) return;
    await restore();
    await showThread(app, id);
  });
}

/** Exports the thread that is looked at. */
export const exportChat: Command = async (app) => {
  const { thread } = app.sessions.active;
  if (thread.items.length === 0) {
    void vscode.window.showInformationMessage(t('There is nothing to export in this chat yet.'));
    return;
  }
  await exportThread(app, thread.id, titleOf(thread.items));
};

/** Opens an exported thread, to be read only. */
export const importChat: Command = async (app) => {
  const [source] = (await vscode.window.showOpenDialog({ title: t('Import chat'), filters: { JSON: ['json'] } })) ?? [];
  if (!source) return undefined;
  const bytes = await vscode.workspace.fs.readFile(source);
  const { thread } = await (await app.history()).importJson(new TextDecoder().decode(bytes));
  return showThread(app, thread.id);
};

export const clearHistory: Command = async (app) => {
  const clear = t('Delete all chats');
  const choice = await vscode.window.showWarningMessage(
    t('Delete all chats of this machine for good? The service may still have its own copies.'),
    { modal: true },
    clear,
  );
  if (choice !== clear) return;
  for (const { thread } of app.sessions.all) await app.sessions.remove(thread.id);
  await (await app.history()).clear();
  app.unseen.clear();
  const session = app.sessions.create();
  for (const view of app.views.all) app.views.showIn(view, session);
};
