/** @returns whether the extension host runs on Node.js, which gives access to the local disk; false on the web */
export const hasNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;
