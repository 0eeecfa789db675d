import { transforms } from 'vega';
import { limits } from '../../src/shared/chart/limits.ts';
import { atMost } from './budget.ts';

interface Pulse {
  source?: readonly unknown[];
}
type Params = Record<string, unknown>;
interface Transform {
  transform(params: Params, pulse: Pulse): unknown;
}
type TransformClass = new (params: unknown) => Transform;

const rowsIn = (pulse: Pulse): number => pulse.source?.length ?? 0;
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

const intervalLength: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1e3,
  minute: 6e4,
  hour: 36e5,
  day: 864e5,
  week: 6048e5,
  month: 2592e6,
  year: 31536e6,
};

/** How many ticks a scale would get. */
function ticks({ count, scale }: Params): number {
  if (typeof count === 'number') return count;
  const asked =
    typeof count === 'string' ? { interval: count } : ((count ?? {}) as { interval?: string; step?: number });
  const unit = asked.interval === undefined ? undefined : intervalLength[asked.interval.replace(/^utc|s$/g, '')];
  const domain = (scale as { domain?: () => unknown[] } | undefined)?.domain?.() ?? [];
  if (unit === undefined || domain.length < 2) return 0;
  return (Number(domain.at(-1)) - Number(domain[0])) / (unit * (asked.step ?? 1));
}

function bins({ bins: asked }: Params): number {
  if (Array.isArray(asked)) return asked.length;
  const { start = 0, stop = 0, step = 1 } = (asked ?? {}) as Record<string, number>;
  return Math.abs((stop - start) / step) || 0;
}

/** What each generating transform would make, from its parameters, before it makes it. */
const makes: Readonly<Record<string, (params: Params, pulse: Pulse) => number>> = {
  sequence: ({ start = 0, stop = 0, step = 1 }) => Math.abs((Number(stop) - Number(start)) / Number(step)),
  fold: ({ fields }, pulse) => (rowsIn(pulse) * lengthOf(fields)) / 5,
  impute: ({ keyvals, groupby }, pulse) => (lengthOf(keyvals) * (lengthOf(groupby) > 0 ? rowsIn(pulse) : 1)) / 100,
  kde: ({ steps, maxsteps }) => Number(steps ?? maxsteps ?? 0),
  density: ({ steps, maxsteps }) => Number(steps ?? maxsteps ?? 0),
  quantile: ({ step, probs }) => (probs ? lengthOf(probs) : step === undefined ? 0 : 1 / Number(step)),
  loess: (_params, pulse) => rowsIn(pulse) ** 2 / 2_500,
  axisticks: ticks,
  legendentries: ticks,
  scale: bins,
};

/** Puts a check in front of the transforms that multiply. To be called once. */
export function boundTransforms(): void {
  const registry = transforms as unknown as Record<string, TransformClass>;
  for (const [name, count] of Object.entries(makes)) {
    const Original = registry[name];
    if (!Original) continue;
    registry[name] = class extends Original {
      override transform(params: Params, pulse: Pulse): unknown {
        atMost(count(params, pulse), limits.generated);
        return super.transform(params, pulse);
      }
    };
  }
}
