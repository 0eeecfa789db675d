/**
 * Keys and tokens, one of each kind for each origin, in SecretStorage and nowhere else. A keyring can fail without a word: then a
 * marker that is no secret tells that there was a key, and the user may keep one for the session only.
 */
import type * as vscode from 'vscode';
import type { Credential } from '../../api/request.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import type { CredentialChanges } from './credentialChanges.ts';
import type { Log } from '../host/log.ts';

const MARKERS = 'credentialOrigins';
/** A key and a token for the same origin are kept apart: connections may need the one or the other. */
const slotOf = (origin: string, kind: CredentialKind): string => (kind === 'apiKey' ? origin : `${origin} ${kind}`);
const keyFor = (slot: string): string => `analyticsChat.credential:${slot}`;

/** What reading a credential came to. */
export type CredentialState =
  | { state: 'found'; credential: Credential }
  | { state: 'none' }
  /** One was stored, and the system's keyring does not give it back. */
  | { state: 'lost'; storedAt: number }
  /** The keyring itself fails, such as a locked one. */
  | { state: 'unreadable' }
  /** What this window has is not what another one has stored or removed since. */
  | { state: 'changed' };

interface Stored {
  credential: Credential;
  /** Unix milliseconds. */
  at: number;
}

/** What storing a credential came to: `forgotten` when the keyring took it and does not have it. */
export type StoreOutcome = 'stored' | 'refused' | 'forgotten';

export class Credentials {
  readonly #secrets: vscode.SecretStorage;
  readonly #memento: vscode.Memento;
  readonly #log: Log;
  readonly #changes: Pick<CredentialChanges, 'last' | 'note'>;
  readonly #session = new Map<string, Credential>();
  /** What the keyring gave last: asking it again for every question would keep each waiting. */
  readonly #known = new Map<string, Stored>();

  constructor(context: vscode.ExtensionContext, log: Log, changes: Pick<CredentialChanges, 'last' | 'note'>) {
    this.#changes = changes;
    this.#secrets = context.secrets;
    this.#memento = context.globalState;
    this.#log = log;
    context.subscriptions.push(context.secrets.onDidChange(({ key }) => this.#known.delete(key)));
  }

  /** @param origin of the Chat API URL; a credential is given for its own origin only */
  async read(origin: string, kind: CredentialKind): Promise<CredentialState> {
    const slot = slotOf(origin, kind);
    const kept = this.#session.get(slot);
    if (kept) return { state: 'found', credential: kept };
    let stored: Stored | undefined;
    let changed: number;
    try {
      const known = this.#known.get(keyFor(slot));
      // Side by side: every question waits for them.
      [stored, changed] = await Promise.all([known ?? this.#ask(slot), this.#changes.last(slot)]);
      if (known && known.at < changed) stored = await this.#ask(slot);
    } catch (failure) {
      this.#log.error('The keyring could not be read.', failure);
      return { state: 'unreadable' };
    }
    if (stored?.credential.kind === kind) {
      this.#log.hide(stored.credential.value);
      if (stored.at < changed) return { state: 'changed' };
      return { state: 'found', credential: stored.credential };
    }
    const storedAt = this.#markers()[slot];
    return storedAt === undefined ? { state: 'none' } : { state: 'lost', storedAt };
  }

  async #ask(slot: string): Promise<Stored | undefined> {
    const key = keyFor(slot);
    this.#known.delete(key);
    const text = await this.#secrets.get(key);
    const stored = text === undefined ? undefined : readStored(text);
    if (stored) this.#known.set(key, stored);
    return stored;
  }

  /** @returns what the keyring did; unless it is `stored`, nothing was kept */
  async store(origin: string, credential: Credential): Promise<StoreOutcome> {
    const slot = slotOf(origin, credential.kind);
    this.#log.hide(credential.value);
    const at = Date.now();
    // The editor need not tell a window of its own changes.
    this.#known.delete(keyFor(slot));
    try {
      await this.#secrets.store(keyFor(slot), JSON.stringify({ ...credential, at }));
      if ((await this.#secrets.get(keyFor(slot))) === undefined) return 'forgotten';
    } catch (failure) {
      this.#log.error('The keyring did not take the key.', failure);
      return 'refused';
    }
    this.#session.delete(slot);
    await this.#memento.update(MARKERS, { ...this.#markers(), [slot]: at });
    await this.#tellOthers(slot, at);
    return 'stored';
  }

  /** Keeps a credential in memory until the window closes. */
  keepForSession(origin: string, credential: Credential): void {
    this.#log.hide(credential.value);
    this.#session.set(slotOf(origin, credential.kind), credential);
  }

  /** @returns whether the keyring let it go; what was kept for the session is gone in any case */
  async remove(origin: string, kind: CredentialKind): Promise<boolean> {
    const slot = slotOf(origin, kind);
    this.#session.delete(slot);
    this.#known.delete(keyFor(slot));
    try {
      await this.#secrets.delete(keyFor(slot));
    } catch (failure) {
      this.#log.error('The keyring did not let the key go.', failure);
      return false;
    }
    const { [slot]: _removed, ...others } = this.#markers();
    await this.#memento.update(MARKERS, others);
    await this.#tellOthers(slot, Date.now());
    return true;
  }

  /** Without it they go on with what they have until they are loaded anew: nothing to fail for. */
  async #tellOthers(slot: string, at: number): Promise<void> {
    try {
      await this.#changes.note(slot, at);
    } catch (failure) {
      this.#log.error('Other windows could not be told that a key has changed.', failure);
    }
  }

  #markers(): Record<string, number> {
    return this.#memento.get<Record<string, number>>(MARKERS, {});
  }
}

function readStored(text: string): Stored | undefined {
  try {
    const { kind, value, at } = JSON.parse(text) as Partial<Credential> & { at?: unknown };
    if ((kind !== 'apiKey' && kind !== 'serviceToken') || typeof value !== 'string') return undefined;
    return { credential: { kind, value }, at: typeof at === 'number' ? at : 0 };
  } catch {
    return undefined;
  }
}
