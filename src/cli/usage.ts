/** Usage of the command line, and usage errors. */

/** The command can't run as given; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The arguments are wrong: the usage of the command helps. */
export class ArgumentError extends UsageError {}

/** @throws ArgumentError unless there is one question */
export function oneQuestion([question, ...more]: readonly string[]): string {
  if (question === undefined || question.trim() === '' || more.length > 0)
    throw new ArgumentError('Pass one question, in quotes.');
  return question;
}

const MOST = 1000;

/** @throws ArgumentError unless the value of the option is a number from 1 to 1000 */
export function countOption(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(value) || Number(value) > MOST)
    throw new ArgumentError(`${option} must be a number from 1 to ${MOST}.`);
  return Number(value);
}

const SECONDS = { s: 1, m: 60, h: 3600 };

/** @returns milliseconds; 0 without the option @throws ArgumentError unless the value is a duration, such as `90s` */
export function durationOption(option: string, value = '0s'): number {
  const [, count, unit] = /^(\d{1,4})([smh])$/.exec(value) ?? [];
  if (count === undefined) throw new ArgumentError(`${option} must be a duration, such as 90s or 10m.`);
  return Number(count) * SECONDS[unit as keyof typeof SECONDS] * 1000;
}

export const USAGE = `Usage: analytics-chat <command> [options]

Commands
  ask "question"           ask the analytics agent; the answer goes to stdout
    --branch NAME          development branch to ask on
    --as NAME              identity to ask as
    --format FORMAT        text (default), json, csv or md
    --raw                  with csv: keep text that spreadsheets run as a formula, for other programs
    --sql                  include the SQL
  eval [path…]             run the question tests of a project (default: that of this folder)
    --branch NAME          development branch to ask on
    --as NAME              identity to ask as
    --baseline NAME        expect the same results as on this branch
    --tag TAG              only questions with this tag: @access, or @NAME of an identity
    --times N              ask each question N times; the majority decides
    --attempts N           ask a question again if it fails, at most N times in all (default: 3)
    --wait DURATION        wait for a branch that the service does not serve yet, such as 90s or 10m (default: fail at once)
    --concurrency N        number of questions to ask in parallel (default: 4)
    --junit FILE           write a JUnit report
    --markdown FILE        write a Markdown report
    --json FILE            write the run as JSON
    --known FILE           list failures that are also in this earlier run, but don't count them
    --failed FILE          ask only the questions that did not pass in this earlier run
    --min-pass-rate RATE   accept failures if at least this share passed, such as 0.9
    --list                 list the questions, and ask nothing
    --accept               accept the results of questions without expected SQL
  compare "question"       ask on two branches and show the rows that changed
    --branches A,B         the branches
    --as NAME              identity to ask as
    --attempts N           ask again if the answers differ, at most N times on each branch (default: 3)
    --wait DURATION        wait for a branch that the service does not serve yet, such as 90s or 10m (default: fail at once)
    --json FILE            write the run as JSON
  check [path…]            list the answers that change with the data model and the agent
    --base NAME            branch to compare with (default: the main branch)
    --branch NAME          development branch (default: the branch that is checked out)
    --as NAME              identity to ask as
    --all                  ask every question, not only those that use what changed
    --concurrency N        number of answers to run in parallel (default: 4)
    --attempts N           ask again if the answers differ, at most N times on each branch (default: 3)
    --wait DURATION        wait for a branch that the service does not serve yet, such as 90s or 10m (default: fail at once)
    --json FILE            write the run as JSON
  lint [path…]             list names that the data model does not have, without asking the service
    --json FILE            write the problems as JSON
  mcp [folder]             serve ask, run_questions and check_change over MCP on stdio, for coding agents in this project
  skill                    print a SKILL.md that teaches coding agents to check their changes

Environment
  ANALYTICS_CHAT_API_URL           Chat API URL of the agent
  ANALYTICS_CHAT_API_KEY           API key, or
  ANALYTICS_CHAT_SERVICE_TOKEN     service token, or
  ANALYTICS_CHAT_TOKEN_COMMAND     JSON array of a program and its arguments, which prints a service token
  ANALYTICS_CHAT_EXTERNAL_ID       your externalId, or
  ANALYTICS_CHAT_SESSION_SETTINGS  session settings as JSON, or a map from names to session settings
  ANALYTICS_CHAT_DATA_QUERY_URL    URL of the data query API, to run expected SQL and load all rows; {branch} is replaced
  ANALYTICS_CHAT_DATA_QUERY_KEY    key or token for that URL, required if it is on another origin than the Chat API URL
  ANALYTICS_CHAT_MAIN_BRANCH       name of the main branch (default: main)
  ANALYTICS_CHAT_AGENTS_PATH       folder of the platform’s files in the project (default: agents)
  HTTPS_PROXY                      URL of a proxy; also set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24 or newer)

Exit codes
  0 done, none failed · 1 a test failed or is to be reviewed (eval), an answer changed (compare, check), or there are
  problems (lint) · 2 could not ask, nothing was graded, or there is no data model (lint) · 130 interrupted
`;

/** @returns the usage of one command; of all commands if there is none with this name */
export function usageOf(command: string): string {
  const lines = USAGE.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`  ${command} `));
  if (command === '' || start < 0) return USAGE;
  const options = lines.slice(start + 1);
  const end = options.findIndex((line) => !line.startsWith('    '));
  return `Usage: analytics-chat ${command} [options]

${[lines[start], ...options.slice(0, end)].join('\n')}

analytics-chat --help lists the environment variables and exit codes.
`;
}
