/** Progress on stderr: a bar on a terminal, a line for each step otherwise. */
import cliProgress from 'cli-progress';
import type { OnTool } from '../evals/run/answer.ts';
import type { Verdict } from '../evals/run/verdict.ts';
import { duration } from '../evals/run/summary.ts';
import type { Output } from './output.ts';

/** Reports the steps of the agent, each once. */
export function toolProgress(output: Output): OnTool {
  const said = new Set<string>();
  return (id, payload) => {
    const text =
      payload.kind === 'modelSearch'
        ? payload.searchQuery && `Model search: ${payload.searchQuery}`
        : payload.kind === 'sqlQuery'
          ? payload.queryTitle && `SQL query: ${payload.queryTitle}`
          : `Tool: ${payload.name}`;
    if (text === '' || said.has(id)) return;
    said.add(id);
    output.note(text);
  };
}

export interface RunProgress {
  onVerdict: (verdict: Verdict) => void;
  stop: () => void;
}

export function runProgress(output: Output, total: number): RunProgress {
  const { stderr } = output.streams;
  let done = 0;
  if (!stderr.isTTY)
    return {
      onVerdict: ({ question, status, message, milliseconds }) => {
        done += 1;
        const why = message === '' ? '' : `: ${message}`;
        output.note(`[${done}/${total}] ${status} ${question.name} (${duration(milliseconds)})${why}`);
      },
      stop: () => undefined,
    };
  const bar = new cliProgress.SingleBar({
    stream: stderr,
    format: '[{bar}] {value}/{total} · {failed} failed · {errored} errors · {duration_formatted}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
  });
  const counts = { failed: 0, errored: 0 };
  bar.start(total, 0, counts);
  return {
    onVerdict: ({ status }) => {
      done += 1;
      if (status === 'failed' || status === 'notComparable') counts.failed += 1;
      if (status === 'errored') counts.errored += 1;
      bar.update(done, counts);
    },
    stop: () => bar.stop(),
  };
}
