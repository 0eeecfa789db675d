/** Exports a comparison as Markdown or CSV, depending on the extension of the file that the user picks. */
import * as vscode from 'vscode';
import { sideLabels, type CompareHeads, type SideName } from '../../shared/protocol/compare.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { proposedFile } from '../results/fileSink.ts';
import { comparisonAsCsv, comparisonAsMarkdown } from './exportText.ts';
import type { QueryPair } from './queries.ts';
import { showInformationMessage } from '../host/notify.ts';
import type { Log } from '../host/log.ts';

interface Compared {
  pairs: readonly QueryPair[];
  threads: Readonly<Record<SideName, Thread>>;
}

/** @returns the URI of the file, or undefined if the user cancels */
export async function saveComparison(
  services: { log: Log },
  heads: CompareHeads,
  { pairs, threads }: Compared,
): Promise<vscode.Uri | undefined> {
  const { left, right } = sideLabels(heads);
  const target = await vscode.window.showSaveDialog({
    title: t('Export comparison'),
    filters: { Markdown: ['md'], CSV: ['csv'] },
    defaultUri: proposedFile(`${left} ${right} ${heads.question}`, 'md'),
  });
  if (target === undefined) return undefined;
  const text = /\.csv$/i.test(target.path)
    ? comparisonAsCsv(heads, pairs)
    : comparisonAsMarkdown(heads, threads, pairs);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(services.log.redactDocument(text)));
  const open = t('Open');
  void showInformationMessage(t('The comparison was exported.'), open).then((choice) => {
    if (choice === open) void vscode.window.showTextDocument(target);
  });
  return target;
}
