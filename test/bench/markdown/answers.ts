/** Generated answers to stream; deterministic. */
import { seeded } from '../../support/random.ts';

export interface Answer {
  text: string;
  /** Number of updates. */
  deltas: number;
}

const words =
  'revenue orders grew fell by region month the of and customers average margin against last year because discount store online returns quarter share product category'.split(
    ' ',
  );

function writer(seed: number): { next: () => number; pick: () => string; sentence: () => string } {
  const next = seeded(seed);
  const pick = (): string => words[Math.floor(next() * words.length)] ?? '';
  const sentence = (): string => {
    const parts = Array.from({ length: 8 + Math.floor(next() * 10) }, pick);
    const at = Math.floor(next() * (parts.length - 2));
    const kind = next();
    if (kind < 0.25) parts[at] = `**${parts[at]} ${parts[at + 1]}**`;
    else if (kind < 0.4) parts[at] = `\`${parts[at]}_id\``;
    else if (kind < 0.48) parts[at] = `[${parts[at]}](https://example.com/${parts[at]})`;
    return `${parts.join(' ')}.`;
  };
  return { next, pick, sentence };
}

/** Prose, lists, tables and SQL in about the proportions of a real analytics agent. */
export function answer(length: number, deltas: number): Answer {
  const { next, pick, sentence } = writer(7);
  const blocks = [
    () => `## ${pick()} ${pick()} ${pick()}`,
    () => [sentence(), sentence(), sentence()].join(' '),
    () => [sentence(), sentence()].join(' '),
    () => Array.from({ length: 5 }, () => `- **${pick()}**: ${sentence()}`).join('\n'),
    () => [sentence(), sentence(), sentence(), sentence()].join(' '),
    () => table(6, next, pick),
    () => [sentence(), sentence()].join(' '),
    () => sqlFence(pick),
  ];
  let text = '';
  for (let block = 0; text.length < length; block++) text += `${blocks[block % blocks.length]?.()}\n\n`;
  return { text: text.slice(0, length), deltas };
}

/** About 10 KB whose tenths have the same text, with one block of each kind, so that only their places differ. */
export function evenAnswer(deltas: number): Answer {
  const { next, pick, sentence } = writer(7);
  const blocks = [
    `## ${pick()} ${pick()} ${pick()}`,
    sentence(),
    [`- **${pick()}**: ${sentence()}`, `- ${sentence()}`].join('\n'),
    table(2, next, pick),
    sqlFence(pick),
  ];
  return {
    text: blocks
      .map((block) => `${block}\n\n`)
      .join('')
      .repeat(10),
    deltas,
  };
}

function row(next: () => number, pick: () => string): string {
  return `| ${pick()} | ${pick()} | ${(next() * 1e6).toFixed(2)} | ${(next() * 100).toFixed(1)}% |`;
}

function table(rows: number, next: () => number, pick: () => string): string {
  const body = Array.from({ length: rows }, () => row(next, pick));
  return ['| Region | Category | Revenue | Share |', '|---|---|---:|---:|', ...body].join('\n');
}

function sqlFence(pick: () => string): string {
  const column = pick();
  return `\`\`\`sql
-- ${pick()} by ${column}
select date_trunc('month', ordered_at) as month, ${column}, sum(amount) as revenue
from orders join customers using (customer_id)
where ordered_at >= '2024-01-01' and status <> 'returned'
group by 1, 2 order by revenue desc limit 100;
\`\`\``;
}

/** One fenced block without a closing fence. */
export function giantFence(length: number, deltas: number): Answer {
  let text = '```sql\n';
  for (let line = 0; text.length < length; line++) {
    text += `select ${line} as id, sum(amount) from orders_${line % 50} where region = 'r${line % 7}'; -- step\n`;
  }
  return { text: text.slice(0, length), deltas };
}

/** One table that fills the whole answer. */
export function giantTable(length: number, deltas: number): Answer {
  const { next, pick } = writer(3);
  let text = '| Region | Category | Revenue | Share |\n|---|---|---:|---:|\n';
  while (text.length < length) text += `${row(next, pick)}\n`;
  return { text: text.slice(0, length), deltas };
}
