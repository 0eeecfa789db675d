/** Stub of the views and panels that hold a webview. */
import { EventEmitter } from '../../../support/editorValues.ts';
import type { Webview } from './webviews.ts';

/** A side bar view or an editor tab. */
export class Holder {
  readonly webview: Webview;
  title = '';
  iconPath: unknown;
  badge: { value: number; tooltip: string } | undefined;
  visible = true;
  active: boolean;
  readonly #retains: boolean;
  readonly #changed = new EventEmitter<object>();
  readonly #disposed = new EventEmitter<void>();
  readonly onDidChangeVisibility = this.#changed.event;
  readonly onDidChangeViewState = this.#changed.event;
  readonly onDidDispose = this.#disposed.event;
  /** Called when the extension reveals it. */
  onReveal = (): void => undefined;

  constructor(webview: Webview, isTab: boolean, retains: boolean) {
    this.webview = webview;
    this.active = isTab;
    this.#retains = retains;
  }

  readonly show = (): void => this.onReveal();
  readonly reveal = (): void => this.onReveal();

  /** Shows or hides it; VS Code unloads a hidden page, unless the extension asks to keep it. */
  async setVisible(visible: boolean): Promise<void> {
    if (visible === this.visible) return;
    this.visible = visible;
    if (!visible && !this.#retains) await this.webview.unload();
    this.#changed.fire({});
    if (visible && !this.#retains) await this.webview.load();
  }

  setActive(active: boolean): void {
    if (active === this.active) return;
    this.active = active;
    this.#changed.fire({});
  }

  dispose(): void {
    this.visible = false;
    this.#disposed.fire();
    void this.webview.close();
  }
}
