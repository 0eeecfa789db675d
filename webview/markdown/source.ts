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

/** Number of characters at the end of the known text that are compared, so that the cost of a read is constant. */
const compared = 64;

export function newSource(): Source {
  let length = 0;
  let end = '';
  let previous = '';
  return {
    read(text, settled) {
      const continues = settled ? text.startsWith(previous) : text.startsWith(end, length - end.length);
      if (text.length < length || !continues) return undefined;
      const to = settled ? text.length : text.length - unfinished(text);
      const fresh = to > length ? text.slice(length, to) : '';
      length = Math.max(to, length);
      end = text.slice(Math.max(0, length - compared), length);
      previous = length === text.length ? text : text.slice(0, length);
      return normalize(fresh);
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
