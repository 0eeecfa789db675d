/** Reads access tests: what identities may see. */
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { AccessRule, Problem } from '../question.ts';
import { entriesAt, type ReadQuestion } from './questions.ts';
import { isTrue, scalarText, YamlFile } from './yaml.ts';

/** @returns one question for each expectation, named `revenue as europe` */
export function readAccess(file: SourceFile, problems: Problem[]): ReadQuestion[] {
  const yaml = new YamlFile(file, problems);
  return entriesAt(yaml, 'access').flatMap((entry) => readAccessTest(yaml, entry));
}

function readAccessTest(yaml: YamlFile, entry: Node): ReadQuestion[] {
  if (!isMap(entry)) {
    yaml.report(entry, t('An access test must have the keys {0}.', 'name, question, expect'));
    return [];
  }
  const nameNode = yaml.member(entry, 'name');
  const [name, text] = [scalarText(nameNode), scalarText(yaml.member(entry, 'question'))];
  const list = yaml.member(entry, 'expect');
  const expectations = yaml.entries(list);
  if (name === undefined) yaml.report(entry, t('“{0}” is missing.', 'name'));
  if (text === undefined) yaml.report(entry, t('“{0}” is missing.', 'question'));
  if (isMap(list)) yaml.report(list, t('“{0}” must be a list.', 'expect'));
  else if (expectations.length === 0) yaml.report(entry, t('“{0}” is missing.', 'expect'));
  if (name === undefined || text === undefined) return [];
  return expectations.flatMap((expectation) => {
    const read = readExpectation(yaml, expectation);
    if (read === undefined) return [];
    const range = yaml.rangeOf(expectation);
    return [
      {
        question: { name: `${name} as ${read.identity}`, text, ...read, path: yaml.path, range },
        report: (_at: string, message: string) => yaml.report(expectation, message),
      },
    ];
  });
}

function readExpectation(yaml: YamlFile, node: Node): { identity: string; access: AccessRule } | undefined {
  const identity = isMap(node) ? scalarText(yaml.member(node, 'as')) : undefined;
  if (!isMap(node) || identity === undefined) {
    yaml.report(node, t('“{0}” is missing.', 'as'));
    return undefined;
  }
  const access = readRule(yaml, node);
  if (access) return { identity, access };
  yaml.report(
    node,
    t(
      'Set one of “only” and “masked” (columns and values), “empty: true”, “denied: true” and “same_as” (an identity). “masked” can be beside “only”.',
    ),
  );
  return undefined;
}

function readRule(yaml: YamlFile, node: YAMLMap): AccessRule | undefined {
  const rules = ['only', 'masked', 'empty', 'denied', 'same_as'] as const;
  const keys = rules.filter((key) => yaml.member(node, key));
  // A test would pass without a rule that is misspelled.
  if (yaml.keysOf(node).some((key) => key !== 'as' && !rules.some((known) => known === key))) return undefined;
  const [rule, other] = keys;
  if (rule === undefined) return undefined;
  if (rule === 'only' || rule === 'masked') {
    if (keys.some((key) => key !== 'only' && key !== 'masked')) return undefined;
    const columns = keys.map((key) => readColumns(yaml, yaml.member(node, key), key === 'masked'));
    return columns.every((each) => each !== undefined) ? { kind: 'only', values: new Map(columns.flat()) } : undefined;
  }
  const value = yaml.member(node, rule);
  const text = scalarText(value);
  if (other !== undefined || text === undefined) return undefined;
  if (rule === 'same_as') return { kind: 'sameAs', identity: text };
  return isTrue(value) ? { kind: rule } : undefined;
}

/**
 * Reads the values that may be seen, by column: `{region: Europe, status: [Shipped, Delivered]}`.
 * @param isMasked whether a cell may be null
 */
function readColumns(
  yaml: YamlFile,
  node: Node | undefined,
  isMasked: boolean,
): [column: string, values: (string | null)[]][] | undefined {
  if (!isMap(node) || node.items.length === 0) return undefined;
  const columns = yaml.keysOf(node).map((column): [string, (string | null)[]] | undefined => {
    if (column === undefined) return undefined;
    const value = yaml.member(node, column);
    const isOnlyNull = isMasked && isScalar(value) && value.value === null;
    const values = isOnlyNull ? [] : (isSeq(value) ? yaml.entries(value) : [value]).map(scalarText);
    if (!isOnlyNull && (values.length === 0 || values.includes(undefined))) return undefined;
    return [column, [...values.flatMap((each) => each ?? []), ...(isMasked ? [null] : [])]];
  });
  return columns.every((each) => each !== undefined) ? columns : undefined;
}
