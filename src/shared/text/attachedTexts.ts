/** Finds the attached texts in a message, which is sent and stored as one text. */

/** The title and the opening fence of an attached text. */
const OPENING = /^[^\n]+\n(`{3,})[^\n`]*\n/;

/**
 * @param content a message with attached texts, each a title and a fenced block, above what was typed
 * @returns the attached texts and the typed one; joined by line feeds, they are the message but for white space at its end
 */
export function splitMessage(content: string): { attached: string[]; typed: string } {
  const attached: string[] = [];
  let typed = content;
  for (;;) {
    const fence = OPENING.exec(typed)?.[1];
    const closing = `\n${fence}\n`;
    const end = `${typed}\n\n`.indexOf(`${closing}\n`);
    if (fence === undefined || end < 0) return { attached, typed };
    attached.push(typed.slice(0, end + closing.length));
    typed = typed.slice(end + closing.length + 1);
  }
}

/** @returns the first line of an attached text */
export const titleOfAttached = (text: string): string => text.slice(0, text.indexOf('\n'));

/** @returns what a message is about: the text that was typed, or else the title of what was attached */
export function subjectOf(content: string): string {
  const { attached, typed } = splitMessage(content);
  return typed.trim() === '' && attached[0] !== undefined ? titleOfAttached(attached[0]) : typed;
}
