/** Decides whether a dropped file may be read: one outside of the workspace only after the user confirms it. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { askWithWarning } from '../host/notify.ts';
import { hasNode } from '../host/settings.ts';
import { resolved, workspaceAddress } from './dropped.ts';

/** @returns the URI to read, in the form that the workspace uses; undefined if the user declines */
export async function readableUri(dropped: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const isRemote = vscode.env.remoteName !== undefined;
  const address = workspaceAddress(dropped, folders, isRemote);
  const uri = dropped.with(address ?? resolved(dropped) ?? dropped);
  // Do not touch the disk for any other file: even resolving a path can contact a Windows share.
  const real = address ? await realUri(uri) : undefined;
  if (real) {
    // A workspace folder may itself be reached through a symbolic link.
    const roots = (await Promise.all(folders.map(realUri))).filter((root) => root !== undefined);
    if (workspaceAddress(real, roots, isRemote)) return uri;
  }
  const attach = t('Attach');
  const shown = real ?? uri;
  const name = shown.scheme === 'file' ? shown.fsPath : shown.toString(true);
  const detail = t('This file is outside the workspace. Its content will be added to your message.');
  return (await askWithWarning(name, detail, attach)) === attach ? shown : undefined;
}

/** @returns the URI with symbolic links resolved; undefined if a link can't be resolved */
async function realUri(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (hasNode() && uri.scheme === 'file') {
    const { realpath } = await import('node:fs/promises');
    return realpath(uri.fsPath).then(
      (path) => vscode.Uri.file(path),
      () => undefined,
    );
  }
  const { type } = await vscode.workspace.fs.stat(uri).then(
    (stat) => stat,
    () => ({ type: vscode.FileType.Unknown }),
  );
  return (type & vscode.FileType.SymbolicLink) === 0 ? uri : undefined;
}
