/** Writes long files piece by piece, beside their place, so that one that is given up leaves nothing behind. */

/** Takes text; `commit` puts the file in its place, `discard` removes what was written. */
export interface FileSink {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** @param path of the file; what stands there stays until `commit` */
export async function diskSink(path: string): Promise<FileSink> {
  const fs = await import('node:fs/promises');
  const aside = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  const file = await fs.open(aside, 'wx');
  return {
    write: (text) => file.appendFile(text),
    commit: async () => {
      await file.sync();
      await file.close();
      await fs.rename(aside, path);
    },
    discard: async () => {
      await file.close();
      await fs.rm(aside, { force: true });
    },
  };
}
