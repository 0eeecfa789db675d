/** Stubs of what VS Code asks and tells the user, and the user's answers. */
import { until } from '../../../support/until.ts';
import { Disposable, EventEmitter, Uri } from '../../../support/editorValues.ts';

interface Item {
  label: string;
  detail?: string;
  kind?: number;
  buttons?: readonly { tooltip?: string }[];
}

interface MessageOptions {
  modal?: boolean;
  detail?: string;
}

/** A notification, or a modal dialog. */
export interface Message {
  readonly text: string;
  readonly detail: string;
  readonly actions: readonly string[];
  /** Presses one of the buttons; without an action, closes the message. */
  choose(action?: string): void;
}

interface Prompt {
  readonly title: string;
  readonly placeholder: string;
  items(): readonly Item[];
  /** Types into the box of the prompt. */
  type(text: string): void;
  accept(item?: Item): void;
  cancel(): void;
}

class QuickPick {
  title = '';
  placeholder = '';
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  value = '';
  buttons: unknown[] = [];
  readonly accepted = new EventEmitter<void>();
  readonly hidden = new EventEmitter<void>();
  readonly changed = new EventEmitter<string>();
  readonly #prompts: Prompts;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeValue = this.changed.event;
  readonly onDidTriggerItemButton = new EventEmitter<unknown>().event;

  constructor(prompts: Prompts) {
    this.#prompts = prompts;
  }

  show(): void {
    const { title, placeholder } = this;
    this.#prompts.open = {
      ...{ title, placeholder },
      items: () => this.items,
      type: (text) => {
        this.value = text;
        this.changed.fire(text);
      },
      accept: (item) => {
        this.selectedItems = item ? [item] : [];
        this.accepted.fire();
      },
      cancel: () => this.hide(),
    };
  }

  hide(): void {
    this.#prompts.open = undefined;
    this.hidden.fire();
  }

  dispose(): void {}
}

const withoutIcon = (label: string): string => label.replace(/^\$\([^)]*\) /, '');

export class Prompts {
  /** The open quick pick or input box. */
  open: Prompt | undefined;
  readonly messages: Message[] = [];
  /** Cancels each running progress notification, by title. */
  readonly progress = new Map<string, () => void>();
  readonly #dialogs: ((target: Uri | undefined) => void)[] = [];
  /** The file that each save dialog has proposed. */
  readonly proposed: string[] = [];

  /** Waits for a quick pick with this item, and selects it. Text that is not an item is typed first. */
  async pick(label: string): Promise<void> {
    await until(
      () => this.open !== undefined,
      () => `no quick pick to select “${label}” in`,
    );
    const find = (): Item | undefined => this.open?.items().find((item) => withoutIcon(item.label) === label);
    if (!find()) this.open?.type(label);
    const item = await until(find, () => `“${label}” is not offered by ${JSON.stringify(this.open?.items())}`);
    this.open?.accept(item);
  }

  /** Waits for an input box, and enters text. */
  async enter(text: string): Promise<void> {
    const box = await until(
      () => this.open,
      () => `no input box for “${text}”`,
    );
    box.type(text);
    box.accept();
  }

  async cancel(): Promise<void> {
    (
      await until(
        () => this.open,
        () => 'no prompt to cancel',
      )
    ).cancel();
  }

  /** Waits for a message that has not been closed. */
  message(text: string | RegExp): Promise<Message> {
    const fits = (message: Message): boolean =>
      typeof text === 'string' ? `${message.text}\n${message.detail}`.includes(text) : text.test(message.text);
    return until(
      () => this.messages.findLast(fits),
      () => `no message “${text}” among ${JSON.stringify(this.messages.map((message) => message.text))}`,
    );
  }

  /** Waits for a file dialog, and chooses a file in it. @param path defaults to the proposed file */
  async file(path?: string): Promise<void> {
    const choose = await until(
      () => this.#dialogs.shift(),
      () => 'no file dialog',
    );
    choose(path === undefined ? undefined : Uri.file(path));
  }

  /** The part of `vscode.window` that asks and tells. */
  readonly window = {
    showInformationMessage: (text: string, ...rest: unknown[]) => this.#message(text, rest),
    showWarningMessage: (text: string, ...rest: unknown[]) => this.#message(text, rest),
    showErrorMessage: (text: string, ...rest: unknown[]) => this.#message(text, rest),
    setStatusBarMessage: () => new Disposable(() => undefined),
    showInputBox: (options: { title?: string; placeHolder?: string; value?: string }) =>
      new Promise<string | undefined>((resolve) => {
        let value = options.value ?? '';
        const close = (answer: string | undefined): void => {
          this.open = undefined;
          resolve(answer);
        };
        this.open = {
          ...{ title: options.title ?? '', placeholder: options.placeHolder ?? '' },
          items: () => [],
          type: (text) => (value = text),
          accept: () => close(value),
          cancel: () => close(undefined),
        };
      }),
    createQuickPick: () => new QuickPick(this),
    showQuickPick: (items: readonly Item[], options: { title?: string; placeHolder?: string }) =>
      new Promise<Item | undefined>((resolve) => {
        const pick = new QuickPick(this);
        Object.assign(pick, { items, title: options.title ?? '', placeholder: options.placeHolder ?? '' });
        pick.onDidAccept(() => {
          resolve(pick.selectedItems[0]);
          pick.hide();
        });
        pick.onDidHide(() => resolve(undefined));
        pick.show();
      }),
    withProgress: async (
      { title }: { title: string },
      work: (progress: { report(): void }, token: object) => Promise<unknown>,
    ) => {
      const canceled = new EventEmitter<void>();
      const token = { isCancellationRequested: false, onCancellationRequested: canceled.event };
      this.progress.set(title, () => {
        token.isCancellationRequested = true;
        canceled.fire();
      });
      try {
        return await work({ report: () => undefined }, token);
      } finally {
        this.progress.delete(title);
      }
    },
    showSaveDialog: (options: { defaultUri?: Uri }) => this.#dialog(options.defaultUri),
    showOpenDialog: async () => {
      const file = await this.#dialog(undefined);
      return file && [file];
    },
  };

  #message(text: string, rest: unknown[]): Promise<string | undefined> {
    const [first] = rest;
    const options: MessageOptions = typeof first === 'object' && first !== null ? first : {};
    const actions = rest.filter((action): action is string => typeof action === 'string');
    return new Promise((resolve) => {
      const message: Message = {
        ...{ text, detail: options.detail ?? '', actions },
        choose: (action) => {
          if (action !== undefined && !actions.includes(action)) throw new Error(`“${action}” is not in ${actions}`);
          this.messages.splice(this.messages.indexOf(message), 1);
          resolve(action);
        },
      };
      this.messages.push(message);
    });
  }

  #dialog(proposal: Uri | undefined): Promise<Uri | undefined> {
    this.proposed.push(proposal?.path ?? '');
    return new Promise((resolve) => this.#dialogs.push((target) => resolve(target ?? proposal)));
  }
}
