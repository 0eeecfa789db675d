/** The development branch that queries run against: one for each workspace, kept over restarts. */
import * as vscode from 'vscode';
import { readSettings } from './settings.ts';

const CURRENT = 'branch';
const RECENT = 'recentBranches';
const RECENT_LIMIT = 8;

export interface Branch {
  /** Empty while none was chosen: then requests name no branch and the service takes its main one. */
  name: string;
  isDefault: boolean;
}

export class Branches {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** 2.1: `isDefaultBranch` is true when the main branch is named, and without a name. */
  get current(): Branch {
    const name = this.#memento.get(CURRENT, '');
    return { name, isDefault: name === '' || name === readSettings().mainBranch };
  }

  /** What to show for the current branch. */
  get label(): string {
    return this.current.name || readSettings().mainBranch;
  }

  get recent(): readonly string[] {
    return this.#memento.get<string[]>(RECENT, []);
  }

  async switchTo(name: string): Promise<void> {
    await this.#memento.update(CURRENT, name);
    const recent = [name, ...this.recent.filter((other) => other !== name)].slice(0, RECENT_LIMIT);
    await this.#memento.update(RECENT, recent);
    this.#changed.fire();
  }
}
