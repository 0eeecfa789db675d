/** Reads a thread as turns: a question, the steps the agent took, and the final answer (3.4). */
import { subjectOf } from '../text/attachedTexts.ts';
import { markdownTables } from '../text/markdownTables.ts';
import { readToolPayload, type SqlQueryPayload, type ToolPayload } from '../wire/toolPayloads.ts';
import { mergeTurns, remembered } from './merge.ts';
import type { Item, Question, Thread, Transcript, Turn, QuestionContext } from './model.ts';

/** A turn prepared for display. */
export interface ShownTurn extends Turn {
  /** Everything between question and answer, in order: reasoning, tool calls, interim messages. */
  steps: readonly Item[];
  answer?: Item;
}

const merged = remembered((response: Transcript, held: readonly Turn[]) => mergeTurns(held, response));

/** @returns the turns of a thread in order, merged with the response in progress */
export const turnsOf = ({ turns, response }: Thread): readonly Turn[] => (response ? merged(response, turns) : turns);

/** @returns the turn of the running or last question; the last turn if the thread was only read */
export function currentTurn(thread: Thread): Turn | undefined {
  const turns = turnsOf(thread);
  return thread.messageId === undefined ? turns.at(-1) : turns.findLast(({ id }) => id === thread.messageId);
}

export const questionsOf = (thread: Thread): Question[] =>
  turnsOf(thread).flatMap(({ question }) => (question ? [question] : []));

/** 3.4: role assistant, `graphPath[0]` is `final`, at most two nodes. */
const isFinal = ({ graphPath }: Item): boolean => graphPath[0] === 'final' && graphPath.length <= 2;

const isText = ({ toolCall, content }: Item): boolean => toolCall === undefined && content.trim() !== '';

/**
 * Whether a step and the answer have the same text: the service may send an earlier message again as the final answer.
 */
function repeats(step: Item, answer: Item): boolean {
  const [said, final] = [step.content.trim(), answer.content.trim()];
  return isText(step) && isText(answer) && (answer.inProcess ? said.startsWith(final) : said === final);
}

function answerOf(items: readonly Item[], running: boolean): Item | undefined {
  const final = items.findLast((item) => isFinal(item) && item.content.trim() !== '');
  if (final === undefined) {
    const last = items.findLast(isText);
    // Text before a tool call is an interim message, unless the finished turn has no other text.
    return running && last !== items.at(-1) ? undefined : last;
  }
  // If the final answer repeats an earlier text, show that text until the answer is complete.
  return (final.inProcess && items.find((item) => repeats(item, final))) || final;
}

const shown = remembered((turn: Turn, running: boolean): ShownTurn => {
  const answer = answerOf(turn.items, running);
  const isRepeated = (item: Item): boolean =>
    answer !== undefined && item.thinking === '' && (repeats(item, answer) || repeats(answer, item));
  const steps = turn.items.filter((item) => item !== answer && !isRepeated(item));
  return { ...turn, steps, ...(answer ? { answer } : {}) };
});

/** @returns the turns for display; an unchanged turn is the same object */
export const shownTurns = (thread: Thread): ShownTurn[] =>
  turnsOf(thread).map((turn, at, turns) => shown(turn, isRunning(thread) && at === turns.length - 1));

/**
 * @returns `whole` if the current turn has its final answer, `plausible` if it has another text as its answer and no
 * unfinished item, otherwise `open`
 */
export function completenessOf(thread: Thread): 'whole' | 'plausible' | 'open' {
  const turn = currentTurn(thread);
  const answer = answerOf(turn?.items ?? [], isRunning(thread));
  if (answer === undefined || turn?.items.some(({ inProcess, partial }) => inProcess || partial)) return 'open';
  return isFinal(answer) ? 'whole' : 'plausible';
}

export const isRunning = (thread: Thread): boolean => thread.status === 'submitted' || thread.status === 'streaming';

const payloads = remembered(readToolPayload);

/** @returns the payload of an item's tool call, read once for each version */
export const payloadOf = ({ toolCall }: Item): ToolPayload | undefined => toolCall && payloads(toolCall);

/** A generated query with its SQL. */
export interface GeneratedSql {
  toolCallId: string;
  payload: SqlQueryPayload;
  question?: Question;
}

const resultsOf = (steps: readonly Item[]): GeneratedSql[] =>
  steps.flatMap((item) => {
    const payload = payloadOf(item);
    return payload?.kind === 'sqlQuery' ? [{ toolCallId: item.id, payload }] : [];
  });

const hasSql = ({ payload }: GeneratedSql): boolean => payload.sqlQuery !== '';

/** @returns the queries among the steps of a turn, in order */
export const queriesOf = (steps: readonly Item[]): GeneratedSql[] => resultsOf(steps).filter(hasSql);

/** @returns the successful queries of the last turn, or the failed ones if none succeeded */
export function lastQueries(thread: Thread): GeneratedSql[] {
  const queries = queriesOf(shownTurns(thread).at(-1)?.steps ?? []);
  const successful = queries.filter(({ payload }) => payload.error === undefined);
  return successful.length > 0 ? successful : queries;
}

/** @returns all results of the thread, oldest first, also those without SQL */
const resultsIn = (thread: Thread): GeneratedSql[] =>
  turnsOf(thread).flatMap(({ question, items }) =>
    resultsOf(items).map((query) => ({ ...query, ...(question ? { question } : {}) })),
  );

/** @returns all generated SQL of the thread, oldest first */
export const generatedSql = (thread: Thread): GeneratedSql[] => resultsIn(thread).filter(hasSql);

/** @returns an id for a table in the text of an item, like that of a tool call with a result */
export const textTableId = (item: Pick<Item, 'id'>, index: number): string => `${item.id} table ${index}`;

/** @returns the result of a tool call, or a table in a text; it may have no SQL. Undefined if there is none. */
export const findResult = (thread: Thread, id: string): GeneratedSql | undefined =>
  resultsIn(thread).find(({ toolCallId }) => toolCallId === id) ?? findTextTable(thread, id);

function findTextTable(thread: Thread, id: string): GeneratedSql | undefined {
  for (const { question, items } of turnsOf(thread))
    for (const item of items) {
      if (!id.startsWith(`${item.id} table `)) continue;
      const table = markdownTables(item.content).find((_, index) => textTableId(item, index) === id);
      const words = { sqlQuery: '', queryTitle: titleFrom(question?.content ?? ''), description: '' };
      if (table)
        return { toolCallId: id, payload: { kind: 'sqlQuery', ...words, table }, ...(question && { question }) };
    }
  return undefined;
}

/**
 * @param toolCallId id of the query; defaults to the last query of the thread
 * @returns the query, or undefined if the thread has no such query
 */
export function findSql(thread: Thread, toolCallId?: string): GeneratedSql | undefined {
  const all = generatedSql(thread);
  return toolCallId === undefined ? all.at(-1) : all.find((each) => each.toolCallId === toolCallId);
}

/** @returns the session whose thread contains the query; the payload is compared too, as tool call ids may repeat */
export function sessionWith<Session extends { thread: Thread }>(
  sessions: readonly Session[],
  { toolCallId, payload }: GeneratedSql,
): Session | undefined {
  return sessions.find(({ thread }) =>
    turnsOf(thread).some(({ items }) => items.some((item) => item.id === toolCallId && payloadOf(item) === payload)),
  );
}

/** A turn whose question has a branch and an identity, so that it can be compared. */
export type AskedTurn = ShownTurn & { question: Question & { context: QuestionContext } };

const isAsked = (turn: ShownTurn): turn is AskedTurn => turn.question?.context !== undefined;

/** Whether the same text is another question there. */
export const isElsewhere = (a: QuestionContext, b: QuestionContext): boolean =>
  a.branch !== b.branch || a.identity !== b.identity;

/**
 * @returns the latest question that was asked before with another branch or identity, and that earlier turn; undefined
 * if there is none
 */
export function askedTwice(thread: Thread): { earlier: AskedTurn; later: AskedTurn } | undefined {
  const turns = shownTurns(thread).filter(isAsked);
  for (const later of turns.toReversed()) {
    const { content, context } = later.question;
    // A match after it would have been found first.
    const earlier = turns.findLast(
      ({ question }) => question.content === content && isElsewhere(question.context, context),
    );
    if (earlier) return { earlier, later };
  }
  return undefined;
}

/** Maximum number of characters of a default title. */
const LONGEST_TITLE = 80;

/** @returns the default title of a thread: its first question, on one line; empty if there is none */
export function titleOf(thread: Thread): string {
  const question = questionsOf(thread).find(({ content }) => content.trim() !== '');
  return question === undefined ? '' : titleFrom(question.content);
}

/** @returns a title with the first words of a message, without attached texts */
export const titleFrom = (message: string): string => shortened(subjectOf(message), LONGEST_TITLE);

/** @returns the text on one line, truncated at a word boundary if it is too long */
export function shortened(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 20)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const word = cut.lastIndexOf(' ');
  const kept = word > longest / 2 ? cut.slice(0, word) : cut.replace(/[\uD800-\uDBFF]$/u, '');
  return `${kept}…`;
}
