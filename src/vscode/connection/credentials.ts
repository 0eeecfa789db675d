/**
 * Stores API keys and service tokens in SecretStorage, one of each kind per origin. A keyring can lose a credential
 * without an error, so a non-secret marker in the global state records that one was stored.
 */
import type * as vscode from 'vscode';
import type { Credential } from '../../api/request.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import type { CredentialChanges } from './credentialChanges.ts';
import type { Log } from '../host/log.ts';

const MARKERS = 'credentialOrigins';
/** Separate slots for a key and a token of the same origin, because connections may use either. */
const slotOf = (origin: string, kind: CredentialKind): string => (kind === 'apiKey' ? origin : `${origin} ${kind}`);
const keyFor = (slot: string): string => `analyticsChat.credential:${slot}`;

/** Result of reading a credential. */
type CredentialState =
  | { state: 'found'; credential: Credential }
  | { state: 'none' }
  /** A credential was stored, but the keyring no longer returns it. */
  | { state: 'lost' }
  /** The keyring failed, for example because it is locked. */
  | { state: 'unreadable' }
  /** Another window has stored or removed the credential since, and this window still has the old one. */
  | { state: 'changed' };

interface Stored {
  credential: Credential;
  /** Unix milliseconds. */
  at: number;
}

/** Result of storing a credential: `refused` if the keyring failed, `forgotten` if it reported success but lost it. */
type StoreOutcome = 'stored' | 'refused' | 'forgotten';

export class Credentials {
  readonly #secrets: vscode.SecretStorage;
  readonly #memento: vscode.Memento;
  readonly #log: Log;
  readonly #changes: Pick<CredentialChanges, 'last' | 'note'>;
  readonly #session = new Map<string, Credential>();
  /** Cache of the keyring, because reading it would delay every question. */
  readonly #known = new Map<string, Stored>();

  constructor(context: vscode.ExtensionContext, log: Log, changes: Pick<CredentialChanges, 'last' | 'note'>) {
    this.#changes = changes;
    this.#secrets = context.secrets;
    this.#memento = context.globalState;
    this.#log = log;
    context.subscriptions.push(context.secrets.onDidChange(({ key }) => this.#known.delete(key)));
  }

  /** @param origin origin of the URL; a credential is returned only for the origin it was stored for */
  async read(origin: string, kind: CredentialKind): Promise<CredentialState> {
    const slot = slotOf(origin, kind);
    const kept = this.#session.get(slot);
    if (kept) return { state: 'found', credential: kept };
    let stored: Stored | undefined;
    let changed: number;
    try {
      const known = this.#known.get(keyFor(slot));
      // Read both in parallel, because every question waits for them.
      [stored, changed] = await Promise.all([known ?? this.#ask(slot), this.#changes.last(slot)]);
      if (known && known.at < changed) stored = await this.#ask(slot);
    } catch (failure) {
      this.#log.error('The keyring could not be read.', failure);
      return { state: 'unreadable' };
    }
    if (stored?.credential.kind === kind) {
      this.#log.addSecret(stored.credential.value);
      if (stored.at < changed) return { state: 'changed' };
      return { state: 'found', credential: stored.credential };
    }
    return { state: this.#markers()[slot] === undefined ? 'none' : 'lost' };
  }

  async #ask(slot: string): Promise<Stored | undefined> {
    const key = keyFor(slot);
    this.#known.delete(key);
    const text = await this.#secrets.get(key);
    const stored = text === undefined ? undefined : readStored(text);
    if (stored) this.#known.set(key, stored);
    return stored;
  }

  /** Stores a credential. @returns the outcome; nothing is kept unless it is `stored` */
  async store(origin: string, credential: Credential): Promise<StoreOutcome> {
    const slot = slotOf(origin, credential.kind);
    this.#log.addSecret(credential.value);
    const at = Date.now();
    // `secrets.onDidChange` may not fire for changes made by this window.
    this.#known.delete(keyFor(slot));
    try {
      await this.#secrets.store(keyFor(slot), JSON.stringify({ ...credential, at }));
      if ((await this.#secrets.get(keyFor(slot))) === undefined) return 'forgotten';
    } catch (failure) {
      this.#log.error('The keyring could not store the key.', failure);
      return 'refused';
    }
    this.#session.delete(slot);
    await this.#memento.update(MARKERS, { ...this.#markers(), [slot]: at });
    await this.#notifyOthers(slot, at);
    return 'stored';
  }

  /** Keeps a credential in memory until the window closes. */
  keepForSession(origin: string, credential: Credential): void {
    this.#log.addSecret(credential.value);
    this.#session.set(slotOf(origin, credential.kind), credential);
  }

  /** Removes a credential. @returns false if the keyring failed; the in-memory copy is removed in any case */
  async remove(origin: string, kind: CredentialKind): Promise<boolean> {
    const slot = slotOf(origin, kind);
    this.#session.delete(slot);
    this.#known.delete(keyFor(slot));
    try {
      await this.#secrets.delete(keyFor(slot));
    } catch (failure) {
      this.#log.error('The keyring could not delete the key.', failure);
      return false;
    }
    const { [slot]: _removed, ...others } = this.#markers();
    await this.#memento.update(MARKERS, others);
    await this.#notifyOthers(slot, Date.now());
    return true;
  }

  /** Notifies other windows. A failure is only logged, as they then keep their copy until they are reloaded. */
  async #notifyOthers(slot: string, at: number): Promise<void> {
    try {
      await this.#changes.note(slot, at);
    } catch (failure) {
      this.#log.error('Other windows could not be notified of a changed key.', failure);
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
