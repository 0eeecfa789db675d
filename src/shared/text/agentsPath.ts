/** The folder of the platform's files in a project. */

/** Unless the user sets another one. */
export const AGENTS_PATH = 'agents';

/**
 * @param text a path as the user wrote it
 * @returns the same relative to the project, with `/`; undefined if it is the project itself or outside of it
 */
export function agentsPathOf(text: string): string | undefined {
  const path = text.trim().replaceAll('\\', '/');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const isInside = !/^(?:\/|[a-z]:)/i.test(path) && !parts.includes('..') && parts.length > 0;
  return isInside ? parts.join('/') : undefined;
}
