/** @returns whether this host has Node, and so real files; that of a browser has not */
export const hasNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;
