/** The editor tab of a comparison: two threads with the same question, and the differences between the answers. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import {
  isFromCompare,
  SIDES,
  type CompareHeads,
  type FromCompare,
  type SideName,
  type ToCompare,
  sideLabels,
} from '../../shared/protocol/compare.ts';
import { t } from '../../shared/text/l10n.ts';
import { assertNever } from '../../shared/protocol/chat.ts';
import type { QuestionContext, Thread } from '../../shared/thread/model.ts';
import { showPage, tabIcon } from '../host/html.ts';
import { readSettings } from '../host/settings.ts';
import { changedMembers } from '../../compare/changedMembers.ts';
import type { QueryPair } from './queries.ts';
import { sideView, type SideViewServices } from './sideView.ts';
import { askWhereToSave, writeText } from '../host/files.ts';
import { showInformationMessage } from '../host/notify.ts';
import type { Services } from '../services.ts';

export type CompareTabServices = SideViewServices & Services<'context' | 'log'>;

/** A thread of the comparison, with the branch and identity that its question is asked with. */
export interface Side {
  session: ChatSession;
  context: QuestionContext;
}

/** Webview state, from which a tab is restored after a restart. */
export interface Remembered {
  question: string;
  threads: Record<SideName, string>;
  /** The question contexts, under the key that tabs are saved with. */
  stamps: Record<SideName, QuestionContext>;
}

export class CompareTab implements vscode.Disposable {
  readonly #services: CompareTabServices;
  readonly #panel: vscode.WebviewPanel;
  readonly #question: string;
  readonly #sides: Record<SideName, Side>;
  readonly #subscriptions: vscode.Disposable[] = [];
  #loaded = false;
  #pairs: readonly QueryPair[] = [];
  #comparing = false;
  #again = false;

  /** @param panel a new or restored tab */
  constructor(
    services: CompareTabServices,
    panel: vscode.WebviewPanel,
    question: string,
    sides: Record<SideName, Side>,
  ) {
    this.#services = services;
    this.#panel = panel;
    this.#question = question;
    this.#sides = sides;
    const extension = services.context.extensionUri;
    panel.title = t('Compare: {0}', question);
    panel.iconPath = tabIcon(extension);
    for (const side of SIDES) this.#connect(side);
    this.#subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      panel.onDidChangeViewState(() => {
        this.#loaded &&= panel.visible;
      }),
    );
    panel.onDidDispose(() => this.dispose());
    showPage(panel.webview, extension, 'compare');
    this.#compareSoon();
  }

  /** Asks on both sides at once. */
  ask(): void {
    for (const side of SIDES)
      void this.#services.guarded(() => this.#sides[side].session.send({ text: this.#question, images: [] }));
  }

  dispose(): void {
    // A disposed webview throws on access.
    this.#loaded = false;
    for (const subscription of this.#subscriptions) subscription.dispose();
    const { sessions, views } = this.#services;
    for (const { session } of Object.values(this.#sides)) {
      views.viewClosed(session);
      sessions.pin(session.thread.id, undefined);
    }
  }

  get #heads(): CompareHeads {
    const head = ({ context }: Side) => ({
      branch: context.branch || this.#services.branches.main,
      identity: context.identity,
    });
    return { question: this.#question, left: head(this.#sides.left), right: head(this.#sides.right) };
  }

  get #threads(): Record<SideName, Thread> {
    return { left: this.#sides.left.session.thread, right: this.#sides.right.session.thread };
  }

  #connect(name: SideName): void {
    const side = this.#sides[name];
    const { sessions } = this.#services;
    sessions.pin(side.session.thread.id, side.context);
    const view = sideView(this.#services, this.#panel, name, side.session, (context) => {
      side.context = { ...side.context, ...context };
      sessions.pin(side.session.thread.id, side.context);
      this.#postHeads();
    });
    this.#subscriptions.push(
      view,
      sessions.onDidChange(({ session }) => {
        if (session === side.session) this.#compareSoon();
      }),
      // As after a restart, when the thread can't be opened.
      sessions.onDidRemove((session) => session === side.session && this.#panel.dispose()),
      this.#panel.onDidChangeViewState(() => view.visibilityChanged()),
    );
  }

  #post(message: ToCompare): void {
    if (this.#loaded) void this.#panel.webview.postMessage(message);
  }

  #postHeads(): void {
    const { left, right } = this.#sides;
    const remember: Remembered = {
      question: this.#question,
      threads: { left: left.session.thread.id, right: right.session.thread.id },
      stamps: { left: left.context, right: right.context },
    };
    this.#post({ type: 'heads', heads: this.#heads, remember });
  }

  /** Schedules a comparison; if one is running, it runs again afterwards. */
  #compareSoon(): void {
    this.#again = true;
    if (this.#comparing) return;
    this.#comparing = true;
    void this.#services.guarded(() => this.#compare());
  }

  async #compare(): Promise<void> {
    try {
      const { queryPairs } = await import('./queries.ts');
      while (this.#again) {
        this.#again = false;
        const pairs = queryPairs(this.#threads.left, this.#threads.right, readSettings().evalsPrecision);
        const isNew = pairs.length !== this.#pairs.length || pairs.some((pair, at) => pair !== this.#pairs[at]);
        this.#pairs = pairs;
        if (isNew) await this.#postCompared();
      }
    } finally {
      // Reset here and not in a `.finally` callback, which would miss a change that comes before it runs.
      this.#comparing = false;
    }
  }

  async #postCompared(): Promise<void> {
    const { shownQueries } = await import('./queries.ts');
    const { left, right } = this.#threads;
    this.#post({
      type: 'compared',
      queries: shownQueries(this.#pairs, vscode.env.language),
      members: changedMembers(left, right),
    });
  }

  #receive(message: unknown): void {
    if (isFromCompare(message)) void this.#services.guarded(() => this.#handle(message));
    else this.#services.log.warn('A page sent an invalid message.');
  }

  async #handle(message: FromCompare): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        this.#loaded = true;
        this.#postHeads();
        this.#compareSoon();
        return this.#pairs.length > 0 ? this.#postCompared() : undefined;
      case 'exportComparison':
        return saveComparison(this.#services, this.#heads, { pairs: this.#pairs, threads: this.#threads });
      case 'openThread':
        return this.#services.views.focus(this.#sides[message.side].session);
      case 'problem':
        return this.#services.log.warn(`A page reported an error: ${message.text}`);
      case 'side':
        // Handled by the view of that side.
        return undefined;
      default:
        return assertNever(message);
    }
  }
}

interface Compared {
  pairs: readonly QueryPair[];
  threads: Readonly<Record<SideName, Thread>>;
}

/** Exports a comparison as Markdown or CSV, depending on the extension of the file that the user picks. */
async function saveComparison(
  services: Services<'log'>,
  heads: CompareHeads,
  { pairs, threads }: Compared,
): Promise<void> {
  const { comparisonAsCsv, comparisonAsMarkdown } = await import('./queries.ts');
  const { left, right } = sideLabels(heads);
  const filters = { Markdown: ['md'], CSV: ['csv'] };
  const target = await askWhereToSave(t('Export comparison'), filters, `${left} ${right} ${heads.question}`);
  if (!target) return;
  const text = /\.csv$/i.test(target.path)
    ? comparisonAsCsv(heads, pairs)
    : comparisonAsMarkdown(heads, threads, pairs);
  await writeText(target, services.log.redactDocument(text));
  const open = t('Open');
  void showInformationMessage(t('The comparison was exported.'), open).then((choice) => {
    if (choice === open) void vscode.window.showTextDocument(target);
  });
}
