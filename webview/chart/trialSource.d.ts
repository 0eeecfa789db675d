/** The bundled text of `trial.ts`, put in by the build (`trialPlugin.mjs`). */
declare module 'chart-trial-source' {
  const source: string;
  export default source;
}
