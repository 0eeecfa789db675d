/** Whether a file is part of a dbt project where its path alone does not tell. */
import * as vscode from 'vscode';

/** @returns whether it is SQL in a folder `tests` beside the file that every dbt project has */
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
