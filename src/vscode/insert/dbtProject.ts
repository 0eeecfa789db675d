/** Detects dbt tests, which can't be recognized by their path alone. */
import * as vscode from 'vscode';

/** @returns whether the file is SQL in a `tests` folder next to a `dbt_project.yml` */
export async function isDbtTest(uri: vscode.Uri): Promise<boolean> {
  const tests = uri.path.toLowerCase().lastIndexOf('/tests/');
  if (tests === -1 || !/\.sql$/i.test(uri.path)) return false;
  const project = uri.path.slice(0, tests + 1);
  const found = vscode.workspace.fs.stat(uri.with({ path: `${project}dbt_project.yml` }));
  return found.then(
    () => true,
    () => false,
  );
}
