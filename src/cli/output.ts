/** Results on stdout and in files, progress and errors on stderr. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { messageOf } from '../shared/text/checks.ts';
import { withoutControls } from '../shared/text/plainText.ts';
import { Secrets } from '../shared/text/secrets.ts';
import { alignedLine, shownCell, widthsOf } from '../shared/results/textTable.ts';
import { typeColumns, type Row, type TypedColumn } from '../shared/results/cells.ts';
import type { Reconnecting } from '../shared/thread/model.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import cliProgress from 'cli-progress';
import type { AskEvents } from '../evals/matrix/answer.ts';
import { branchWaitText } from '../evals/matrix/branchProbe.ts';
import type { Verdict } from '../evals/matrix/matrix.ts';
import { duration } from '../evals/report/summary.ts';
import { UsageError } from './usage.ts';

interface Streams {
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

/** All output of the commands, except for the protocol of the MCP server. */
export class Output {
  readonly streams: Streams;
  /** Whether the runner of GitHub Actions reads commands in the output. */
  readonly #isInActions = Boolean(process.env['GITHUB_ACTIONS']);
  readonly #secrets = new Secrets();

  constructor(streams: Streams) {
    this.streams = streams;
  }

  /** Redacts a credential in all output from now on. */
  addSecret(credential: string): void {
    this.#secrets.add(credential);
  }

  /** Redacts the credentials in text; the rest stays unchanged. */
  redact(text: string): string {
    return this.#secrets.redact(text);
  }

  /** @returns text from the service or from files without the credentials and without control sequences of terminals */
  clean(text: string): string {
    return this.redact(withoutControls(text));
  }

  /** @param text text that is cleaned first */
  result(text: string): void {
    this.#write(this.streams.stdout, `${this.clean(text)}\n`);
  }

  /** @param text whole lines for another program, with every character; only a terminal gets them without control sequences */
  data(text: string): void {
    const { stdout } = this.streams;
    this.#write(stdout, stdout.isTTY ? this.clean(text) : this.redact(text));
  }

  /**
   * Writes a file, and creates its folder if it does not exist.
   * @throws UsageError if it can't be written
   */
  async file(path: string, text: string): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, this.redact(text));
    } catch (failure) {
      throw new UsageError(`Can’t write ${path}: ${messageOf(failure)}`);
    }
  }

  /** Marks a problem at its place in the changed files of a pull request, where GitHub Actions runs the command. */
  annotation({ path, line, column, endColumn, message }: Annotation): void {
    if (!this.#isInActions) return;
    const file = relative(process.env['GITHUB_WORKSPACE'] ?? process.cwd(), path)
      .split(sep)
      .join('/');
    const properties = Object.entries({ file, line, col: column, endColumn }).map(
      ([name, value]) => `${name}=${escapedProperty(this.clean(String(value)))}`,
    );
    this.streams.stdout.write(`::error ${properties.join(',')}::${escapedMessage(this.clean(message))}\n`);
  }

  note(text: string): void {
    this.#write(this.streams.stderr, `${this.clean(text)}\n`);
  }

  #write(stream: NodeJS.WritableStream, text: string): void {
    stream.write(this.#isInActions ? withoutCommands(text) : text);
  }
}

/** A problem in a line of a file; lines and columns are counted from 1. */
interface Annotation {
  /** Absolute path. */
  path: string;
  line: number;
  column: number;
  endColumn: number;
  message: string;
}

const escapedMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string): string => escapedMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * The runner of GitHub Actions executes `::name::` after blanks at the start of a line, and `##[name]` anywhere.
 * @returns the text with a zero-width space in them
 */
const withoutCommands = (text: string): string =>
  text.replace(/^((?:[^\S\r\n\u2028\u2029]|\u0085)*:)(?=:)/gm, '$1\u200b').replaceAll('##[', '##\u200b[');

export const tableLines = ({ columns, rows }: ResultTable): string => typedLines(typeColumns(columns, rows), rows);

/** @returns the rows as an aligned text table with a header */
export function typedLines(columns: readonly TypedColumn[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ name }) => shownCell(name)),
    ...rows.map((row) => columns.map(({ isDays }, index) => shownCell(row[index], isDays))),
  ];
  const isRight = columns.map(({ kind }) => kind === 'number');
  const widths = widthsOf(lines);
  return lines.map((cells) => alignedLine(cells, widths, isRight)).join('\n');
}

/** @returns events of a question that pass a line for each step of the agent, once, and for each retry */
export function askProgress(note: (text: string) => void): AskEvents {
  const reported = new Set<string>();
  return {
    onTool: (id, payload) => {
      const text =
        payload.kind === 'modelSearch'
          ? payload.searchQuery && `Model search: ${payload.searchQuery}`
          : payload.kind === 'sqlQuery'
            ? payload.queryTitle && `SQL query: ${payload.queryTitle}`
            : `Tool: ${payload.name}`;
      if (text === '' || reported.has(id)) return;
      reported.add(id);
      note(text);
    },
    onReconnecting: (reconnecting) => note(waitingText(reconnecting)),
  };
}

const waitingText = ({ until }: Reconnecting): string =>
  until === undefined
    ? 'Reconnecting…'
    : `The service asked to wait. Retrying in ${Math.ceil((until - Date.now()) / 1000)} s…`;

/** Called with the name of a question before each of its waits for another connection. */
export type OnWaiting = (reconnecting: Reconnecting, question: string) => void;

/** @returns a function that passes a line for each wait, with the name of the question */
export const waitingLines =
  (note: (text: string) => void): OnWaiting =>
  (reconnecting, name) =>
    note(`${name}: ${waitingText(reconnecting)}`);

interface RunProgress {
  onVerdict: (verdict: Verdict) => void;
  onWaiting: OnWaiting;
  /** Called once for a branch that the service does not serve yet. */
  onBranchWait: (branch: string, settled: Promise<unknown>) => void;
  stop: () => void;
}

/**
 * Reports each verdict and each wait of a run: in a terminal in a progress bar, otherwise in a line.
 * @param signal removes the progress bar, so that its line is free and the terminal has its cursor back
 */
export function runProgress(output: Output, total: number, signal: AbortSignal): RunProgress {
  const { stderr } = output.streams;
  let done = 0;
  // A dumb terminal can't move its cursor.
  if (!stderr.isTTY || process.env['TERM'] === 'dumb')
    return {
      onVerdict: ({ question, status, message, milliseconds }) => {
        done += 1;
        const why = message === '' ? '' : `: ${message}`;
        output.note(`[${done}/${total}] ${status} ${question.name} (${duration(milliseconds)})${why}`);
      },
      onWaiting: waitingLines((text) => output.note(text)),
      onBranchWait: (branch) => output.note(branchWaitText(branch)),
      stop: () => undefined,
    };
  const bar = new cliProgress.SingleBar({
    stream: stderr,
    format: '[{bar}] {value}/{total} · {failed} failed · {errored} errors · {duration_formatted}{waiting}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
  });
  const counts = { failed: 0, errored: 0, waiting: '' };
  bar.start(total, 0, counts);
  signal.addEventListener('abort', () => bar.stop(), { once: true });
  return {
    onVerdict: ({ status }) => {
      done += 1;
      if (status === 'failed' || status === 'review') counts.failed += 1;
      if (status === 'errored') counts.errored += 1;
      bar.update(done, counts);
    },
    onWaiting: (reconnecting) => bar.update(done, { ...counts, waiting: ` · ${waitingText(reconnecting)}` }),
    onBranchWait: (branch, settled) => {
      bar.update(done, { ...counts, waiting: ` · ${branchWaitText(branch)}` });
      void settled.then(() => bar.update(done, counts));
    },
    stop: () => bar.stop(),
  };
}
