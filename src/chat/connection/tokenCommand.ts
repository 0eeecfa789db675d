/** Runs a command of the user's that prints a service token, and keeps the token until shortly before it expires. */
import { ChatError } from '../../api/errors.ts';
import { credentialProblem, type Credential } from '../../api/request.ts';
import { fieldsOf, listOf, text } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { withoutControls } from '../../shared/text/plainText.ts';
import { redactTokens, Secrets } from '../../shared/text/secrets.ts';

/** Milliseconds. */
const TIMEOUT = 30_000;
/** Milliseconds before its expiry at which a token is no longer used. */
const MARGIN = 60_000;
/** Characters of the error output that are shown. */
const LONGEST_END = 300;

/** A program and its arguments. */
export type TokenProgram = readonly [program: string, ...args: string[]];

/** @returns the command in a setting or variable; undefined if it is not a list of texts that begins with a program */
export const commandIn = (value: unknown): TokenProgram | undefined =>
  listOf(text)(value) && (value as string[])[0] ? (value as unknown as TokenProgram) : undefined;

/** How a program ended. */
export interface Ran {
  /** Exit code, or the code of an error such as `ENOENT`. */
  code: number | string;
  stdout: string;
  stderr: string;
  /** Whether it was ended because it took too long. */
  isLate: boolean;
}

/** Runs a program without a shell, and kills it after a time. @param cwd its folder; that of the process by default */
export async function runProgram([program, ...args]: TokenProgram, cwd?: string, timeout = TIMEOUT): Promise<Ran> {
  const { execFile } = await import('node:child_process');
  return new Promise<Ran>((resolve) => {
    const options = { cwd, timeout, killSignal: 'SIGKILL', windowsHide: true } as const;
    const child = execFile(program, args, options, (failure, stdout, stderr) =>
      resolve({
        code: failure ? (failure.code ?? failure.signal ?? '') : 0,
        stdout,
        stderr,
        isLate: failure?.killed === true,
      }),
    );
    // A program that asks for input fails at once.
    child.stdin?.end();
    // Some failures are thrown instead of reported, such as that of a batch file on Windows.
  }).catch(({ code = '' }: NodeJS.ErrnoException) => ({ code, stdout: '', stderr: '', isLate: false }));
}

export class TokenCommand {
  readonly #run: () => Promise<Ran>;
  readonly #onToken: (token: string) => void;
  readonly #now: () => number;
  #token: string | undefined;
  #running: Promise<string> | undefined;

  /**
   * @param run runs the command
   * @param onToken receives each new token, so that it is redacted from all output
   */
  constructor(run: () => Promise<Ran>, onToken: (token: string) => void, now: () => number = Date.now) {
    this.#run = run;
    this.#onToken = onToken;
    this.#now = now;
  }

  get credential(): Credential {
    return { kind: 'serviceToken', value: '', renew: this.renew };
  }

  /**
   * @param rejected a token that the service has rejected
   * @returns the known token, unless it was rejected or expires within a minute; otherwise a new one
   * @throws ChatError `auth` if the command fails
   */
  readonly renew = async (rejected?: string): Promise<string> => {
    const known = this.#token;
    if (known !== undefined && known !== rejected && expiryOf(known) - MARGIN > this.#now()) return known;
    // All requests that need a token meanwhile share the run.
    this.#running ??= this.#print().finally(() => (this.#running = undefined));
    return (this.#token = await this.#running);
  };

  async #print(): Promise<string> {
    const { code, stdout, stderr, isLate } = await this.#run();
    const token = stdout.trim();
    if (isLate) throw failed(t('The token command took longer than {0} seconds.', TIMEOUT / 1000));
    if (code !== 0) {
      if (typeof code === 'string') throw failed(t('The token command can’t be run ({0}).', code));
      const end = endOf(stderr, token, this.#token ?? '');
      throw failed(
        end === ''
          ? t('The token command failed with exit code {0}.', code)
          : t('The token command failed with exit code {0}: {1}', code, end),
      );
    }
    if (credentialProblem(token) !== undefined) throw failed(t('The token command did not print a token.'));
    this.#onToken(token);
    return token;
  }
}

const failed = (message: string): ChatError => new ChatError('auth', message, { code: 'TOKEN_COMMAND' });

/** The end of the error output on one line, without credentials. They are redacted before a part could be cut off. */
function endOf(stderr: string, ...tokens: string[]): string {
  const line = redactTokens(new Secrets(...tokens).redact(stderr));
  const shown = withoutControls(line).replace(/\s+/g, ' ').trim();
  return shown.length > LONGEST_END ? `…${shown.slice(1 - LONGEST_END)}` : shown;
}

/** @returns Unix milliseconds of the claim `exp` of a JWT; infinity for a token without it */
function expiryOf(token: string): number {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = fieldsOf(JSON.parse(atob(payload)));
    return typeof exp === 'number' ? exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}
