import type { Logger } from 'pino';
import type { Backend } from './backend';
import { checkHealth, type HealthCheckOptions } from './health-check';

/** Networks idle for this long are not checked. */
const IN_USE_MS = 300_000;
const TICK_MS = 500;
const UNDECIDED_MS = 2_000;
/** A healthy sole upstream is checked less often, because its checks only refresh the final block. */
const SOLE_UPSTREAM_FACTOR = 6;
/** Every nth check also verifies the chain and reads the final block. */
const THOROUGH_EVERY = 6;
const JITTER = 0.2;

interface HealthScheduleOptions extends Omit<HealthCheckOptions, 'lagBlocksMax'> {
  intervalMs: number;
  lagBlocksMaxOf: (backend: Backend) => number;
  /** Whether to check before first use. False for local stand-ins, which start with their first call. */
  isCheckedAtOnce: (backend: Backend) => boolean;
}

interface Plan {
  dueAt: number;
  checks: number;
  running: boolean;
}

/**
 * Checks every network until the state of its upstreams is known, then only networks in use. Jitter separates the
 * checks of several gateways.
 */
export class HealthSchedule {
  readonly #plans = new Map<Backend, Plan>();
  readonly #timer: NodeJS.Timeout | null;
  readonly #first: NodeJS.Immediate | null;

  constructor(
    private readonly backends: readonly Backend[],
    private readonly options: HealthScheduleOptions,
    private readonly log: Logger | null,
  ) {
    this.#timer =
      options.intervalMs > 0 && backends.length > 0
        ? setInterval(() => this.#tick(), Math.min(TICK_MS, options.intervalMs))
        : null;
    this.#timer?.unref();
    this.#first = this.#timer && setImmediate(() => this.#tick());
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    if (this.#first) clearImmediate(this.#first);
  }

  #tick(): void {
    const now = performance.now();
    for (const backend of this.backends) {
      const { usedAt, watchedAt } = backend.pool;
      const wantedAt = Math.max(usedAt ?? -Infinity, watchedAt ?? -Infinity);
      if (now - wantedAt > IN_USE_MS && !(this.options.isCheckedAtOnce(backend) && isUndecided(backend))) continue;
      const plan = this.#planOf(backend, now);
      if (!plan.running && now >= plan.dueAt) void this.#check(backend, plan);
    }
  }

  #planOf(backend: Backend, now: number): Plan {
    let plan = this.#plans.get(backend);
    if (!plan) this.#plans.set(backend, (plan = { dueAt: now, checks: 0, running: false }));
    return plan;
  }

  async #check(backend: Backend, plan: Plan): Promise<void> {
    plan.running = true;
    const options: HealthCheckOptions = { ...this.options, lagBlocksMax: this.options.lagBlocksMaxOf(backend) };
    const thorough = !backend.pool.hasPeers || plan.checks % THOROUGH_EVERY === 0;
    await checkHealth(backend, options, thorough, (node, sentence, isGood) => {
      this.log?.[isGood ? 'info' : 'warn'](
        { network: backend.network.slug, upstream: node.name, ...(!isGood && { reason: sentence }) },
        isGood ? 'upstream became healthy' : 'upstream became unhealthy',
      );
    });
    plan.checks++;
    plan.running = false;
    plan.dueAt = performance.now() + this.#interval(backend);
  }

  #interval(backend: Backend): number {
    const { intervalMs } = this.options;
    const isQuiet = !backend.pool.hasPeers && backend.pool.nodes.every(({ health }) => !health.isFailing);
    const untilNextMs = isUndecided(backend)
      ? Math.min(intervalMs, UNDECIDED_MS)
      : intervalMs * (isQuiet ? SOLE_UPSTREAM_FACTOR : 1);
    return untilNextMs * (1 - JITTER + 2 * JITTER * Math.random());
  }
}

function isUndecided({ pool }: Backend): boolean {
  return pool.nodes.some(({ health }) => health.isUndecided);
}
