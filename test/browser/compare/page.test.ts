/** The page of a run in each of its states: what it shows, what it posts, and what is left of the state before. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  ROW_STATES,
  type RunCell,
  type RunComparison,
  type RunPage,
  type RunRow,
  type ShownComparison,
  type ToRuns,
} from '../../../src/shared/protocol/runs.ts';
import { emptyDraft, type ToWebview } from '../../../src/shared/protocol/chat.ts';
import { emptyThread, type Thread } from '../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../support/item.ts';
import { becomes } from '../../support/until.ts';
import { useHostedPage } from '../support/hostedPage.ts';
import { looks, outline } from '../support/outline.ts';
import { viewContext } from '../support/viewContext.ts';

const cell = (state: RunCell['state'], message = '', canOpen = false): RunCell => ({ state, message, canOpen });
const row = (name: string, state: RunRow['state'], more: Partial<RunRow> = {}): RunRow => ({
  ...{ name, text: `${name}?`, state, message: '', canOpen: false, canAccept: false },
  cells: [cell('answered', '3 rows', true), cell('waiting'), cell('asking')],
  ...more,
});
const nothing: RunComparison = { queries: [], members: [], notes: [] };
const main = { branch: 'main', identity: 'ann' };
const dev = { branch: 'dev/new_rows', identity: 'ann' };
const three = ['ann', 'bob', 'eve'].map((identity) => ({ branch: 'main', identity }));
const base: RunPage = {
  ...{ title: 'Title', isRunning: false, summary: 'Summary', hasSides: false, canAskAgain: false },
  ...{ contexts: [main, dev], rows: [], comparison: nothing },
};
const twice = [cell('answered', '3 rows', true), cell('failed', 'No such view', true)];
const open = { canOpen: true, cells: twice };
const many = [
  ...ROW_STATES.filter((state) => !/^(changed|same|waiting|errored)$/.test(state)).map((state) =>
    row(state, state, { cells: [] }),
  ),
  row('one', 'same', open),
  row('two', 'changed', {
    change: 'rows',
    message: '1 of 2 rows changed',
    canAccept: true,
    ...open,
  }),
  row('three', 'changed', { change: 'numbers', ...open }),
  row('four', 'waiting', { cells: [cell('asking'), cell('waiting')] }),
  row('five', 'errored', { message: 'Timeout', cells: [cell('canceled'), cell('canceled')] }),
];

const values = (...own: object[]) => ({ values: own });
const results: ShownComparison = {
  dimensions: ['region', 'kind'],
  measures: [
    { name: 'sum', isNumber: true },
    { name: 'letter', isNumber: false },
  ],
  counts: { same: 1, changed: 2, added: 1, removed: 1 },
  isPartial: true,
  precision: 1,
  rows: [
    {
      status: 'same',
      key: ['East', 'a'],
      cells: [values({ text: '1' }, { text: '1' }), values({ text: 'x' }, { text: 'x' })],
    },
    {
      status: 'changed',
      key: ['West', null],
      cells: [
        { ...values({ text: '1' }, { text: '2', isChanged: true }), absolute: '+1', percent: '+100%' },
        values({ text: null }, { text: '', isChanged: true }),
      ],
    },
    {
      status: 'changed',
      key: ['South', ''],
      cells: [
        { ...values({ text: '2' }, { text: '1', isChanged: true }), absolute: '-1', percent: '-50%' },
        values({ text: 'y' }, { text: 'y' }),
      ],
    },
    {
      status: 'added',
      key: ['North', 'b'],
      cells: [values({}, { text: '7' }), values({}, { text: 'z', isForbidden: true })],
    },
  ],
};
const definition = (title: string, aggType?: string) => ({
  ...{ name: 'orders.sum', title, description: `What ${title} is`, type: 'number' },
  ...(aggType ? { aggType } : {}),
});
const comparison: RunComparison = {
  notes: [],
  members: [
    { name: 'orders.sum', definitions: [definition('Sum', 'sum'), definition('Net')], isChanged: [false, true] },
    { name: 'orders.new', definitions: [undefined, definition('New')], isChanged: [false, true] },
  ],
  queries: [
    {
      title: 'First',
      sql: [
        {
          contexts: [1],
          lines: [
            { side: 'both', text: 'SELECT' },
            { side: 'left', text: '  a' },
            { side: 'right', text: '  b' },
          ],
        },
      ],
      results,
    },
    { title: '', sql: [], results: { ...results, ...{ rows: results.rows.slice(0, 1), isPartial: false } } },
  ],
};

const thread = (id: string, more: Partial<Thread> = {}): Thread => ({
  ...emptyThread(id),
  turns: [
    { id: `${id}1`, question: { id: `${id}1`, content: 'one?', time: 0 }, items: [], outcome: { state: 'done' } },
  ],
  ...more,
});
const side = (context: number, shown: Thread): ToRuns => {
  const message: ToWebview = { type: 'snapshot', seq: 1, thread: shown, viewContext, draft: emptyDraft, l10n: {} };
  return { type: 'side', context, message };
};
const runs = (page: Partial<RunPage>): ToRuns => ({
  type: 'runs',
  page: { ...base, ...page },
  remember: 'me',
  l10n: {},
});
const pair = { hasSides: true, rows: [row('one', 'changed', { message: 'It differs', ...open })] };

const states: readonly (readonly [name: string, messages: readonly ToRuns[], expected: string])[] = [
  [
    'one question as everyone, while it is asked',
    [runs({ isRunning: true, contexts: three, rows: [row('one', 'asking')] })],
    `main
  heading "Title" level=1, button "Cancel", progressbar "Identities asked", "1 of 3 identities asked"
  paragraph (Summary)
  region "Answers by identity"
    table "Answers by identity"
      rowgroup [row ^ann | ^bob | ^eve]
      rowgroup [row [button "3 rows. Open chat as ann" (3 rows)] | Waiting | Asking]
  status (Summary)

main: no tab stop | Identities asked: 1 of 3 | Answers by identity: tab stop | Summary: live=polite
ann: quiet | bob: quiet | eve: quiet
3 rows. Open chat as ann: “3 rows”, link | <pass> | Waiting: quiet | <circle-outline> | Asking: quiet | <loading>: spins`,
  ],
  [
    'one question as everyone, with a failure and findings',
    [
      runs({
        contexts: three,
        canAskAgain: true,
        rows: [row('one', 'failed', { canOpen: true, cells: [...twice, cell('canceled')] })],
        comparison: {
          members: [],
          notes: [
            { kind: 'forbidden', text: 'Bob sees y.' },
            { kind: 'unproven', text: 'Eve was not asked.' },
            { kind: 'unknown', text: 'No such rule.' },
          ],
          queries: [
            {
              title: '',
              sql: [
                { contexts: [1], lines: [{ side: 'right', text: 'b' }] },
                { contexts: [2], lines: [{ side: 'left', text: 'c' }] },
              ],
              results: {
                ...{ dimensions: ['region'], measures: [{ name: 'sum', isNumber: true }], isPartial: false },
                counts: { same: 0, changed: 1, added: 0, removed: 1 },
                rows: [
                  {
                    status: 'changed',
                    key: ['East'],
                    cells: [
                      values(
                        { text: '1' },
                        { text: '2', isChanged: true },
                        { text: '3', isChanged: true, isForbidden: true },
                      ),
                    ],
                  },
                  {
                    status: 'removed',
                    key: [null],
                    cells: [values({ text: null }, { isChanged: true }, { text: null })],
                  },
                ],
              },
            },
          ],
        },
      }),
    ],
    `main
  heading "Title" level=1, button "Export comparison", button "Show answers side by side", button "Ask again"
  paragraph (Summary)
  list "Failures and access tests"
    listitem (bob: No such view), listitem (Bob sees y.), listitem (Eve was not asked.), listitem (No such rule.)
  region "Answers by identity"
    table "Answers by identity"
      rowgroup [row ^ann | ^bob | ^eve]
      rowgroup
        row [button "3 rows. Open chat as ann" (3 rows)] | [button "Failed. Open chat as bob" (Failed)] | Canceled
  region "Query"
    heading "Query" level=2, region "SQL difference" [insertion (Only in bob: b)]
    region "SQL difference" [deletion (Only in ann: c)]
    list "Legend"
      listitem [strong (≠), "differs from ann"], listitem (– no such row or column), listitem (must not be seen)
    region "Results compared"
      table "Results compared"
        rowgroup [row ^region | ^sum, row ^ann | ^bob | ^eve]
        rowgroup
          row #East | 1 | 2 (differs) | 3 (must not be seen)
          row #NULL | NULL | no such row or column (differs) | NULL
  status (Summary)

main: no tab stop | Answers by identity: tab stop | Summary: live=polite
<error>
<error>
<question>
<warning>
ann: quiet | bob: quiet | eve: quiet
3 rows. Open chat as ann: “3 rows”, link | <pass> | Failed. Open chat as bob: “No such view”, link | <error> | Canceled: quiet | <circle-slash>
− ann+ bob: quiet | −: removed | +: added
SQL difference: tab stop | +Only in bob: b: added | SQL difference: tab stop | −Only in ann: c: removed | div: quiet | Results compared: tab stop
− ann+ eve: quiet | −: removed | +: added
<error>
region: 2×1, quiet | sum: 1×3
ann: end, quiet | bob: end, quiet | eve: end, quiet
1: end | ≠ 2 (differs): “differs”, end | 3 (must not be seen): “must not be seen”, end, removed | <error>
NULL: quiet | NULL: end | NULL: quiet | td: “differs”, end | NULL: end | NULL: quiet`,
  ],
  [
    'three sides, of which one failed, without a query',
    [
      runs({ ...pair, contexts: three }),
      side(0, thread('a')),
      side(1, thread('b', { status: 'error', error: { kind: 'x', message: 'No answer.', actions: ['retry'] } })),
      side(2, thread('c')),
    ],
    `main
  heading "Title" level=1, button "Export comparison", paragraph (Summary)
  paragraph [strong (Changed rows), "It differs"]
  region "Asked on branch main as ann"
    heading "main · ann" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)]
  region "Asked on branch main as bob"
    heading "main · bob" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)], alert [paragraph (No answer.), button "Retry"]
  region "Asked on branch main as eve"
    heading "main · eve" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)]
  paragraph (Nothing to compare: the answers don’t both contain a query.), status (Summary)

main: no tab stop | Summary: live=polite
<diff-modified>
<git-branch> | Continue in the chat: titled | <comment-discussion>
main · ann: “Asked on branch main as ann” | · ann: quiet
Assistant: busy=false
The agent returned no answer.: quiet
<git-branch> | Continue in the chat: titled | <comment-discussion> | <error> | Retry: strong
main · bob: “Asked on branch main as bob” | · bob: quiet
Assistant: busy=false
The agent returned no answer.: quiet
<git-branch> | Continue in the chat: titled | <comment-discussion>
main · eve: “Asked on branch main as eve” | · eve: quiet
Assistant: busy=false
The agent returned no answer.: quiet
Nothing to compare: the answers don’t both contain a query.: quiet`,
  ],
  [
    'a running list',
    [runs({ isRunning: true, rows: many, contexts: [main, dev] })],
    `main
  heading "Title" level=1, button "Cancel", progressbar "Questions compared", "11 of 13 questions compared"
  paragraph (Summary)
  group "Filter by state"
    button "All 13" pressed, button "Failed 1", button "Changed 2", button "Error 1", button "Review 1"
    button "Unstable 1", button "Flaky 1", button "Skipped 1", button "Canceled 1", button "Passed 1", button "Same 1"
    button "Asking 1", button "Waiting 1"
  region "Questions"
    table "Questions"
      rowgroup [row ^State | ^Question | ^What changed | ^main | ^dev/new_rows]
      rowgroup
        row Failed | #[button "failed?: open both answers" disabled (failed?), "failed"] | 
        row Review | #[button "review?: open both answers" disabled (review?), "review"] | 
        row Unstable | #[button "unstable?: open both answers" disabled (unstable?), "unstable"] | 
        row Flaky | #[button "flaky?: open both answers" disabled (flaky?), "flaky"] | 
        row Skipped | #[button "skipped?: open both answers" disabled (skipped?), "skipped"] | 
        row Canceled | #[button "canceled?: open both answers" disabled (canceled?), "canceled"] | 
        row Passed | #[button "passed?: open both answers" disabled (passed?), "passed"] | 
        row Asking | #[button "asking?: open both answers" disabled (asking?), "asking"] | 
        row Same | #[button "one?: open both answers" (one?), "one"] |  | [link "3 rows. Open chat as main" (3 rows)] | [link "Failed. Open chat as dev/new_rows" (Failed)]
        row Changed rows | #[button "two?: open both answers" (two?), "two"] | ["1 of 2 rows changed", button "Accept the answer on dev/new_rows as expected"] | [link "3 rows. Open chat as main" (3 rows)] | [link "Failed. Open chat as dev/new_rows" (Failed)]
        row Changed numbers | #[button "three?: open both answers" (three?), "three"] |  | [link "3 rows. Open chat as main" (3 rows)] | [link "Failed. Open chat as dev/new_rows" (Failed)]
        row Waiting | #[button "four?: open both answers" disabled (four?), "four"] |  | Asking | Waiting
        row Error | #[button "five?: open both answers" disabled (five?), "five"] | Timeout | Canceled | Canceled
  status (Summary)

main: no tab stop | Questions compared: 11 of 13 | Questions: tab stop | Summary: live=polite
Failed 1: link | 1: quiet | Changed 2: link | 2: quiet | Error 1: link | 1: quiet | Review 1: link | 1: quiet | Unstable 1: link | 1: quiet | Flaky 1: link | 1: quiet | Skipped 1: link | 1: quiet | Canceled 1: link | 1: quiet | Passed 1: link | 1: quiet | Same 1: link | 1: quiet | Asking 1: link | 1: quiet | Waiting 1: link | 1: quiet
State: quiet | Question: quiet | What changed: quiet | main: quiet | dev/new_rows: quiet
Failedfailed?failed: quiet | Failed: “Failed” | <error> | failed?: open both answers: tab stop | failed: quiet
Reviewreview?review: quiet | Review: “Review” | <question> | review?: open both answers: no tab stop | review: quiet
tr: quiet | Unstable: “Unstable” | <pulse> | unstable?: open both answers: no tab stop | unstable: quiet
Flakyflaky?flaky: quiet | Flaky: “Flaky” | <pulse> | flaky?: open both answers: no tab stop | flaky: quiet
Skippedskipped?skipped: quiet | Skipped: “Skipped” | <debug-step-over> | skipped?: open both answers: no tab stop | skipped: quiet
tr: quiet | Canceled: “Canceled” | <circle-slash> | canceled?: open both answers: no tab stop | canceled: quiet
Passedpassed?passed: quiet | Passed: “Passed” | <pass> | passed?: open both answers: no tab stop | passed: quiet
Askingasking?asking: quiet | Asking: “Asking” | <loading>: spins | asking?: open both answers: no tab stop | asking: quiet
Same: “Same” | <pass> | one?: open both answers: no tab stop | one: quiet | 3 rows. Open chat as main: “3 rows”, no tab stop, quiet | <pass> | Failed. Open chat as dev/new_rows: “No such view”, no tab stop, quiet | <error>
Changed rows: “Changed rows” | <diff-modified> | two?: open both answers: no tab stop | two: quiet | Accept the answer on dev/new_rows as expected: titled | <check> | 3 rows. Open chat as main: “3 rows”, no tab stop, quiet | <pass> | Failed. Open chat as dev/new_rows: “No such view”, no tab stop, quiet | <error>
Changed numbers: “Changed numbers” | <diff-modified> | three?: open both answers: no tab stop | three: quiet | 3 rows. Open chat as main: “3 rows”, no tab stop, quiet | <pass> | Failed. Open chat as dev/new_rows: “No such view”, no tab stop, quiet | <error>
tr: quiet | Waiting: “Waiting” | <circle-outline> | four?: open both answers: no tab stop | four: quiet | <loading>: spins | <circle-outline>
tr: quiet | Error: “Error” | <error> | five?: open both answers: no tab stop | five: quiet | <circle-slash> | <circle-slash>`,
  ],
  [
    'a finished list',
    [runs({ rows: many.slice(-5), canAskAgain: true })],
    `main
  heading "Title" level=1, button "Export", button "Ask again", paragraph (Summary)
  group "Filter by state"
    button "All 5" pressed, button "Changed 2", button "Error 1", button "Same 1", button "Waiting 1"
  region "Questions"
    table "Questions"
      rowgroup [row ^State | ^Question | ^What changed | ^main | ^dev/new_rows]
      rowgroup
        row Changed rows | #[button "two?: open both answers" (two?), "two"] | ["1 of 2 rows changed", button "Accept the answer on dev/new_rows as expected"] | [link "3 rows. Open chat as main" (3 rows)] | [link "Failed. Open chat as dev/new_rows" (Failed)]
        row Changed numbers | #[button "three?: open both answers" (three?), "three"] |  | [link "3 rows. Open chat as main" (3 rows)] | [link "Failed. Open chat as dev/new_rows" (Failed)]
        row Error | #[button "five?: open both answers" disabled (five?), "five"] | Timeout | Canceled | Canceled
        row Same | #[button "one?: open both answers" (one?), "one"] |  | [link "3 rows. Open chat as main" (3 rows)] | [link "Failed. Open chat as dev/new_rows" (Failed)]
        row Waiting | #[button "four?: open both answers" disabled (four?), "four"] |  | Asking | Waiting
  status (Summary)

main: no tab stop | Questions: tab stop | Summary: live=polite
Changed 2: link | 2: quiet | Error 1: link | 1: quiet | Same 1: link | 1: quiet | Waiting 1: link | 1: quiet
State: quiet | Question: quiet | What changed: quiet | main: quiet | dev/new_rows: quiet
Changed rows: “Changed rows” | <diff-modified> | two?: open both answers: no tab stop | two: quiet | Accept the answer on dev/new_rows as expected: titled | <check> | 3 rows. Open chat as main: “3 rows”, no tab stop, quiet | <pass> | Failed. Open chat as dev/new_rows: “No such view”, no tab stop, quiet | <error>
Changed numbers: “Changed numbers” | <diff-modified> | three?: open both answers: no tab stop | three: quiet | 3 rows. Open chat as main: “3 rows”, no tab stop, quiet | <pass> | Failed. Open chat as dev/new_rows: “No such view”, no tab stop, quiet | <error>
tr: quiet | Error: “Error” | <error> | five?: open both answers: no tab stop | five: quiet | <circle-slash> | <circle-slash>
Same: “Same” | <pass> | one?: open both answers: tab stop | one: quiet | 3 rows. Open chat as main: “3 rows”, no tab stop, quiet | <pass> | Failed. Open chat as dev/new_rows: “No such view”, no tab stop, quiet | <error>
tr: quiet | Waiting: “Waiting” | <circle-outline> | four?: open both answers: no tab stop | four: quiet | <loading>: spins | <circle-outline>`,
  ],
  [
    'two sides, of which one has no answer yet',
    [runs({ ...pair, isRunning: true, canAskAgain: true }), side(0, thread('a'))],
    `main
  heading "Title" level=1, progressbar "Questions compared", "1 of 1 question compared"
  paragraph [strong (Changed rows), "It differs"]
  region "Left: main as ann"
    heading "main · ann" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)]
  region "Right: dev/new_rows as ann" [heading "dev/new_rows · ann" level=2, button "Continue in the chat"]
  status (Summary)

main: no tab stop | Questions compared: 1 of 1 | Summary: live=polite
<diff-modified>
<git-branch> | Continue in the chat: titled | <comment-discussion>
main · ann: “Asked on branch main as ann” | · ann: quiet
Assistant: busy=false
The agent returned no answer.: quiet
<git-branch> | Continue in the chat: titled | <comment-discussion>
dev/new_rows · ann: “Asked on branch dev/new_rows as ann” | · ann: quiet`,
  ],
  [
    'two sides, of which one is answering',
    [runs(pair), side(0, thread('a')), side(1, thread('b', { status: 'streaming', messageId: 'b1' }))],
    `main
  heading "Title" level=1, paragraph [strong (Changed rows), "It differs"]
  region "Left: main as ann"
    heading "main · ann" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)]
  region "Right: dev/new_rows as ann"
    heading "dev/new_rows · ann" level=2, button "Stop", button "Continue in the chat"
    article "Assistant" [paragraph (Working…)]
  status (Summary)

main: no tab stop | Summary: live=polite
<diff-modified>
<git-branch> | Continue in the chat: titled | <comment-discussion>
main · ann: “Asked on branch main as ann” | · ann: quiet
Assistant: busy=false
The agent returned no answer.: quiet
<git-branch> | Stop: titled | <debug-stop> | Continue in the chat: titled | <comment-discussion>
dev/new_rows · ann: “Asked on branch dev/new_rows as ann” | · ann: quiet
Assistant: busy=true
Working…: quiet | span: quiet`,
  ],
  [
    'two sides with differences',
    [runs({ ...pair, comparison }), side(0, thread('a')), side(1, thread('b'))],
    `main
  heading "Title" level=1, button "Export comparison", paragraph (Summary)
  paragraph [strong (Changed rows), "It differs"]
  region "Left: main as ann"
    heading "main · ann" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)]
  region "Right: dev/new_rows as ann"
    heading "dev/new_rows · ann" level=2, button "Continue in the chat"
    article "Assistant" [paragraph (The agent returned no answer.)]
  heading "Definitions that differ" level=2
  region "Definitions that differ"
    table "Definitions that differ"
      rowgroup [row ^Member | ^main | ^dev/new_rows]
      rowgroup
        row #[code (orders.sum)] | [strong (Sum), "sum", paragraph (What Sum is)] | [strong (Net), "number", paragraph (What Net is)]
        row #[code (orders.new)] | [strong, paragraph] | [strong (New), "number", paragraph (What New is)]
  region "First"
    heading "First" level=2
    region "SQL difference" ["SELECT", deletion (Only in main: a), insertion (Only in dev/new_rows: b)]
    "2 changed · 1 added · 1 removed · 1 the same", button "Only differences"
    paragraph (Amounts are compared at 1 significant digit.)
    paragraph (Only the rows included in the answers are compared.)
    region "Results compared"
      table "Results compared"
        rowgroup
          row ^Difference | ^region | ^kind | ^sum | ^letter
          row ^main | ^dev/new_rows | ^Change | ^Change in % | ^main | ^dev/new_rows
        rowgroup
          row Same | #East | #a | 1 | 1 |  |  | x | x
          row Changed | #West | #NULL | 1 | 2 | +1 | +100% | NULL | 
          row Changed | #South | # | 2 | 1 | -1 | -50% | y | y
          row Added | #North | #b |  | 7 |  |  |  | z (must not be seen)
    paragraph (1 more row is in the export.)
  region "Query"
    heading "Query" level=2, paragraph (The SQL is the same on both sides.)
    "2 changed · 1 added · 1 removed · 1 the same", button "Only differences"
    paragraph (Amounts are compared at 1 significant digit.)
    region "Results compared"
      table "Results compared"
        rowgroup
          row ^Difference | ^region | ^kind | ^sum | ^letter
          row ^main | ^dev/new_rows | ^Change | ^Change in % | ^main | ^dev/new_rows
        rowgroup [row Same | #East | #a | 1 | 1 |  |  | x | x]
    paragraph (4 more rows are in the export.)
  status (Summary)

main: no tab stop | Summary: live=polite
<diff-modified>
<git-branch> | Continue in the chat: titled | <comment-discussion>
main · ann: “Asked on branch main as ann” | · ann: quiet
Assistant: busy=false
The agent returned no answer.: quiet
<git-branch> | Continue in the chat: titled | <comment-discussion>
dev/new_rows · ann: “Asked on branch dev/new_rows as ann” | · ann: quiet
Assistant: busy=false
The agent returned no answer.: quiet
Definitions that differ: tab stop
Member: quiet | main: quiet | dev/new_rows: quiet
Sum sumWhat Sum is: removed | Net numberWhat Net is: added
New numberWhat New is: added
− main+ dev/new_rows: quiet | −: removed | +: added
SQL difference: tab stop | −Only in main: a: removed | b: added | div: quiet | Only differences: link | Results compared: tab stop
Amounts are compared at 1 significant digit.: quiet
Only the rows included in the answers are compared.: quiet
Difference: 2×1, quiet | region: 2×1, quiet | kind: 2×1, quiet | sum: 1×4 | letter: 1×2
main: end, quiet | dev/new_rows: end, quiet | Change: end, quiet | Change in %: end, quiet | main: quiet | dev/new_rows: quiet
SameEasta11xx: quiet | 1: end | 1: end | td: end | td: end
Changed: quiet | <diff-modified> | NULL: quiet | 1: end, removed | 2: end, added | +1: end | +100%: end | NULL: removed | NULL: quiet | td: added
Changed: quiet | <diff-modified> | 2: end, removed | 1: end, added | -1: end | -50%: end
tr: added | Added: quiet | <diff-added> | td: end | 7: end | td: end | td: end | z (must not be seen): “must not be seen”, removed | <error>
1 more row is in the export.: quiet
The SQL is the same on both sides.: quiet
div: quiet | Only differences: link | Results compared: tab stop
Amounts are compared at 1 significant digit.: quiet
Difference: 2×1, quiet | region: 2×1, quiet | kind: 2×1, quiet | sum: 1×4 | letter: 1×2
main: end, quiet | dev/new_rows: end, quiet | Change: end, quiet | Change in %: end, quiet | main: quiet | dev/new_rows: quiet
SameEasta11xx: quiet | 1: end | 1: end | td: end | td: end
4 more rows are in the export.: quiet`,
  ],
];

describe('The page of a run', () => {
  const setup = useHostedPage('runs');
  const shown = async (): Promise<string> => {
    const page = setup.page.locator('main');
    return `${await outline(page)}\n\n${await looks(page)}`;
  };

  for (const [name, messages, expected] of states)
    it(`shows ${name}, and nothing of what it showed before`, async () => {
      // A page keeps the threads of its sides.
      if (messages.length > 1) await setup.reload();
      await setup.post(...messages);
      assert.equal(await shown(), expected);
    });

  const button = (name: string | RegExp) => setup.page.getByRole('button', { name });
  const cells = () => setup.page.getByRole('table', { name: 'Questions' }).locator('tbody tr');
  /** What each action posts; nothing else. */
  const posts = async (
    actions: readonly (readonly [act: () => Promise<unknown>, expected: unknown[]])[],
  ): Promise<void> => {
    await setup.posted();
    for (const [act, expected] of actions) {
      await act();
      assert.deepEqual(await setup.posted(), expected, String(act));
    }
  };

  it('asks the host for what its buttons, its rows and their cells say, and for nothing else', async () => {
    await setup.reload();
    await setup.post(runs({ rows: many.slice(-5), canAskAgain: true }));
    const page = () => setup.page;
    const press = (key: string) => () => page().keyboard.press(key);
    await posts([
      [() => button('Export').click(), [{ type: 'export' }]],
      [() => button('Ask again').click(), [{ type: 'askAgain' }]],
      // Sorted by state: the row that was the second is the first.
      [() => cells().nth(0).getByText('two', { exact: true }).click(), [{ type: 'openRow', row: 1 }]],
      [() => button(/^three/).press('Enter'), [{ type: 'openRow', row: 2 }]],
      [() => cells().nth(2).getByText('five', { exact: true }).click(), []],
      [
        () =>
          page()
            .getByRole('link', { name: /as main/ })
            .first()
            .click(),
        [{ type: 'openCell', row: 1, context: 0 }],
      ],
      [
        () =>
          page()
            .getByRole('link', { name: /as dev/ })
            .last()
            .press('Enter'),
        [{ type: 'openCell', row: 0, context: 1 }],
      ],
      [() => button(/^Accept/).click(), [{ type: 'accept', row: 1 }]],
      [() => button('Changed 2').click(), []],
      [press('Tab'), []],
      // Without the row before them.
      [() => button(/^three/).click(), [{ type: 'openRow', row: 2 }]],
      [
        () =>
          page()
            .getByRole('link', { name: /as dev/ })
            .last()
            .click(),
        [{ type: 'openCell', row: 2, context: 1 }],
      ],
      [() => button(/^Accept/).click(), [{ type: 'accept', row: 1 }]],
    ]);
    await setup.post(runs({ isRunning: true, contexts: three, rows: [row('one', 'asking', { canOpen: true })] }));
    await posts([
      [() => button('Cancel').click(), [{ type: 'cancel' }]],
      [() => button('Show answers side by side').click(), [{ type: 'openRow', row: 0 }]],
      [() => button(/Open chat as ann/).click(), [{ type: 'openCell', row: 0, context: 0 }]],
    ]);
  });

  it('has one tab stop in its list, from which the arrow keys move to rows, cells and actions', async () => {
    await setup.reload();
    await setup.post(runs({ rows: many.slice(-5) }));
    const focused = () =>
      setup.page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      );
    await button(/^two/).focus();
    const found: (string | null | undefined)[] = [];
    for (const key of 'ArrowUp ArrowLeft ArrowRight ArrowRight ArrowRight ArrowRight ArrowLeft ArrowDown ArrowRight End ArrowDown ArrowUp Home End x'.split(
      ' ',
    )) {
      await setup.page.keyboard.press(key);
      found.push((await focused())?.replace(/[?.:].*/, ''));
    }
    assert.equal(
      found.join(),
      'two,two,Accept the answer on dev/new_rows as expected,3 rows,Failed,Failed,3 rows,three,3 rows,four,four,one,two,four,four',
    );
    // It is where the focus was last, also among the rows of one state, and in the first row otherwise.
    const stops = () => cells().locator('.answer-question[tabindex="0"]').allTextContents();
    assert.deepEqual(await stops(), ['four?']);
    await button('Changed 2').click();
    await becomes(stops, ['two?']);
    await button('All 5').click();
    await becomes(stops, ['four?']);
    const isHandled = (key: string): Promise<boolean> =>
      button(/^two/).evaluate(
        (target, pressed) =>
          !target.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true })),
        key,
      );
    for (const [key, handled] of [
      ['ArrowDown', true],
      ['ArrowUp', false],
      ['ArrowLeft', false],
      ['Home', true],
    ] as const)
      assert.equal(await isHandled(key), handled, key);
  });

  /** For each occurrence of a text, whether its last character is at its left end. */
  const marksOf = (main: Element, text: string): boolean[] => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const found: boolean[] = [];
    while (texts.nextNode()) {
      const at = texts.currentNode.textContent!.indexOf(text);
      if (at < 0) continue;
      const [first = 0, last = 0] = [0, text.length - 1].map((offset) => {
        const range = document.createRange();
        range.setStart(texts.currentNode, at + offset);
        range.setEnd(texts.currentNode, at + offset + 1);
        return range.getBoundingClientRect().left;
      });
      found.push(last < first);
    }
    return found;
  };

  it('shows values and questions from right to left in their own direction', async () => {
    await setup.reload();
    const hebrew = 'שלום עולם!';
    const query = { title: '', sql: [], results: { ...results, rows: [{ ...results.rows[0]!, key: [hebrew, 'a'] }] } };
    const inTables = async (page: Partial<RunPage>, count: number): Promise<void> => {
      await setup.post(runs(page));
      const marks = await setup.page.locator('main').evaluate(marksOf, hebrew);
      assert.deepEqual(marks, Array<boolean>(count).fill(true));
    };
    await inTables({ rows: [row(hebrew, 'same'), row('b', 'same')] }, 2);
    await inTables({ contexts: three, rows: [row('a', 'changed')], comparison: { ...nothing, queries: [query] } }, 1);
  });

  it('is restored with its filter, and shows all rows once none has that state', async () => {
    await setup.reload();
    const page = { rows: many.slice(-5), comparison: nothing };
    await setup.post(runs({ ...page, isRunning: true }));
    await button('Changed 2').click();
    await setup.post({ type: 'page', change: { isRunning: false } });
    assert.deepEqual(await setup.saved(), { remember: 'me', filter: 'changed', ...page });
    await setup.reload(await setup.saved());
    await setup.post(runs(page));
    const names = () => cells().locator('.answer-name').allTextContents();
    assert.deepEqual(await names(), ['two', 'three']);
    await setup.post(
      { type: 'row', index: 1, row: row('two', 'same') },
      { type: 'row', index: 2, row: row('three', 'same') },
    );
    assert.deepEqual(await names(), ['five', 'one', 'two', 'three', 'four']);
    await setup.post(runs({ ...pair }));
    assert.deepEqual(await setup.saved(), { remember: 'me' });
  });

  it('asks for the threads of its sides, says which it has drawn, and passes on what is done in one of them', async () => {
    await setup.reload();
    const of = (context: number, message: object) => ({ type: 'side', context, message });
    await posts([
      [() => setup.post(runs(pair)), [of(0, { type: 'ready' }), of(1, { type: 'ready' })]],
      [() => setup.post(side(0, thread('a'))), [of(0, { type: 'drawn', seq: 1 })]],
      [
        () => setup.post(side(1, thread('b', { status: 'streaming', messageId: 'b1' }))),
        [of(1, { type: 'drawn', seq: 1 })],
      ],
      [() => button('Stop').click(), [of(1, { type: 'stop' })]],
      [() => button('Continue in the chat').last().click(), [{ type: 'openCell', row: 0, context: 1 }]],
      [() => setup.post(of(1, { type: 'events', seq: 5, events: [] })), [of(1, { type: 'needSnapshot' })]],
      [() => setup.post({ type: 'page', change: { title: 'Other' } }), []],
      [() => setup.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))), [{ type: 'ready' }]],
      [() => setup.post(runs(pair)), [of(0, { type: 'ready' }), of(1, { type: 'ready' })]],
      [() => setup.post({ type: 'other' }, { type: 'row', index: 0 }), []],
    ]);
  });

  it('shows only the rows that differ, while the button says so', async () => {
    await setup.reload();
    await setup.post(runs({ ...pair, comparison }), side(0, thread('a')), side(1, thread('b')));
    const only = button('Only differences').first();
    const keys = () =>
      setup.page
        .getByRole('table', { name: 'Results compared' })
        .first()
        .locator('tbody th:first-of-type')
        .allTextContents();
    const seen: unknown[] = [];
    for (let times = 0; times < 3; times += 1) {
      seen.push([await only.getAttribute('aria-pressed'), (await keys()).join()]);
      await only.click();
    }
    const all = 'East,West,South,North';
    assert.deepEqual(seen, [
      ['false', all],
      ['true', 'West,South,North'],
      ['false', all],
    ]);
    const same = { ...results, counts: { same: 2, changed: 0, added: 0, removed: 0 }, rows: results.rows.slice(0, 1) };
    const changed = { ...same, counts: { ...same.counts, same: 0, changed: 1 } };
    await setup.post({
      type: 'page',
      change: {
        comparison: { ...nothing, queries: [same, changed].map((one) => ({ title: '', sql: [], results: one })) },
      },
    });
    assert.equal(await button('Only differences').count(), 0, 'nothing to leave out');
    assert.deepEqual(await setup.page.locator('.compared .legend').allTextContents(), [
      'No differences. Rows compared: 2',
      '1 changed',
    ]);
  });

  it('folds the steps of an answer when it ends', async () => {
    await setup.reload();
    const thought = makeItem('b2', { thinking: 'Hm.', inProcess: true });
    const turns = [makeTurn({ id: 'b1' }, [thought])];
    const ended = [{ ...turns[0]!, items: [{ ...thought, inProcess: false }], outcome: { state: 'done' } as const }];
    await setup.post(runs(pair), side(1, thread('b', { turns, status: 'streaming', messageId: 'b1' })));
    await setup.page.getByText('Hm.').waitFor();
    await setup.post(side(1, thread('b', { turns: ended })));
    assert.equal(await button(/^Steps/).getAttribute('aria-expanded'), 'false');
  });

  it('announces what the sides have come to: an answer, a failure, or the rows that differ', async () => {
    await setup.reload();
    const waiting = { ...pair, summary: 'Done', rows: [row('one', 'waiting', { cells: twice })] };
    const counted = (changed: number) => ({
      ...{ title: '', sql: [] },
      results: { ...results, counts: { same: 1, changed, added: 1, removed: 1 } },
    });
    const said = () => setup.page.getByRole('status').textContent();
    const told: unknown[] = [];
    for (const messages of [
      [runs({ ...waiting, isRunning: true, summary: '' })],
      [runs(waiting), side(0, thread('a')), side(1, thread('b', { status: 'streaming', messageId: 'b1' }))],
      [side(1, thread('b', { status: 'error', error: { kind: 'x', message: 'No answer.', actions: [] } }))],
      [
        side(1, thread('b')),
        {
          type: 'page',
          change: { comparison: { ...comparison, queries: [counted(1), counted(0), { title: '', sql: [] }] } },
        },
      ],
      [runs({ ...pair, summary: 'Done' })],
      [runs({ rows: many, isRunning: true, summary: '' })],
      [runs({ rows: many.slice(0, 1), isRunning: true, summary: '' })],
    ] as ToRuns[][]) {
      await setup.post(...messages);
      told.push(await said());
    }
    assert.deepEqual(told, [
      'Answer started',
      'Answer started',
      'An answer failed',
      'Both answers finished: 1 row changed, 2 added, 2 removed',
      'Done',
      'Asking the questions',
      'Answer started',
    ]);
  });
});
