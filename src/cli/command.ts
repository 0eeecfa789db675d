/** The types of a command: its input and its exit code. */
import type { Environment } from './environment.ts';
import type { Output } from './output.ts';

export interface Invocation {
  environment: Environment;
  output: Output;
  /** Version of the command line. */
  version: string;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export interface Arguments {
  positionals: readonly string[];
  values: {
    branch?: string;
    as?: string;
    format?: string;
    raw?: boolean;
    sql?: boolean;
    baseline?: string;
    tag?: string;
    times?: string;
    attempts?: string;
    wait?: string;
    concurrency?: string;
    junit?: string;
    markdown?: string;
    json?: string;
    known?: string;
    failed?: string;
    'min-pass-rate'?: string;
    list?: boolean;
    accept?: boolean;
    branches?: string;
    base?: string;
    all?: boolean;
  };
}

/** 0: done, 1: something failed, 2: could not ask, 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

/** @throws UsageError, which is exit code 2 */
export type CliCommand = (invocation: Invocation, args: Arguments) => Promise<ExitCode>;

/** A command that needs no service, so that its environment need not name one. */
export type OfflineCommand = (invocation: Pick<Invocation, 'output'>, args: Arguments) => Promise<ExitCode>;
