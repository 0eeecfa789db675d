/** Redacts JSON Web Tokens in text. */

/** @returns the text with each token (`eyJ…` with a second and a third part) replaced by `[redacted]` */
export const redactTokens = (text: string): string =>
  text.replace(/[\w.-]+/g, (run) => {
    const start = run.search(/eyJ[\w-]{8}/);
    return start !== -1 && /^[^.]*\.[^.]+\./.test(run.slice(start)) ? `${run.slice(0, start)}[redacted]` : run;
  });
