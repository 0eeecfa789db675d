/** What each state of the chat tells people, right away and after the page is loaded again. */
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { ViewContext } from '../../../src/shared/protocol/chat.ts';
import type { ErrorAction, StopOutcome, ThreadEvent } from '../../../src/shared/thread/model.ts';
import type { StreamLine } from '../../../src/shared/wire/streamLines.ts';
import type { Chat } from '../../support/chat.ts';
import { PIXEL } from '../../support/samples.ts';
import { becomes } from '../../support/until.ts';
import { useChatPage } from '../support/chatPage.ts';
import { seen } from '../support/seen.ts';

const TIME = Date.UTC(2024, 1, 29, 10, 30);
const DEV = { branch: '', isDefaultBranch: true, identity: 'dev' };
const EUROPE = { branch: 'net', isDefaultBranch: false, identity: 'europe' };
const images = [{ name: 'a.png' }, {}].map((named) => ({ ...named, mimeType: 'image/png', data: PIXEL }));

const sent = (id: string, text: string, context = DEV, attached: typeof images = []): ThreadEvent => ({
  ...{ type: 'sent', id, text, context, images: attached, time: TIME },
});
const line = (line: object, seconds = 0): ThreadEvent => ({
  ...{ type: 'line', line: line as StreamLine, time: TIME + seconds * 1000 },
});
const MESSAGE = { kind: 'message', role: 'assistant', graphPath: [], isDelta: false, isInProcess: false };
const think = (id: string, thinking: string, seconds: number): ThreadEvent =>
  line({ ...MESSAGE, id, thinking }, seconds);
const tool = (id: string, name: string, input: object, result?: object): ThreadEvent => {
  const toolCall = { name, input, ...(result && { result: { ...input, ...result } }) };
  return line({ ...MESSAGE, kind: 'toolCall', id, toolCall, isInProcess: !result });
};
const answer = (id: string, content: string): ThreadEvent => line({ ...MESSAGE, id, content, graphPath: ['final'] });
const done: ThreadEvent = { type: 'finished' };
const failed = (message: string, ...actions: ErrorAction[]): ThreadEvent => ({
  ...{ type: 'failed', error: { kind: 'network', message, actions } },
});
const stopped = (messageId: string, service: StopOutcome): ThreadEvent => ({ type: 'stopped', messageId, service });

const ACTIONS: ErrorAction[] = [
  ...(['resume', 'newChat', 'askInNewChat', 'addConnection', 'setApiKey', 'attach', 'stopAndSend'] as const),
  ...(['openProxySettings', 'openSettings', 'showLog', 'switchIdentity'] as const),
];
const TYPES = ['number', 'String', 'time', 'boolean', 'geo'];
const member = (name: string, at: number): object => ({
  ...{ name: `${name}.m${at}`, title: at === 1 ? '' : `Member ${at}`, description: at === 0 ? 'The first' : '' },
  ...{ type: TYPES[at % 5], ...(at === 5 ? { aggType: 'sum' } : {}) },
});
const cube = (name: string, title: string, count: number): object => ({
  ...{ name, type: 'view', title, members: Array.from({ length: count }, (_, at) => member(name, at)) },
});
const steps: ThreadEvent[] = [
  sent('q1', 'About orders.yml:\n```yaml\ncubes: []\n```\n\nhow many?', DEV, images),
  think('m1', 'Let me **think**.', 1),
  tool('s1', 'svcMeta', { searchQuery: 'sales' }, { cubes: [cube('orders', 'Orders', 6), cube('returns', '', 1)] }),
  line({ ...MESSAGE, id: 'm2', content: 'I look *further*.' }, 2),
  tool('s2', 'svcMeta', { searchQuery: 'nothing' }, { cubes: [] }),
  tool('s3', 'svcMeta', { searchQuery: 'broken' }, { error: 'no model' }),
  think('m3', 'And again.', 4),
];
const n = { schema: [{ name: 'n', column_type: 'number' }] };
const queries: ThreadEvent[] = [
  tool(
    't1',
    'svcSqlApi',
    { sqlQuery: 'SELECT m5', queryTitle: 'Part', description: 'All' },
    { ...n, data: [[1], [2]], totalRows: 9 },
  ),
  tool('t2', 'svcSqlApi', { sqlQuery: 'SELECT 2', queryTitle: 'Broken' }, { error: 'no such column' }),
  tool('t3', 'svcSqlApi', { sqlQuery: 'SELECT 3', description: 'Described' }, { ...n, data: [] }),
  tool('t4', 'svcSqlApi', { sqlQuery: 'SELECT 4' }, { schema: [], data: [[], []] }),
  tool('t5', 'run_sql', { sqlQuery: 'SELECT 5', queryTitle: 'Warehouse' }, { ...n, data: [[5]] }),
  tool(
    't6',
    'svcSqlApiWithChart',
    { sqlQuery: "SELECT date_trunc('day', d), m5", queryTitle: 'Drawn' },
    { ...n, data: [[6]], vegaSpec: { mark: 'point', encoding: { x: { field: 'n', type: 'quantitative' } } } },
  ),
  tool('u1', 'send_mail', { to: 'ana' }, { sent: true }),
  tool('u2', 'send_fax', { to: 'bob' }, { error: 'no line' }),
];
const TABLES = 'One.\n\n| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| =2 |';
const finished = [
  ...[...steps, ...queries, answer('a1', TABLES)],
  ...[line({ kind: 'usage', usage: { inputTokens: 1000, outputTokens: 2 } }), done],
];

interface State {
  events?: ThreadEvent[];
  context?: Partial<ViewContext>;
  /** What the reader does then, also after the page is loaded again. */
  act?: (page: Page, chat: Chat) => Promise<unknown>;
  part: string;
  expected: string;
}

const write =
  (text: string) =>
  (_: Page, chat: Chat): Promise<void> =>
    chat.field.fill(text);
const open =
  (role: 'button' | 'article', name: string | RegExp, button: 'left' | 'right' = 'left') =>
  (_: Page, chat: Chat): Promise<void> =>
    chat.view.getByRole(role, { name }).last().click({ button });
const compose = (page: Page): Promise<void> =>
  page.evaluate((draft) => window.postMessage({ type: 'compose', draft }, window.origin), {
    ...{ text: 'why?', images },
    attachments: ['file', 'selection', 'problem', 'sql'].map((kind, at) => ({
      kind,
      name: `${kind}.sql`,
      text: `${kind} é`.repeat(99 * at + 1),
      cut: at === 1,
    })),
  });

const states: Record<string, State> = {
  'an empty chat': {
    ...{ context: { connection: 'Shop', examples: ['one example', 'another example'] }, part: 'main' },
    expected: `
      - main:
        - heading "Analytics Chat" [level=1]
        - log "Conversation":
          - paragraph: Ask about your data. Answers come with their SQL, ready for your files.
          - list:
            - listitem:
              - button "one example"
            - listitem:
              - button "another example"
          - button "Open a sample conversation"
        - 'button "Connection: Shop"': Shop
        - 'button "Branch: main"': main
        - 'button "Identity: dev"': dev
        - button "New chat"
        - textbox "Message":
          - /placeholder: Ask about your data…
        - button "Attach image or context"
        - button "Send" [disabled]
      looks: comment-discussion plug chevron-down git-branch chevron-down account chevron-down add attach
        Send (Enter) send
        quiet: Shop | main | dev
        link: Open a sample conversation`,
  },
  'an empty chat without a connection': {
    ...{ context: { connected: false }, part: '.log' },
    expected: `
      - log "Conversation":
        - paragraph: Connect to your analytics agent to ask about your data.
        - button "Connect"
        - button "Open a sample conversation"
      looks: comment-discussion
        link: Open a sample conversation`,
  },
  'a question that is not answered yet': {
    ...{ events: [sent('q1', 'one')], part: '.log' },
    expected: `
      - log "Conversation":
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - text: one
        - paragraph:
          - text: main · dev
          - time: Feb 29, 2024, 10:30 AM
        - article "Assistant":
          - paragraph: Working…
      looks: edit refresh git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM
        quiet: main·dev | Feb 29, 2024, 10:30 AM | Working…`,
  },
  'queued messages': {
    events: [
      sent('q1', 'one'),
      { type: 'queued', message: { id: 'k1', text: 'then this', images: [] } },
      { type: 'queued', message: { id: 'k2', text: '', images } },
    ],
    part: '.composer',
    expected: `
      - list "Queued messages":
        - listitem:
          - text: then this
          - button "Edit queued message"
          - button "Remove queued message"
        - listitem:
          - img "a.png"
          - img "Attached image"
          - button "Edit queued message"
          - button "Remove queued message"
      - 'button "Branch: main"': main
      - 'button "Identity: dev"': dev
      - button "New chat"
      - textbox "Message":
        - /placeholder: Ask about your data…
      - button "Attach image or context"
      - button "Stop"
      looks:
        then this edit close
        a.png
        Attached image edit close git-branch chevron-down account chevron-down add attach debug-stop
        quiet: then this | main | dev`,
  },
  'messages that stay queued': {
    events: [
      sent('q1', 'one'),
      { type: 'queued', message: { id: 'k1', text: 'then this', images: [] } },
      { type: 'queued', message: { id: 'k2', text: 'and this', images: [] } },
      stopped('q1', 'pending'),
    ],
    part: '.queue',
    expected: `
      - list "Queued messages":
        - listitem:
          - text: then this
          - button "Send queued message"
          - button "Edit queued message"
          - button "Remove queued message"
        - listitem:
          - text: and this
          - button "Send queued message"
          - button "Edit queued message"
          - button "Remove queued message"
      looks:
        then this send edit close
        and this send edit close
        quiet: then this | and this`,
  },
  'a message with attachments': {
    ...{ act: compose, part: '.composer' },
    expected: `
      - 'button "Branch: main"': main
      - 'button "Identity: dev"': dev
      - button "New chat"
      - list "Attached images":
        - listitem:
          - img "a.png"
          - button "Remove image"
        - listitem:
          - img "Attached image"
          - button "Remove image"
      - list "Attachments":
        - listitem "file é":
          - text: file.sql 0.1 kB
          - button "Remove file.sql"
        - listitem "selection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselect":
          - text: selection.sql first 1.2 kB
          - button "Remove selection.sql"
        - listitem "problem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproble":
          - text: problem.sql 2 kB
          - button "Remove problem.sql"
        - listitem "sql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql é":
          - text: sql.sql 1.8 kB
          - button "Remove sql.sql"
      - textbox "Message":
        - /placeholder: Ask about your data…
        - text: why?
      - button "Attach image or context"
      - button "Send"
      looks: git-branch chevron-down account chevron-down add
        a.png close
        Attached image close
        file é file close
        selection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselection éselect list-selection close
        problem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproblem éproble warning close
        sql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql ésql é database close attach
        Send (Enter) send
        quiet: main | dev | 0.1 kB | first 1.2 kB | 2 kB | 1.8 kB`,
  },
  'a question that is edited': {
    ...{
      events: [sent('q1', steps[0]?.type === 'sent' ? steps[0].text : '', DEV, images), done],
      act: open('button', 'Edit question'),
      part: '.box',
    },
    expected: `
      - paragraph:
        - text: Editing an earlier question. It will be asked as a new one.
        - button "Cancel editing"
      - list "Attached images":
        - listitem:
          - img "a.png"
          - button "Remove image"
        - listitem:
          - img "Attached image"
          - button "Remove image"
      - list "Attachments":
        - 'listitem "About orders.yml: \`\`\`yaml cubes: [] \`\`\`"':
          - text: "About orders.yml: 0.1 kB"
          - button "Remove About orders.yml:"
      - textbox "Message":
        - /placeholder: Ask about your data…
        - text: how many?
      - button "Attach image or context"
      - button "Send"
      looks: edit close
        a.png close
        Attached image close
        About orders.yml: / \`\`\`yaml / cubes: [] / \`\`\` /  file close attach
        Send (Enter) send
        quiet: Editing an earlier question. It will be asked as a new one. | 0.1 kB`,
  },
  'commands to choose from': {
    ...{ act: write('/'), part: '.box' },
    expected: `
      - listbox "Commands":
        - option "/new Start a new chat" [selected]
        - option "/branch Switch the branch"
        - option "/identity Switch the identity"
        - option "/compare Compare the answers on two branches"
        - option "/sql Select SQL to insert"
        - option "/export Export this chat"
        - option "/help Show commands and keyboard shortcuts"
      - textbox "Message":
        - /placeholder: Ask about your data…
        - text: /
      - button "Attach image or context"
      - button "Send"
      looks: attach
        Send (Enter) send
        quiet: Switch the branch | Switch the identity | Compare the answers on two branches | Select SQL to insert | Export this chat | Show commands and keyboard shortcuts`,
  },
  'one command that fits': {
    ...{ act: write('/SQ'), part: '.suggestions' },
    expected: `
      - listbox "Commands":
        - option "/sql Select SQL to insert" [selected]
      looks:`,
  },
  'an answer that is being written': {
    events: [
      ...[...steps, tool('s4', 'svcMeta', { searchQuery: 'more' }), tool('u3', 'send_sms', { to: 'ann' })],
      tool('t9', 'svcSqlApi', { sqlQuery: 'SELECT 1', queryTitle: 'Running' }),
      line({ ...MESSAGE, id: 'f1', content: 'It is **one', graphPath: ['final'], isDelta: true, isInProcess: true }),
    ],
    part: '.answer',
    expected: `
      - article "Assistant":
        - group "Thinking"
        - 'group "Model search: sales"':
          - group: "Model search: sales 7 members"
        - paragraph:
          - text: I look
          - emphasis: further
          - text: .
        - 'group "Model search: nothing"':
          - paragraph: "Model search: nothing"
          - paragraph: No matching members.
        - 'group "Model search: broken"':
          - paragraph: "Model search: broken"
          - paragraph: "The search failed: no model"
        - group "Thinking"
        - 'group "Model search: more"':
          - paragraph: "Model search: more"
        - 'group "Tool: send_sms"':
          - text: send_sms
          - group: Input
        - 'group "SQL query: Running"':
          - text: Running Running…
          - button "SQL"
          - button "Insert SQL": Insert
          - button "Copy SQL": Copy
          - button "Open SQL": Open
        - paragraph:
          - text: It is
          - strong: one
      looks: search search warning loading~modifier-spin tools loading~modifier-spin
        Running
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right
        quiet: Thinking | 7 members | No matching members. | Thinking | Running… | SQL
        link: Insert | Copy | Open`,
  },
  'an answer that begins with a tool': {
    ...{ events: [sent('q1', 'one'), tool('u1', 'send_mail', {})], part: '.answer' },
    expected: `
      - article "Assistant":
        - 'group "Tool: send_mail"':
          - text: send_mail
          - group: Input
        - paragraph: Working…
      looks: tools
        quiet: Working…`,
  },
  'steps that are shown while they run': {
    events: [
      ...[
        sent('q1', 'one'),
        think('m1', 'Hm.', 1),
        tool('s1', 'svcMeta', { searchQuery: 'all' }, { cubes: [cube('returns', '', 1)] }),
      ],
      line({ ...MESSAGE, id: 'm4', thinking: 'So', isInProcess: true }),
    ],
    context: { showThinking: 'expanded' },
    part: '.steps',
    expected: `
      - group "Thinking":
        - text: Thinking
        - paragraph: Hm.
      - 'group "Model search: all"':
        - group:
          - text: "Model search: all 1 member"
          - group:
            - text: returns view
            - list:
              - listitem "The first":
                - text: Member 0
                - code: returns.m0
                - button "Insert returns.m0"
      - group "Thinking":
        - text: Thinking
        - paragraph: So
      looks: search symbol-class
        The first symbol-number insert
        quiet: Thinking | Hm. | 1 member | returns | view | returns.m0 | Thinking | So`,
  },
  'a lost connection': {
    ...{ events: [sent('q1', 'one'), { type: 'reconnecting', attempt: 1 }], part: '.answer' },
    expected: `
      - article "Assistant":
        - paragraph: Reconnecting…
      looks: sync~modifier-spin
        quiet: Reconnecting…`,
  },
  'a pause that has passed': {
    ...{ events: [sent('q1', 'one'), { type: 'reconnecting', attempt: 1, until: TIME }], part: '.answer' },
    expected: `
      - article "Assistant":
        - paragraph: Reconnecting…
      looks: sync~modifier-spin
        quiet: Reconnecting…`,
  },
  'answers in two contexts, the last of them with results': {
    events: [sent('q0', 'earlier', EUROPE), answer('a0', 'Zero.'), done, ...finished],
    context: {
      mainBranch: 'trunk',
      certified: [
        ['t1', 'one.md'],
        ['t5', 'two.md'],
      ],
    },
    part: '.log',
    expected: `
      - log "Conversation":
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - text: earlier
        - paragraph:
          - text: net · europe
          - time: Feb 29, 2024, 10:30 AM
        - article "Assistant":
          - paragraph: Zero.
          - button "Copy answer"
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - group: "About orders.yml:"
          - text: how many?
          - img "a.png"
          - img "Attached image"
        - paragraph:
          - text: net → trunk · europe → dev
          - time: Feb 29, 2024, 10:30 AM
        - article "Assistant":
          - 'button "Steps: thought for 4 s · searched the model (7)"'
          - 'group "SQL query: Part"':
            - text: Part
            - button "Open results"
            - button "Export results"
            - 'grid "Results: Part"':
              - rowgroup:
                - row "Row n":
                  - columnheader "Row": "#"
                  - columnheader "n"
              - rowgroup:
                - row "1 1":
                  - rowheader "1"
                  - gridcell "1" [selected]
                - row "2 2":
                  - rowheader "2"
                  - gridcell "2"
            - text: 2 of 9 rows
            - button "Load all"
            - 'button "Certified: one.md"': Certified
            - button "SQL"
            - button "Insert SQL": Insert
            - button "Copy SQL": Copy
            - button "Open SQL": Open
          - 'group "SQL query: Broken"':
            - text: Broken
            - paragraph: "The query failed: no such column"
            - button "SQL"
            - button "Insert SQL": Insert
            - button "Copy SQL": Copy
            - button "Open SQL": Open
          - 'group "SQL query: Described"':
            - text: Described
            - button "Open results"
            - button "Export results"
            - 'grid "Results: Described"':
              - rowgroup:
                - row "Row n":
                  - columnheader "Row": "#"
                  - columnheader "n"
              - rowgroup
            - paragraph: The query returned no rows.
            - text: 0 rows
            - button "SQL"
            - button "Insert SQL": Insert
            - button "Copy SQL": Copy
            - button "Open SQL": Open
          - 'group "SQL query: Query"':
            - text: Query
            - button "Open results"
            - button "Export results"
            - paragraph: The query returned no columns.
            - text: 2 rows
            - button "SQL"
            - button "Insert SQL": Insert
            - button "Copy SQL": Copy
            - button "Open SQL": Open
          - 'group "SQL query: Warehouse"':
            - text: Warehouse
            - button "Open results"
            - button "Export results"
            - 'grid "Results: Warehouse"':
              - rowgroup:
                - row "Row n":
                  - columnheader "Row": "#"
                  - columnheader "n"
              - rowgroup:
                - row "1 5":
                  - rowheader "1"
                  - gridcell "5" [selected]
            - text: 1 row
            - 'button "Certified: two.md"': Certified
            - button "SQL"
            - button "Insert SQL": Insert
            - button "Copy SQL": Copy
            - button "Open SQL": Open
          - 'group "SQL query: Drawn"':
            - text: Drawn
            - button "Show table"
            - button "Save chart"
            - button "Change chart"
            - button "Open results"
            - button "Export results"
            - 'img "Chart: Drawn. scatter plot of n. 1 row. n: lowest 6, highest 6"'
            - text: 1 row
            - button "SQL"
            - button "Insert SQL": Insert
            - button "Copy SQL": Copy
            - button "Open SQL": Open
          - 'group "Tool: send_mail"':
            - text: send_mail
            - group: Input and result
          - 'group "Tool: send_fax"':
            - text: send_fax
            - paragraph: no line
            - group: Input and result
          - paragraph: One.
          - table:
            - rowgroup:
              - row "a":
                - columnheader "a"
            - rowgroup:
              - row "1":
                - cell "1"
          - table:
            - rowgroup:
              - row "b":
                - columnheader "b"
            - rowgroup:
              - row "=2":
                - cell "=2"
          - button "Copy answer"
          - button "Table actions"
          - button "Add as test…"
          - button "Certify…"
          - button "Correct…"
          - text: 1,002 tokens
          - list "Follow-up questions":
            - listitem:
              - button "member 5 by week"
      looks: edit refresh git-branch
        Asked on branch net as europe
        Thursday, February 29, 2024 at 10:30 AM copy edit refresh
        a.png
        Attached image git-branch
        Asked on branch trunk as dev
        Thursday, February 29, 2024 at 10:30 AM folded chevron-right database
        Part / All link-external desktop-download
        one.md verified-filled
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right warning
        Broken
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right database
        Described link-external desktop-download
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right database
        Query link-external desktop-download
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right database
        Warehouse link-external desktop-download
        two.md verified-filled
        Warehouse SQL: doesn’t run on the data model folded chevron-right database
        Drawn table has menu save folded settings link-external desktop-download
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right tools tools copy has menu table beaker verified request-changes
        Input: 1,000 / Output: 2
        quiet: net·europe | Feb 29, 2024, 10:30 AM | About orders.yml: | Steps: thought for 4 s · searched the model (7) | 2 of 9 rows | SQL | SQL | The query returned no rows. | 0 rows | SQL | The query returned no columns. | 2 rows | SQL | 1 row | SQL | 1 row | SQL | 1,002 tokens
        link: Load all | Certified | Insert | Copy | Open | Insert | Copy | Open | Insert | Copy | Open | Insert | Copy | Open | Certified | Insert | Copy | Open | Insert | Copy | Open`,
  },
  'the steps of an answer': {
    ...{ events: finished, act: open('button', /^Steps/), part: '.steps' },
    expected: `
      - 'button "Steps: thought for 4 s · searched the model (7)" [expanded]'
      - group "Thinking":
        - text: Thinking
        - paragraph:
          - text: Let me
          - strong: think
          - text: .
      - 'group "Model search: sales"':
        - group:
          - text: "Model search: sales 7 members"
          - group:
            - text: Orders view
            - list:
              - listitem "The first":
                - text: Member 0
                - code: orders.m0
                - button "Insert orders.m0"
              - listitem:
                - text: orders.m1
                - code: orders.m1
                - button "Insert orders.m1"
              - listitem:
                - text: Member 2
                - code: orders.m2
                - button "Insert orders.m2"
              - listitem:
                - text: Member 3
                - code: orders.m3
                - button "Insert orders.m3"
              - listitem:
                - text: Member 4
                - code: orders.m4
                - button "Insert orders.m4"
              - listitem:
                - text: Member 5
                - code: orders.m5
                - text: sum
                - button "Insert orders.m5"
          - group:
            - text: returns view
            - list:
              - listitem "The first":
                - text: Member 0
                - code: returns.m0
                - button "Insert returns.m0"
      - paragraph:
        - text: I look
        - emphasis: further
        - text: .
      - 'group "Model search: nothing"':
        - paragraph: "Model search: nothing"
        - paragraph: No matching members.
      - 'group "Model search: broken"':
        - paragraph: "Model search: broken"
        - paragraph: "The search failed: no model"
      - group "Thinking":
        - text: Thinking
        - paragraph: And again.
      looks: chevron-down search symbol-class
        The first symbol-number insert symbol-string insert calendar insert symbol-boolean insert symbol-field insert symbol-operator insert symbol-class
        The first symbol-number insert search warning
        quiet: Steps: thought for 4 s · searched the model (7) | Thinking | Let me. | think | 7 members | Orders | view | orders.m0 | orders.m1 | orders.m2 | orders.m3 | orders.m4 | orders.m5 | sum | returns | view | returns.m0 | No matching members. | Thinking | And again.`,
  },
  'the steps of an answer without its thinking': {
    ...{ events: [...steps, answer('a1', 'One.'), done], context: { showThinking: 'hidden' }, part: '.steps' },
    expected: `
      - 'button "Steps: searched the model (7)"'
      looks: folded chevron-right
        quiet: Steps: searched the model (7)`,
  },
  'what can be done with tables in a text': {
    ...{ events: finished, act: open('button', 'Table actions'), part: '[role=menu]' },
    expected: `
      - menu "Table actions":
        - 'menuitem "Table 1: Copy as TSV"'
        - 'menuitem "Table 1: Copy as CSV"'
        - 'menuitem "Table 1: Open results"'
        - 'menuitem "Table 2: Copy as TSV"'
        - 'menuitem "Table 2: Copy as CSV"'
        - 'menuitem "Table 2: Open results"'
      looks: check check check check check check`,
  },
  'what can be done with a chart': {
    ...{ events: finished, act: open('button', 'Save chart'), part: '[role=menu]' },
    expected: `
      - menu "Save chart":
        - menuitem "PNG"
        - menuitem "PNG on White"
        - menuitem "SVG"
        - menuitem "SVG on White"
      looks: check check check check`,
  },
  'what can be done with a question': {
    ...{ events: [sent('q1', 'one'), done], act: open('article', 'You', 'right'), part: '[role=menu]' },
    expected: `
      - menu "Question":
        - menuitem "Edit question"
        - menuitem "Ask again"
        - menuitem "Copy question"
      looks: check check check`,
  },
  'questions that failed, were stopped or got no answer': {
    events: [
      ...[sent('q1', 'one'), failed('First failed.', 'retry'), sent('q2', 'two'), stopped('q2', 'byService')],
      ...[
        sent('q3', 'three'),
        think('m1', 'Hm.', 0),
        done,
        sent('q4', 'four'),
        failed('Last failed.', 'connect', 'switchBranch'),
      ],
    ],
    part: '.log',
    expected: `
      - log "Conversation":
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - text: one
        - paragraph:
          - text: main · dev
          - time: Feb 29, 2024, 10:30 AM
        - paragraph: First failed.
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - text: two
        - paragraph:
          - text: main · dev
          - time: Feb 29, 2024, 10:30 AM
        - paragraph: The service stopped this answer.
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - text: three
        - paragraph:
          - text: main · dev
          - time: Feb 29, 2024, 10:30 AM
        - article "Assistant":
          - 'button "Steps: thought for 1 s"'
          - paragraph: The agent returned no answer.
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - text: four
        - paragraph:
          - text: main · dev
          - time: Feb 29, 2024, 10:30 AM
        - alert:
          - paragraph: Last failed.
          - button "Connect"
          - button "Switch branch"
      looks: edit refresh git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM error edit refresh git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM edit refresh git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM folded chevron-right edit refresh git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM error
        quiet: main·dev | Feb 29, 2024, 10:30 AM | main·dev | Feb 29, 2024, 10:30 AM | The service stopped this answer. | main·dev | Feb 29, 2024, 10:30 AM | Steps: thought for 1 s | The agent returned no answer. | main·dev | Feb 29, 2024, 10:30 AM`,
  },
  'a chat that could not be read': {
    events: [{ type: 'loading' }, failed('Not read.', ...ACTIONS)],
    part: '.log',
    expected: `
      - log "Conversation":
        - alert:
          - paragraph: Not read.
          - button "Resume"
          - button "Start a new chat"
          - button "Ask in a new chat"
          - button "Add connection"
          - button "Set API key"
          - button "Attach"
          - button "Stop and send"
          - button "Open proxy settings"
          - button "Open settings"
          - button "Show log"
          - button "Switch identity"
      looks: error`,
  },
  'a recording that is played': {
    ...{
      events: [sent('q1', 'one'), tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT 1' })],
      context: { readOnly: true },
      part: 'main',
    },
    expected: `
      - main:
        - heading "Analytics Chat" [level=1]
        - log "Conversation":
          - article "You": one
          - paragraph:
            - text: main · dev
            - time: Feb 29, 2024, 10:30 AM
          - article "Assistant":
            - 'group "SQL query: Query"':
              - text: Query Running…
              - button "SQL"
              - button "Insert SQL": Insert
              - button "Copy SQL": Copy
              - button "Open SQL": Open
            - paragraph: Working…
        - group "Recorded chat":
          - paragraph: This chat is a recording. You can use its results, but you can’t continue it.
          - button "Show the rest"
          - button "New chat"
      looks: git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM loading~modifier-spin
        Query
        Semantic SQL: runs on the data model, not in the warehouse folded chevron-right record
        quiet: main·dev | Feb 29, 2024, 10:30 AM | Running… | SQL | Working… | This chat is a recording. You can use its results, but you can’t continue it.
        link: Insert | Copy | Open`,
  },
  'a recording of a question asked in two contexts': {
    events: [sent('q1', 'one'), answer('a1', '1'), done, sent('q2', 'one', EUROPE), answer('a2', '2'), done],
    ...{ context: { readOnly: true, lifetime: 60, offeredBranch: 'dev' }, part: 'main' },
    expected: `
      - main:
        - heading "Analytics Chat" [level=1]
        - log "Conversation":
          - article "You": one
          - paragraph:
            - text: main · dev
            - time: Feb 29, 2024, 10:30 AM
          - article "Assistant":
            - paragraph: "1"
            - button "Copy answer"
          - article "You": one
          - paragraph:
            - text: main → net · dev → europe
            - time: Feb 29, 2024, 10:30 AM
          - article "Assistant":
            - paragraph: "2"
            - button "Copy answer"
        - group "Recorded chat":
          - paragraph: This chat is a recording. You can use its results, but you can’t continue it.
          - button "Compare answers"
          - button "New chat"
      looks: git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM copy git-branch
        Asked on branch net as europe
        Thursday, February 29, 2024 at 10:30 AM copy record
        quiet: main·dev | Feb 29, 2024, 10:30 AM | This chat is a recording. You can use its results, but you can’t continue it.`,
  },
  'the notice that another identity started the chat': {
    events: [sent('q1', 'one'), answer('a1', '1'), done],
    ...{ context: { identity: 'europe', offeredBranch: 'next', lifetime: 60 }, part: '.notice' },
    expected: `
      - note:
        - text: dev started this chat, so the service may not let europe continue it.
        - button "New chat"
      looks: account
        quiet: dev started this chat, so the service may not let europe continue it.
        link: New chat`,
  },
  'the notice of the branch of Git': {
    ...{ context: { offeredBranch: 'next', branch: 'now', lifetime: 60 }, part: '.notice' },
    expected: `
      - note:
        - text: Git has next checked out, but questions run on now.
        - button "Ask on next"
        - button "Dismiss"
      looks: git-branch close
        quiet: Git has next checked out, but questions run on now.
        link: Ask on next`,
  },
  'the notice that a chat is deleted, without a connection': {
    events: [sent('q1', 'one'), answer('a1', '1'), done],
    context: { ...{ connected: false, identity: 'europe', offeredBranch: 'next' }, lifetime: 59 * 60 },
    part: '.notice',
    expected: `
      - note:
        - text: The service may delete this chat after 59 minutes. Your history keeps a copy.
        - button "Dismiss"
      looks: info close
        quiet: The service may delete this chat after 59 minutes. Your history keeps a copy.`,
  },
  'what can be found': {
    events: [
      sent('q1', steps[0]?.type === 'sent' ? steps[0].text.replace('cubes', 'one') : ''),
      answer('a1', 'One more.'),
      done,
    ],
    act: async (page, chat) => {
      await chat.field.press('Control+f');
      await page.keyboard.type('one');
    },
    part: '.conversation',
    expected: `
      - search "Find":
        - textbox "Find in conversation":
          - /placeholder: Find
          - text: one
        - text: 1 of 2
        - button "Previous match"
        - button "Next match"
        - button "Close find"
      - log "Conversation":
        - article "You":
          - button "Edit question"
          - button "Ask again"
          - group: "About orders.yml: \`\`\`yaml one: [] \`\`\`"
          - text: how many?
        - paragraph:
          - text: main · dev
          - time: Feb 29, 2024, 10:30 AM
        - article "Assistant":
          - paragraph: One more.
          - button "Copy answer"
      looks:
        Previous match (Shift+Enter) arrow-up
        Next match (Enter) arrow-down
        Close (Escape) close edit refresh git-branch
        Asked on branch main as dev
        Thursday, February 29, 2024 at 10:30 AM copy
        quiet: About orders.yml: | main·dev | Feb 29, 2024, 10:30 AM`,
  },
};

/** Buttons, inside their groups, and menu items behind them, and what they ask of the host. */
const ROWS = { columns: [0], filters: [], locale: 'en-US', isWhole: false };

const asked: Record<string, [path: string, intent?: object][]> = {
  'an empty chat': [
    ['Connection: Shop', { type: 'switchConnection' }],
    ['Branch: main', { type: 'switchBranch' }],
    ['Identity: dev', { type: 'switchIdentity' }],
    ['Attach image or context', { type: 'attach' }],
    ['Open a sample conversation', { type: 'openSample' }],
    ['another example', { type: 'send', text: 'another example', images: [] }],
  ],
  'an empty chat without a connection': [['Connect', { type: 'connect' }]],
  'messages that stay queued': [
    ['Edit queued message', { type: 'unqueue', id: 'k2' }],
    ['Remove queued message', { type: 'unqueue', id: 'k1' }],
  ],
  'answers in two contexts, the last of them with results': [
    ['Steps: thought for 4 s · searched the model (7)'],
    ['Insert orders.m1', { type: 'insertMember', name: 'orders.m1' }],
    ['Insert returns.m0', { type: 'insertMember', name: 'returns.m0' }],
    ...[
      ['Part', 't1'],
      ['Warehouse', 't5'],
    ].flatMap(([title, toolCallId]): [string, object][] => [
      [`SQL query: ${title} > Insert SQL`, { type: 'insertSql', toolCallId }],
      [`SQL query: ${title} > Copy SQL`, { type: 'copySql', toolCallId }],
      [`SQL query: ${title} > Open SQL`, { type: 'openSql', toolCallId }],
      [`SQL query: ${title} > Open results`, { type: 'openResults', toolCallId, shown: ROWS }],
      [`SQL query: ${title} > Export results`, { type: 'exportResults', toolCallId, shown: ROWS }],
    ]),
    ['Load all', { type: 'loadAll', toolCallId: 't1' }],
    ['Certified: one.md', { type: 'openCertified', toolCallId: 't1' }],
    ['Certified: two.md', { type: 'openCertified', toolCallId: 't5' }],
    ['SQL query: Drawn > Open results', { type: 'openResults', toolCallId: 't6' }],
    ['Save chart | PNG', { type: 'saveChart', toolCallId: 't6', format: 'png' }],
    ['Save chart | PNG on White', { type: 'saveChart', toolCallId: 't6', format: 'png' }],
    ['Save chart | SVG', { type: 'saveChart', toolCallId: 't6', format: 'svg' }],
    ['Save chart | SVG on White', { type: 'saveChart', toolCallId: 't6', format: 'svg' }],
    ['Copy answer', { type: 'copyAnswer', messageId: 'a1' }],
    ['Table actions | Table 1: Copy as CSV', { type: 'copy', text: 'a\r\n1\r\n' }],
    ['Table actions | Table 2: Copy as TSV', { type: 'copy', text: "b\n'=2\n" }],
    ['Table actions | Table 1: Open results', { type: 'openResults', toolCallId: 'a1 table 0' }],
    ['Add as test…', { type: 'addAsTest', toolCallId: 't6' }],
    ['Certify…', { type: 'certify', toolCallId: 't6' }],
    ['Correct…', { type: 'correct', toolCallId: 't6' }],
    ['member 5 by week', { type: 'send', text: 'member 5 by week', images: [] }],
  ],
  'what can be done with a question': [['You | Copy question', { type: 'copy', text: 'one' }]],
  'the notice that a chat is deleted, without a connection': [['Dismiss', { type: 'dismissLifetime' }]],
  'a chat that could not be read': [
    ['Start a new chat', { type: 'errorAction', action: 'newChat' }],
    ['Ask in a new chat', { type: 'errorAction', action: 'askInNewChat' }],
    ['Add connection', { type: 'errorAction', action: 'addConnection' }],
    ['Set API key', { type: 'errorAction', action: 'setApiKey' }],
    ['Open proxy settings', { type: 'errorAction', action: 'openProxySettings' }],
    ['Open settings', { type: 'errorAction', action: 'openSettings' }],
    ['Show log', { type: 'errorAction', action: 'showLog' }],
    ['Switch identity', { type: 'errorAction', action: 'switchIdentity' }],
    ['Resume', { type: 'errorAction', action: 'resume' }],
  ],
  'a recording that is played': [['Show the rest', { type: 'stop' }]],
  'a recording of a question asked in two contexts': [
    ['Compare answers', { type: 'command', name: 'compare' }],
    ['New chat', { type: 'newChat' }],
  ],
};

describe('A chat', () => {
  const setup = useChatPage({ timezoneId: 'UTC', locale: 'en-US', viewport: { width: 460, height: 2000 } });
  let chat: Chat;
  let page: Page;
  let usual: ViewContext;

  before(() => ({ chat, page, usual } = setup));

  const show = async ({ events = [], context }: State): Promise<void> => {
    setup.setContext(usual);
    await setup.newChat();
    setup.setContext({ ...usual, ...context });
    setup.session().dispatch(events);
  };

  for (const [name, state] of Object.entries(states))
    it(`tells ${name}${state.act ? '' : ', also when it is loaded again'}`, async () => {
      await show(state);
      await state.act?.(page, chat);
      // What is under the pointer looks different.
      await page.mouse.move(0, 0);
      const expected = state.expected.replace(/^\n/, '').replace(/^ {6}/gm, '').trimEnd();
      const tells = (): Promise<void> => becomes(() => seen(chat.view.locator(state.part).last()), expected);
      await tells();
      if (state.act) return;
      await setup.reload();
      await tells();
    });

  for (const [name, paths] of Object.entries(asked))
    it(`has buttons that ask for what they say: ${name}`, async () => {
      await show(states[name]!);
      for (const [path, intent] of paths) {
        const [names, item] = path.split(' | ');
        const groups = names!.split(' > ');
        let place = chat.view.locator('main');
        for (const group of groups.slice(0, -1)) place = place.getByRole('group', { name: group, exact: true });
        const before = setup.asked.length;
        if (groups[0] === 'You') await chat.view.getByRole('article', { name: 'You' }).click({ button: 'right' });
        else
          await place
            .getByRole('button', { name: groups.at(-1)!, exact: true })
            .last()
            .click();
        if (item !== undefined) await chat.view.getByRole('menuitem', { name: item, exact: true }).click();
        const news = (): unknown =>
          setup.asked.slice(before).flatMap((each) => {
            if (each.type === 'draft' || each.type === 'focused') return [];
            return JSON.parse(
              JSON.stringify(each, (key, value: unknown) => (key === 'data' ? undefined : value)),
            ) as object;
          });
        // Nothing else.
        await becomes(news, intent ? [intent] : []);
      }
      // Ends the request of a question.
      await setup.session().abort();
    });
});
