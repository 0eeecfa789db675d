/** Reads a text that grows at its end, returning only the new part. */
interface Source {
  /**
   * @param text the whole text so far
   * @param settled whether it is complete
   * @returns the text added since the last call, with `\n` line ends; `undefined` if `text` does not continue the text
   *   of the last call
   */
  read(text: string, settled: boolean): string | undefined;
}

export function newSource(): Source {
  let known = '';
  return {
    read(text, settled) {
      if (!text.startsWith(known)) return undefined;
      const before = known.length;
      known = settled ? text : text.slice(0, text.length - unfinished(text));
      return normalize(known.slice(before));
    },
  };
}

/** @returns the number of code units at the end that depend on what follows: CR of CRLF, half a surrogate pair */
function unfinished(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last === 13 || (last >= 0xd800 && last < 0xdc00) ? 1 : 0;
}

/** Normalizes line ends and NUL as CommonMark requires. */
function normalize(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}
