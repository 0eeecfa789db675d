/** Runs the commands of `analytics-chat`; signals, pipes and the exit code are those of the process in `main.ts`. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { BranchRefused } from '../evals/matrix/branchProbe.ts';
import { messageOf } from '../shared/text/checks.ts';
import { useBundle } from '../shared/text/l10n.ts';
import type { Arguments, CliCommand, ExitCode, OfflineCommand } from './command.ts';
import { readEnvironment } from './environment.ts';
import type { Output } from './output.ts';
import { ArgumentError, UsageError, usageOf } from './usage.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Commands that need no service. */
const offlineCommands = new Map<string, { load: () => Promise<OfflineCommand>; options: ParseArgsOptionsConfig }>([
  ['lint', { load: async () => (await import('./lint.ts')).lint, options: { json: text } }],
  ['skill', { load: async () => (await import('./mcp/skill.ts')).skill, options: {} }],
]);

/** The code of a command is loaded when it runs. */
const commands = new Map<string, { load: () => Promise<CliCommand>; options: ParseArgsOptionsConfig }>([
  [
    'ask',
    {
      load: async () => (await import('./ask.ts')).ask,
      options: { branch: text, as: text, format: text, raw: flag, sql: flag },
    },
  ],
  [
    'eval',
    {
      load: async () => (await import('./eval.ts')).evaluate,
      options: {
        branch: text,
        as: text,
        baseline: text,
        tag: text,
        times: text,
        attempts: text,
        wait: text,
        concurrency: text,
        junit: text,
        markdown: text,
        json: text,
        known: text,
        failed: text,
        'min-pass-rate': text,
        list: flag,
        accept: flag,
      },
    },
  ],
  [
    'compare',
    {
      load: async () => (await import('./compare.ts')).compare,
      options: { branches: text, as: text, attempts: text, wait: text, json: text },
    },
  ],
  [
    'check',
    {
      load: async () => (await import('./check/check.ts')).check,
      options: {
        ...{ base: text, branch: text, as: text, all: flag },
        ...{ concurrency: text, attempts: text, wait: text, json: text },
      },
    },
  ],
  ['mcp', { load: async () => (await import('./mcp/mcp.ts')).mcp, options: {} }],
]);

/** Messages that name settings and actions of the editor, with those of the command line instead. */
const MESSAGES = {
  'The certificate of the chat service is not trusted ({0}). Ask your administrator for the certificate of its authority, add it to your system’s trusted certificates, and restart VS Code.':
    'The certificate of the chat service is not trusted ({0}). Ask your administrator for the certificate of its authority, and set NODE_EXTRA_CA_CERTS to its file.',
  'The proxy requires a user name and password. Add them to the setting “http.proxy”, for example http://user:password@proxy:8080, then retry.':
    'The proxy requires a user name and password. Add them to HTTPS_PROXY, for example http://user:password@proxy:8080.',
  'The service does not know this branch. Switch to another branch and ask again.':
    'The service does not know this branch. Check its name, and push it if it is new.',
  'The service does not serve the branch “{0}”. Check its name, push it, and enable it on the service. A new branch is served only once it is built.':
    'The service does not serve the branch “{0}”. Check its name, push it, and enable it on the service. If it is new, wait until it is built, for example with --wait 10m.',
  'The agent or this chat does not exist on the service. Check the Chat API URL, or start a new chat.':
    'The agent does not exist on the service. Check ANALYTICS_CHAT_API_URL.',
  'No expected result: set a data query URL to run the expected SQL, or accept a result.':
    'No expected result: set ANALYTICS_CHAT_DATA_QUERY_URL to run the expected SQL, or accept a result with --accept.',
  'No expected result: accept a result first.': 'No expected result: accept a result with --accept.',
};

/** What a command gets from its process. */
export interface Surroundings {
  output: Output;
  /** Version of the command line. */
  version: string;
  /** Called once, by commands that ask; the signal stops their answers on the service. */
  interruption: () => AbortSignal;
}

/**
 * Runs a command; its failure is written to stderr.
 * @param args the name of the command and its arguments
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { output } = surroundings;
  try {
    return await execute(args, surroundings);
  } catch (failure) {
    // The reason is the last line, where it is seen.
    if (failure instanceof ArgumentError) output.note(usageOf(args[0] ?? ''));
    output.note(isExplained(failure) ? failure.message : `Unexpected error: ${String(failure)}`);
    return 2;
  }
}

async function execute(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { output, version, interruption } = surroundings;
  const [name = '', ...rest] = args;
  if (name === 'help' || args.includes('--help') || args.includes('-h')) {
    output.result(usageOf(name).trimEnd());
    return 0;
  }
  if (name === '--version') {
    output.result(version);
    return 0;
  }
  const offline = offlineCommands.get(name);
  if (offline) return (await offline.load())({ output }, parse(rest, offline.options));
  const command = commands.get(name);
  if (command === undefined) throw new ArgumentError(name === '' ? 'Pass a command.' : `Unknown command “${name}”.`);
  const parsed = parse(rest, command.options);
  const environment = readEnvironment(process.env, (token) => output.addSecret(token));
  for (const { value } of [environment.credential, environment.dataQueryCredential]) output.addSecret(value);
  for (const hint of environment.hints) output.note(hint);
  useBundle(MESSAGES, 'en');
  const runCommand = await command.load();
  return runCommand({ environment, output, version, signal: interruption() }, parsed);
}

function parse(args: string[], options: ParseArgsOptionsConfig): Arguments {
  let parsed: Arguments;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true }) as Arguments;
  } catch (failure) {
    throw new ArgumentError(messageOf(failure));
  }
  // In a script, an empty value is a variable that is not set: without this check, `--branch` would mean main.
  for (const [name, value] of Object.entries(parsed.values))
    if (String(value).trim() === '') throw new ArgumentError(`--${name} must not be empty.`);
  return parsed;
}

const isExplained = (failure: unknown): failure is Error =>
  failure instanceof UsageError || failure instanceof BranchRefused;
