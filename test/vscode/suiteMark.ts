/** Begins every line of a suite's report, so that it is told apart from all else that the editor logs. */
export const suiteMark = '[suite] ';
