/** What is known of the text so far: how much of it was read, and how it ended. */
interface Source {
  /**
   * @param text the whole text so far
   * @param settled whether it is complete
   * @returns what came since the last call, with line ends as `\n`; `undefined` when `text` does not continue the
   *   text of the last call
   */
  read(text: string, settled: boolean): string | undefined;
}

/** As many characters before the end of what was read are compared: reading costs the same at every length. */
const compared = 64;

/** Starts reading a text that grows at its end. */
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

/** @returns how many code units at the end only make sense with what follows: CR of CRLF, half a surrogate pair */
function unfinished(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last === 13 || (last >= 0xd800 && last < 0xdc00) ? 1 : 0;
}

/** Line ends and NUL as CommonMark asks for. */
function normalize(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}
