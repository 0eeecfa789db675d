/** Formats a run as JUnit XML according to the schema of Jenkins. */
import { XMLBuilder } from 'fast-xml-parser';
import type { Problem } from '../evals/question.ts';
import { attemptsText, entryReason, type ReportEntry } from '../evals/report/markdown.ts';
import { legalXml } from '../shared/text/plainText.ts';

/** An XML element; keys that begin with `@` are attributes. */
type Element = Record<string, unknown>;

const xml = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });

/** @param branch empty for the main branch */
export function junitReport(entries: readonly ReportEntry[], problems: readonly Problem[], branch: string): string {
  const milliseconds = entries.reduce((sum, entry) => sum + entry.milliseconds, 0);
  const tests = [...entries.map(testOf), ...problems.map(problemOf)];
  const count = (kind: string): number => tests.filter((test) => kind in test).length;
  const counts = { '@tests': tests.length, '@failures': count('failure'), '@errors': count('error') };
  return xml.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      ...counts,
      testsuite: {
        '@name': 'Analytics questions',
        ...counts,
        '@skipped': count('skipped'),
        '@time': seconds(milliseconds),
        ...(branch === '' ? {} : { properties: { property: { '@name': 'branch', '@value': legalXml(branch) } } }),
        testcase: tests,
      },
    },
  });
}

function testOf(entry: ReportEntry): Element {
  const test = {
    '@classname': legalXml(entry.path),
    '@name': legalXml(entry.name),
    '@time': seconds(entry.milliseconds),
  };
  const detail = {
    '@type': entry.status,
    '@message': legalXml(entryReason(entry)),
    '#text': legalXml(detailsOf(entry)),
  };
  // A known failure must not fail what reads the report.
  if (entry.isKnown) return { ...test, skipped: detail };
  switch (entry.status) {
    case 'passed':
    case 'same':
      return entry.attempts.some((count) => count > 1) ? { ...test, 'system-out': attemptsLine(entry) } : test;
    case 'flaky':
    case 'unstable':
      return { ...test, 'system-out': legalXml(`${entryReason(entry)}\n\n${detailsOf(entry)}`) };
    case 'failed':
    case 'changed':
    case 'review':
      return { ...test, failure: detail };
    case 'errored':
      return { ...test, error: detail };
    case 'skipped':
    case 'canceled':
      return { ...test, skipped: { '@message': legalXml(entry.message) } };
  }
}

const problemOf = ({ path, range, message }: Problem): Element => ({
  '@classname': legalXml(path),
  '@name': `line ${range.start.line + 1}`,
  '@time': seconds(0),
  error: { '@type': 'file', '@message': legalXml(message), '#text': legalXml(`${path}:${range.start.line + 1}`) },
});

const attemptsLine = (entry: ReportEntry): string => `Attempts: ${attemptsText(entry)}`;

function detailsOf(entry: ReportEntry): string {
  const { question, path, line, rows, sql, chatId } = entry;
  return [
    `${path}:${line + 1}`,
    question,
    attemptsLine(entry),
    ...(rows ? [`Expected\n${rows.expected}`, `Actual\n${rows.actual}`] : []),
    ...(sql.expected === undefined ? [] : [`Expected SQL\n${sql.expected}`]),
    ...(sql.actual === undefined ? [] : [`SQL of the agent\n${sql.actual}`]),
    ...(chatId === undefined ? [] : [`Chat ${chatId}`]),
  ].join('\n\n');
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
