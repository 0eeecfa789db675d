/**
 * The built chat page in a browser, with its real Content Security Policy. The host is a stub around the product's
 * `ThreadView` and `ChatSession`, connected to a service whose answers the test writes.
 */
import { provideVsCodeApi } from './vscodeApi.ts';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ChatClient } from '../../../src/api/client.ts';
import { ChatSession } from '../../../src/chat/session/chatSession.ts';
import { emptyDraft, type Draft, type Intent, type ViewContext } from '../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import type { ThreadView, ViewHost, WebviewHolder } from '../../../src/vscode/views/threadView.ts';
import { chatIn, type Chat } from '../../support/chat.ts';
import { useSetup } from '../../support/useSetup.ts';
import { loadWithEditor } from '../../support/withEditor.ts';
import { writtenService, type Written, type WrittenService } from '../../support/service/writtenService.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { browser } from '../../support/browser.ts';
import { ORIGIN, pageEditor, TYPES } from './pageFiles.ts';
import { themes } from './themes.ts';
import { viewContext } from './viewContext.ts';

type PageFor = (webview: object, extension: string, entry: string, sendKey: ViewContext['sendKey']) => string;

export interface ChatPageOptions extends BrowserContextOptions {
  /** What the page shows beside the thread. */
  context?: Partial<ViewContext>;
  theme?: keyof typeof themes;
}

export interface ChatPage {
  page: Page;
  chat: Chat;
  service: WrittenService;
  /** What the page asked of the host and the stub doesn't do, such as `insertSql`. */
  intents: Intent[];
  /** Everything that the page asked of the host. */
  asked: Intent[];
  /** Violations of the Content Security Policy, requests to other origins, and problems of the page and its host. */
  problems: string[];
  session(): ChatSession;
  /** The text of the draft that the host keeps for the thread. */
  draft(): string;
  /** Starts a new chat; unanswered requests are dropped. */
  newChat(): Promise<void>;
  /** Asks in a new chat. @returns the response */
  start(question: string): Promise<Written>;
  /** Asks in the chat that is shown, and waits until the answer is. */
  answered(question: string, answer: string): Promise<void>;
  /** What the page shows beside the thread at first. */
  usual: ViewContext;
  /** Changes what the page shows beside the thread. */
  setContext(context: Partial<ViewContext>): void;
  /** Unloads the page and loads it again, as a hidden view or a reloaded window does; the thread stays. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

async function openChatPage({ context: given, theme, ...options }: ChatPageOptions): Promise<ChatPage> {
  const service = await writtenService();
  const { pageFor } = await loadWithEditor<{ pageFor: PageFor }>('vscode/host/html.ts', pageEditor);
  const { ThreadView: View } = await loadWithEditor<{
    ThreadView: new (...of: ConstructorParameters<typeof ThreadView>) => ThreadView;
  }>('vscode/views/threadView.ts', pageEditor);
  const browserContext = await (await browser()).newContext({ viewport: { width: 400, height: 700 }, ...options });
  await browserContext.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await browserContext.newPage();
  const intents: Intent[] = [];
  const asked: Intent[] = [];
  const problems: string[] = [];
  const client = new ChatClient({ chatApiUrl: service.chatApiUrl, credential: { kind: 'apiKey', value: 'any-key' } });
  const drafts = new Map<string, Draft>();
  let context = { ...viewContext, ...given };
  let visible = true;

  const newSession = (): ChatSession => {
    const session: ChatSession = new ChatSession({
      thread: emptyThread(crypto.randomUUID()),
      connect: () =>
        Promise.resolve({
          client,
          sessionSettings: { externalId: 'dev' },
          context: { branch: '', isDefaultBranch: true, identity: 'dev' },
          stallTimeout: 60_000,
        }),
      onEvents: (events) => session === view.session && view.push(events),
      onUnsent: (message) => view.post({ type: 'compose', draft: message }),
    });
    return session;
  };

  /** What the host does without the editor. */
  const handle = (session: ChatSession, intent: Intent): unknown => {
    switch (intent.type) {
      case 'send':
        drafts.delete(session.thread.id);
        return session.send(intent);
      case 'stop':
        return session.abort();
      case 'sendQueued':
        return session.sendQueued(intent.id);
      case 'unqueue':
        return session.dispatch([{ type: 'unqueued', id: intent.id }]);
      case 'draft':
        return drafts.set(intent.threadId, intent.draft);
      case 'errorAction':
        if (intent.action === 'retry') return session.retry();
        if (intent.action === 'attach') return session.attach();
        if (intent.action === 'resume') return session.reattach();
        if (intent.action === 'stopAndSend') return session.stopAndSend();
        return intents.push(intent);
      case 'newChat':
        return view.show(newSession());
      case 'command':
        return intent.name === 'new' ? view.show(newSession()) : intents.push(intent);
      case 'copy':
        return page.evaluate((text) => navigator.clipboard.writeText(text), intent.text);
      case 'problem':
        return problems.push(intent.text);
      default:
        return intents.push(intent);
    }
  };

  let receive: (message: unknown) => void = () => undefined;
  const webview = {
    // A page that is being closed gets nothing.
    postMessage: (message: unknown) => {
      const posted = page.evaluate((data) => window.postMessage(data, window.origin), message);
      return posted.then(
        () => true,
        () => false,
      );
    },
    onDidReceiveMessage: (listener: (message: unknown) => void) => {
      receive = listener;
      return { dispose: () => undefined };
    },
  };
  const holder: WebviewHolder = {
    webview,
    get visible() {
      return visible;
    },
    reveal: () => undefined,
  };
  const host: ViewHost = {
    viewContext: () => context,
    draft: (threadId) => drafts.get(threadId) ?? emptyDraft,
    onIntent: (from, intent) => {
      asked.push(intent);
      void handle(from.session, intent);
    },
    onProblem: (text) => problems.push(text),
  };
  const view = new View(holder, newSession(), host);

  const violated = (text: string): void => receive({ type: 'problem', text });
  await provideVsCodeApi(page, (message) => receive(message), violated);
  const style = `:root { ${Object.entries(themes[theme ?? 'dark'])
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ')} } body { background: var(--vscode-sideBar-background); color: var(--vscode-foreground); }`;
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin !== ORIGIN) {
      problems.push(`request: ${route.request().url()}`);
      return route.abort();
    }
    if (pathname === '/') {
      const html = pageFor({ cspSource: ORIGIN, asWebviewUri: (uri: string) => uri }, ORIGIN, 'main', context.sendKey);
      return route.fulfill({
        contentType: 'text/html',
        body: html.replace('</head>', `<link rel="stylesheet" href="${ORIGIN}/theme.css"></head>`),
      });
    }
    if (pathname === '/theme.css') return route.fulfill({ contentType: 'text/css', body: style });
    const contentType = TYPES[extname(pathname)] ?? 'application/octet-stream';
    return route.fulfill({ contentType, body: await readFile(join(repoRoot, pathname)) });
  });

  const chat = chatIn(page as unknown as Chat['view']);
  const load = async (): Promise<void> => {
    visible = false;
    view.visibilityChanged();
    visible = true;
    view.visibilityChanged();
    await page.goto(`${ORIGIN}/`);
    await (context.readOnly ? chat.view.getByRole('group', { name: 'Recorded chat' }) : chat.field).waitFor();
  };
  const newChat = async (): Promise<void> => {
    service.forget();
    const session = newSession();
    view.show(session);
    // The page may already show an empty chat: wait until it has stored and rendered this one.
    await page.waitForFunction((id) => sessionStorage.getItem('state')?.includes(id), session.thread.id);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.getByText('Ask about your data.').waitFor();
  };
  await load();
  return {
    ...{ page, chat, service, intents, asked, problems, usual: context },
    session: () => view.session,
    draft: () => drafts.get(view.session.thread.id)?.text ?? '',
    newChat,
    start: async (question) => {
      await newChat();
      await chat.ask(question);
      return service.next();
    },
    answered: async (question, answer) => {
      await chat.ask(question);
      (await service.next()).answer(answer);
      await chat.told('Answer finished');
    },
    setContext: (change) => {
      context = { ...context, ...change };
      view.viewContextChanged();
    },
    reload: load,
    stop: async () => {
      view.dispose();
      await view.session.abort().catch(() => undefined);
      await browserContext.close();
      await service.stop();
      assert.deepEqual(problems, [], 'the page and its host have no problems');
    },
  };
}

/** For the tests of the suite that calls it. */
export const useChatPage = (options: ChatPageOptions = {}): ChatPage => useSetup(() => openChatPage(options));
