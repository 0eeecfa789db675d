/** Exports the page of a run as Markdown or CSV, depending on the extension of the file that the user picks. */
import type { TypedColumn } from '../../shared/results/cells.ts';
import { encodeRows } from '../../shared/results/encode.ts';
import { contextLabels, type RunContext, type RunRow } from '../../shared/protocol/runs.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { askWhereToSave, writeText } from '../host/files.ts';
import { showWritten } from '../host/notify.ts';
import type { Services } from '../services.ts';
import type { Compared } from './compared.ts';

/** @param encode returns the text of the file */
async function save(
  services: Services<'log'>,
  name: string,
  encode: (format: 'markdown' | 'csv') => string,
): Promise<void> {
  const target = await askWhereToSave(t('Export comparison'), { Markdown: ['md'], CSV: ['csv'] }, name);
  if (!target) return;
  const text = encode(/\.csv$/i.test(target.path) ? 'csv' : 'markdown');
  await writeText(target, services.log.redactDocument(text));
  void showWritten(target, t('The comparison was exported.'));
}

/** Exports the answers to a question, one for each context, with their differences. */
export async function saveComparison(
  services: Services<'log'>,
  question: string,
  contexts: readonly RunContext[],
  threads: readonly (Thread | undefined)[],
  compared: Compared | undefined,
): Promise<void> {
  const { comparisonAsCsv, comparisonAsMarkdown } = await import('./queries.ts');
  const groups = compared?.groups ?? [];
  await save(services, [...contextLabels(contexts), question].join(' '), (format) =>
    format === 'csv' ? comparisonAsCsv(contexts, groups) : comparisonAsMarkdown(question, contexts, threads, groups),
  );
}

/** Exports the verdicts on all questions, as the page lists them. */
export async function saveRows(services: Services<'log'>, title: string, rows: readonly RunRow[]): Promise<void> {
  const columns = [t('State'), t('Question'), t('Test'), t('What changed')].map((name): TypedColumn => ({
    name,
    type: 'string',
    kind: 'string',
  }));
  const cells = rows.map(({ state, text, name, message }) => [state, text, name, message]);
  await save(services, title, (format) => encodeRows(format, columns, cells));
}
