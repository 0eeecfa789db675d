/** Streams a file to a temporary file in the same folder, so that a discarded write leaves the target unchanged. */

/** Receives the text of a file. `commit` replaces the target; `discard` drops everything written. */
export interface FileSink {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** @param path target file; an existing file is replaced on `commit` */
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
