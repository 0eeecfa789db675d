export type ChartProblemKind = 'invalid' | 'refused' | 'tooLarge' | 'tooSlow';

/** Why a chart is not drawn; `message` is a sentence for the user. */
export class ChartProblem extends Error {
  readonly kind: ChartProblemKind;

  constructor(kind: ChartProblemKind, message: string) {
    super(message);
    this.name = 'ChartProblem';
    this.kind = kind;
  }
}
