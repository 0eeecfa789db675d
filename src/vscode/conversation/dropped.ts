/** Checks whether a dropped URI is inside the workspace, because any page or program can be the source of a drop. */

/** The decoded parts of a URI. */
export interface Address {
  scheme: string;
  authority: string;
  path: string;
}

/**
 * @param isRemote whether the window is connected to a remote machine: there the page writes `vscode-remote:` for a
 *   file whose workspace folder is a `file:` for the extension host
 * @returns the normalized address, in the scheme of its workspace folder; undefined outside of all folders
 */
export function workspaceAddress(
  dropped: Address,
  folders: readonly Address[],
  isRemote: boolean,
): Address | undefined {
  const local = { ...dropped, scheme: 'file', authority: '' };
  const forms = isRemote && dropped.scheme === 'vscode-remote' ? [dropped, local] : [dropped];
  return forms.map(resolved).find((form) => form && folders.some((folder) => contains(folder, form)));
}

/** @returns the address without `..`; undefined if the path contains a backslash, a separator on some systems only */
export function resolved({ scheme, authority, path }: Address): Address | undefined {
  if (path.includes('\\')) return undefined;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return { scheme, authority, path: withDrive(`/${segments.join('/')}`) };
}

/** Lowercases a drive letter, because Windows ignores its case. */
const withDrive = (path: string): string => path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());

function contains(folder: Address, { scheme, authority, path }: Address): boolean {
  if (folder.scheme !== scheme || folder.authority !== authority) return false;
  const root = withDrive(folder.path).replace(/\/$/, '');
  return path === root || path.startsWith(`${root}/`);
}
