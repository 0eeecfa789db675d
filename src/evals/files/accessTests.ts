/** Reads access tests: what identities may see. */
import { isMap, isSeq, type Node } from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { AccessRule, Problem } from '../question.ts';
import { entriesAt, type ReadQuestion } from './questions.ts';
import { scalarText, YamlFile } from './yaml.ts';

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
  const [rule, other] = (['only', 'empty', 'same_as'] as const).filter((key) => yaml.member(node, key));
  const access = rule && !other ? readRule(yaml, rule, yaml.member(node, rule)) : undefined;
  if (access) return { identity, access };
  yaml.report(node, t('Set one of “only” (columns and values), “empty: true” or “same_as” (an identity).'));
  return undefined;
}

function readRule(yaml: YamlFile, key: 'only' | 'empty' | 'same_as', value: Node | undefined): AccessRule | undefined {
  if (key === 'only') return readOnly(yaml, value);
  const text = scalarText(value);
  if (key === 'empty') return text === 'true' ? { kind: 'empty' } : undefined;
  return text === undefined ? undefined : { kind: 'sameAs', identity: text };
}

/** Reads allowed values by column: `{region: Europe, status: [Shipped, Delivered]}`. */
function readOnly(yaml: YamlFile, node: Node | undefined): AccessRule | undefined {
  if (!isMap(node)) return undefined;
  const values = new Map<string, string[]>();
  for (const { key } of node.items) {
    const column = scalarText(key as Node);
    if (column === undefined) return undefined;
    const value = yaml.member(node, column);
    const allowed = (isSeq(value) ? yaml.entries(value) : [value]).map(scalarText);
    if (allowed.length === 0 || !allowed.every((one) => one !== undefined)) return undefined;
    values.set(column, allowed);
  }
  return values.size > 0 ? { kind: 'only', values } : undefined;
}
