/** The findings of a check about each changed member, and where to show them. */
import { oneLine } from '../../shared/text/lines.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { VerdictStatus } from '../../shared/protocol/verdicts.ts';
import type { Verdict } from '../matrix/matrix.ts';
import { fieldsOf, isFields, oneOf, shape, text } from '../../shared/text/checks.ts';
import { isRange, positionAt, type Range, type SourceFile } from '../../shared/text/sourceFile.ts';
import type { TestQuestion } from '../question.ts';
import { endOfName, membersIn, qualified, type MemberDefinition } from '../../model/members.ts';
import { isMemberChange, type CheckedChange, type CheckPlan } from './plan.ts';

export interface Finding {
  change: CheckedChange;
  level: 'warning' | 'information';
  message: string;
  /** Absent if the finding is about the change itself. */
  question?: Pick<TestQuestion, 'name' | 'path' | 'range'>;
}

/** Maximum number of questions that a message lists. */
const LISTED = 5;

/** @returns the findings that need no answers: renamed members, and removed ones that questions use */
export function changeFindings({ changes, questions }: CheckPlan): Finding[] {
  return changes.flatMap((change): Finding[] => {
    const users = questions.filter((planned) => planned.changes.includes(change)).map(({ question }) => question);
    if (change.kind === 'renamed') {
      const level = users.length > 0 ? 'warning' : 'information';
      const message = sentences(t('Renamed from “{0}”.', qualified(change.before)), usersText(users));
      return [{ change, level, message }];
    }
    if (change.kind !== 'removed' || users.length === 0) return [];
    const message = sentences(t('“{0}” was removed.', qualified(change.member)), usersText(users));
    return [{ change, level: 'warning', message }];
  });
}

const sentences = (...all: readonly string[]): string => all.filter((text) => text !== '').join(' ');

function usersText(users: readonly TestQuestion[]): string {
  if (users.length === 0) return '';
  const names = users.slice(0, LISTED).map(({ text }) => oneLine(text));
  if (users.length > LISTED) names.push('…');
  return plural(users.length, '{0} question uses it: {1}|{0} questions use it: {1}', users.length, names.join(', '));
}

/** Verdicts that are reported at the changed members, in contrast to unstable answers, which prove no change. */
const LEVELS: Readonly<Partial<Record<VerdictStatus, Finding['level']>>> = {
  changed: 'warning',
  errored: 'warning',
  review: 'information',
};

/** @returns a finding at each change that may be the reason for a changed answer */
export function answerFindings(
  { question, status, message: reason }: Pick<Verdict, 'question' | 'status' | 'message'>,
  changes: readonly CheckedChange[],
): Finding[] {
  const level = LEVELS[status];
  if (level === undefined) return [];
  const message = `${oneLine(question.text).replace(/\?$/, '')}: ${reason.replaceAll('\n', '; ')}`;
  return changes.map((change) => ({ change, level, message, question }));
}

/**
 * @returns the findings whose change still exists, with its current position; those of reverted and edited members are
 * dropped
 */
export function currentFindings(findings: readonly Finding[], changes: readonly CheckedChange[]): Finding[] {
  const current = new Map(changes.map((change) => [keyOf(change), change]));
  return findings.flatMap((finding) => {
    const change = current.get(keyOf(finding.change));
    return change ? [{ ...finding, change }] : [];
  });
}

/** @returns what `restoredFindings` reads, as JSON */
export const storedFindings = (findings: readonly Finding[]): object[] =>
  findings.map(({ change, question, ...finding }) => ({
    ...finding,
    change: keyOf(change),
    ...(question ? { question: { name: question.name, path: question.path, range: question.range } } : {}),
  }));

const isStored = shape({ change: text, level: oneOf('warning', 'information'), message: text });
const isQuestion = (value: unknown): value is Finding['question'] =>
  shape({ name: text, path: text })(value) && isRange(fieldsOf(value).range);

/**
 * @param value stored findings
 * @returns those whose change still exists
 */
export function restoredFindings(value: unknown, changes: readonly CheckedChange[]): Finding[] {
  const current = new Map(changes.map((change) => [keyOf(change), change]));
  return (Array.isArray(value) ? value : []).flatMap((each: unknown): Finding[] => {
    if (!isFields(each) || !isStored(each)) return [];
    const change = current.get(each.change as string);
    const { level, message } = each as unknown as Finding;
    const { question } = each;
    return change ? [{ change, level, message, ...(isQuestion(question) ? { question } : {}) }] : [];
  });
}

/** Maximum number of answers that one problem lists. */
const LISTED_ANSWERS = 10;

/** @returns one problem for each position and level, which lists all findings there */
export function problemsOf(
  findings: readonly Finding[],
  files: readonly SourceFile[],
): (MemberLocation & { level: Finding['level']; message: string; questions: NonNullable<Finding['question']>[] })[] {
  const placed = findings.map((finding) => ({ finding, location: locationOf(finding.change, files) }));
  const groups = Map.groupBy(placed, ({ finding, location }) => JSON.stringify([location, finding.level]));
  return [...groups.values()].map((group) => {
    const { location, finding } = group[0]!;
    const all = group.map((each) => each.finding);
    const answers = all.filter(({ question }) => question !== undefined).map(({ message }) => message);
    const list = answers.slice(0, LISTED_ANSWERS).map((message) => `• ${message}`);
    if (answers.length > LISTED_ANSWERS) list.push('• …');
    const count = plural(answers.length, 'This change affects {0} question:|This change affects {0} questions:');
    const message = [
      ...all.filter(({ question }) => question === undefined).map((each) => each.message),
      ...(answers.length > 1 ? [count, ...list] : answers),
    ].join('\n');
    return { ...location, level: finding.level, message, questions: all.flatMap(({ question }) => question ?? []) };
  });
}

function keyOf(change: CheckedChange): string {
  if (!isMemberChange(change)) return JSON.stringify([change.kind, change.path, 'name' in change && change.name]);
  const { kind, member, before } = change;
  return JSON.stringify([kind, qualified(member), member.body, before && qualified(before), before?.body]);
}

interface MemberLocation {
  path: string;
  range: Range;
}

/** @returns the name of the member; for a removed one, that of its cube or view, or else the start of its file */
export function locationOf(change: CheckedChange, files: readonly SourceFile[]): MemberLocation {
  if (!isMemberChange(change)) {
    const { path, line = 0 } = { line: undefined, ...change };
    const start = { line, character: 0 };
    return { path, range: { start, end: start } };
  }
  const { kind, member } = change;
  const shown = kind === 'removed' ? ownerOf(member, files) : member;
  if (shown === undefined) return { path: member.path, range: rangeIn('', 0, 0) };
  const { offset } = shown;
  const text = files.find(({ path }) => path === shown.path)?.text ?? '';
  const nameEnd = endOfName(text, offset);
  const lineEnd = offset + text.slice(offset).search(/\r?\n|$/);
  return { path: shown.path, range: rangeIn(text, offset, (nameEnd > offset ? nameEnd : lineEnd) - offset) };
}

/** @returns the cube or view of a member, in these files */
const ownerOf = ({ owner }: MemberDefinition, files: readonly SourceFile[]): MemberDefinition | undefined =>
  files
    .filter(({ text }) => text.includes(owner))
    .flatMap(membersIn)
    .find((each) => each.owner === owner && each.name === undefined);

const rangeIn = (text: string, offset: number, length: number): Range => ({
  start: positionAt(text, offset),
  end: positionAt(text, offset + length),
});
