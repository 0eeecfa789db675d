/**
 * Keys and tokens, one for each origin, in SecretStorage and nowhere else. A keyring can fail without a word: then a
 * marker that is no secret tells that there was a key, and the user may keep one for the session only.
 */
import type * as vscode from 'vscode';
import type { Credential } from '../api/request.ts';
import type { Log } from './log.ts';

const MARKERS = 'credentialOrigins';
const keyFor = (origin: string): string => `analyticsChat.credential:${origin}`;

/** What reading a credential came to. */
export type CredentialState =
  | { state: 'found'; credential: Credential }
  | { state: 'none' }
  /** One was stored, and the system's keyring does not give it back. */
  | { state: 'lost'; storedAt: number }
  /** The keyring itself fails, such as a locked one. */
  | { state: 'unreadable' };

/** What storing a credential came to: `forgotten` when the keyring took it and does not have it. */
export type StoreOutcome = 'stored' | 'refused' | 'forgotten';

export class Credentials {
  readonly #secrets: vscode.SecretStorage;
  readonly #memento: vscode.Memento;
  readonly #log: Log;
  readonly #session = new Map<string, Credential>();

  constructor(context: vscode.ExtensionContext, log: Log) {
    this.#secrets = context.secrets;
    this.#memento = context.globalState;
    this.#log = log;
  }

  /** @param origin of the Chat API URL; a credential is given for its own origin only */
  async read(origin: string): Promise<CredentialState> {
    const kept = this.#session.get(origin);
    if (kept) return { state: 'found', credential: kept };
    let text: string | undefined;
    try {
      text = await this.#secrets.get(keyFor(origin));
    } catch (failure) {
      this.#log.error('The keyring could not be read.', failure);
      return { state: 'unreadable' };
    }
    const credential = text === undefined ? undefined : readCredential(text);
    if (credential) {
      this.#log.hide(credential.value);
      return { state: 'found', credential };
    }
    const storedAt = this.#markers()[origin];
    return storedAt === undefined ? { state: 'none' } : { state: 'lost', storedAt };
  }

  /** @returns what the keyring did; unless it is `stored`, nothing was kept */
  async store(origin: string, credential: Credential): Promise<StoreOutcome> {
    this.#log.hide(credential.value);
    try {
      await this.#secrets.store(keyFor(origin), JSON.stringify(credential));
      if ((await this.#secrets.get(keyFor(origin))) === undefined) return 'forgotten';
    } catch (failure) {
      this.#log.error('The keyring did not take the key.', failure);
      return 'refused';
    }
    this.#session.delete(origin);
    await this.#memento.update(MARKERS, { ...this.#markers(), [origin]: Date.now() });
    return 'stored';
  }

  /** Keeps a credential in memory until the window closes. */
  keepForSession(origin: string, credential: Credential): void {
    this.#log.hide(credential.value);
    this.#session.set(origin, credential);
  }

  async remove(origin: string): Promise<void> {
    this.#session.delete(origin);
    await this.#secrets.delete(keyFor(origin));
    const { [origin]: _removed, ...others } = this.#markers();
    await this.#memento.update(MARKERS, others);
  }

  #markers(): Record<string, number> {
    return this.#memento.get<Record<string, number>>(MARKERS, {});
  }
}

function readCredential(text: string): Credential | undefined {
  try {
    const { kind, value } = JSON.parse(text) as Partial<Credential>;
    return (kind === 'apiKey' || kind === 'serviceToken') && typeof value === 'string' ? { kind, value } : undefined;
  } catch {
    return undefined;
  }
}
