/** Whether a file is part of a dbt project where its path alone does not tell. */
import * as vscode from 'vscode';

/** @returns whether it is SQL in a folder `tests` beside the file that every dbt project has */
export async function isDbtTest(uri: vscode.Uri): Promise<boolean> {
  const [, project] = /^(.*\/)tests\/.*\.sql$/i.exec(uri.path) ?? [];
  if (project === undefined) return false;
  const found = vscode.workspace.fs.stat(uri.with({ path: `${project}dbt_project.yml` }));
  return found.then(
    () => true,
    () => false,
  );
}
