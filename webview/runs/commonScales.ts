/** Gives the charts of compared answers common scales, so that equal values have equal places and lengths. */
import { withCommonScales } from '../../src/shared/chart/commonScales.ts';
import { lastQueries } from '../../src/shared/thread/turns.ts';
import { chartTable } from '../ui/ChartBox.tsx';
import type { Replica } from '../app/replica.ts';

/** @returns for each answer, the specifications of its charts by tool call id; charts at the same position share scales */
export function scaledSpecs(replicas: readonly (Replica | undefined)[]): ReadonlyMap<string, string>[] {
  const answers = replicas.map((replica) => (replica ? chartsOf(replica) : []));
  const found = answers.map(() => new Map<string, string>());
  for (let at = 0; at < Math.max(...answers.map(({ length }) => length)); at++) {
    const charts = answers.flatMap((own, side) => {
      const chart = own[at];
      return chart ? [{ ...chart, specs: found[side]! }] : [];
    });
    withCommonScales(charts).forEach((spec, index) => charts[index]!.specs.set(charts[index]!.id, spec));
  }
  return found;
}

const chartsOf = ({ thread, viewContext, loaded }: Replica) =>
  lastQueries(thread).flatMap(({ toolCallId: id, payload: { vegaSpec, table } }) => {
    const spec = viewContext.chartSpecs.find(([changed]) => changed === id)?.[1] ?? vegaSpec;
    const whole = loaded.get(id);
    return spec && table
      ? [{ id, spec, table: chartTable(table, whole?.state === 'done' ? whole.rows : undefined) }]
      : [];
  });
