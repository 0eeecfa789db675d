/** The prefix of every line of a suite's report, to distinguish it from the rest of the editor's log. */
export const suiteMark = '[suite] ';
