import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, hold, holdThat } from './fault';
import { type Answer, Gateway } from './gateway';
import { PatroniCluster } from './patroni';
import { start } from './process-faults';

const CALLERS = 16;
const PAUSE_MS = 20;
const RETRY_MS = 250;
const BACK_WITHIN_MS = 30_000;
const GIVE_UP_MS = 120_000;

/** Answer to one attempt, with the time at which the attempt was made. */
interface Attempt extends Answer {
  gateway: number;
  startedAt: number;
}

/** Attempts of one call. A call without an Idempotency-Key has only one attempt. */
type Call = Attempt[];

export const postgresFailover: Fault = {
  name: 'postgres-failover',
  title: "Patroni's primary is killed under load, again and again",
  run: async (stage) => {
    const cluster = stage.track(await PatroniCluster.start(), (each) => each.remove());
    const config = { idempotency: { callerKeysMax: 10_000_000 } };
    const { node, gateway: direct, price } = await start(stage, { databaseUrl: cluster.url, config });
    const pooled = stage.track(
      await Gateway.start({ upstream: node.url, databaseUrl: cluster.pooledUrl, config }),
      (each) => each.remove(),
    );
    // Lets both gateways serve the same callers.
    pooled.keys.splice(0, pooled.keys.length, ...direct.keys);
    const load = new Load([direct, pooled]);
    const running = load.run();
    const outages: string[] = [];
    for (let kill = 1; kill <= stage.kills; kill++) {
      await Promise.race([sleep(stage.killEverySeconds * 1_000), running]);
      await cluster.healthy();
      const killed = await cluster.killPrimary();
      const at = performance.now();
      const backMs = await load.servedAfter(at);
      const refused = load.attempts().filter(({ startedAt, status }) => startedAt > at - 10_000 && status === 503);
      const slowestMs = Math.max(0, ...refused.map(({ ms }) => ms));
      outages.push(`${Math.max(...backMs)}`);
      process.stderr.write(
        `  kill ${kill}, ${killed}: served again after ${backMs.join(' and ')} ms; ${refused.length} calls were 503, the slowest after ${slowestMs} ms\n`,
      );
      cluster.revive(killed);
      holdThat(`served again within ${BACK_WITHIN_MS} ms`, Math.max(...backMs) < BACK_WITHIN_MS);
    }
    await cluster.healthy();
    load.end();
    await running;
    const locked = load.calls.flat().flatMap((call) => call.filter(isLocked));
    const odd = load
      .attempts()
      .filter((answer) => answer.status !== 200 && !isRefusal(answer) && !locked.includes(answer));
    hold('answers other than 200 and 503 STORE_UNAVAILABLE with Retry-After', tally(odd), []);
    const charged = await proveCharges(cluster, load.calls, price);
    hold('charged by the balances', direct.charged(), charged.nanoUsd + price);
    hold('faults of the books', direct.books(), []);
    return {
      callers: `503 \`STORE_UNAVAILABLE\` with \`Retry-After\`, ${load.attempts().filter(isRefusal).length} times; 429 \`CONCURRENT_CALL\` to a repetition, ${locked.length} times; ${charged.answered} calls are answered`,
      charged: `each answered call once; of ${charged.unconfirmed} whose error said that they may be charged, ${charged.chargedUnconfirmed}`,
      operator: `${stage.kills} kills; TurnpikeStoreUnavailable`,
      ends: `by itself, after ${Math.min(...outages.map(Number))} to ${Math.max(...outages.map(Number))} ms`,
    };
  },
};

/** Callers who call two gateways in turn. Every second caller sends Idempotency-Keys and repeats calls that fail. */
class Load {
  readonly calls: Call[][] = Array.from({ length: CALLERS }, () => []);
  #isOver = false;

  constructor(private readonly gateways: readonly Gateway[]) {}

  async run(): Promise<void> {
    await Promise.all(this.calls.map((_none, caller) => this.#callOn(caller)));
  }

  end(): void {
    this.#isOver = true;
  }

  attempts(): Attempt[] {
    return this.calls.flat(2);
  }

  /**
   * Waits until each gateway has served a call that began after `at`.
   * @returns for each gateway, the milliseconds from `at` until that call was served
   */
  async servedAfter(at: number): Promise<number[]> {
    for (;;) {
      const served = this.gateways.map((_gateway, index) =>
        this.attempts().find(({ gateway, startedAt, status }) => gateway === index && startedAt > at && status === 200),
      );
      if (served.every((attempt) => attempt !== undefined))
        return served.map(({ startedAt, ms }) => Math.round(startedAt + ms - at));
      if (performance.now() - at > GIVE_UP_MS) throw new Error(`No call was served within ${GIVE_UP_MS} ms.`);
      await sleep(100);
    }
  }

  async #callOn(caller: number): Promise<void> {
    for (let turn = 1; !this.#isOver; turn++) {
      const address = 1_000_000 * (caller + 1) + turn;
      const idempotencyKey = caller % 2 === 0 ? `call-${address}` : undefined;
      const call: Call = [];
      this.calls[caller]?.push(call);
      for (let attempt = turn; ; attempt++) {
        const gateway = attempt % this.gateways.length;
        const startedAt = performance.now();
        const answer = await (this.gateways[gateway] as Gateway).read(caller, address, idempotencyKey);
        call.push({ ...answer, gateway, startedAt });
        if (answer.status === 200 || idempotencyKey === undefined) break;
        if (startedAt - (call[0] as Attempt).startedAt > GIVE_UP_MS) return;
        await sleep(RETRY_MS);
      }
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Compares every charge of the ledger with the answers.
 *
 * @throws Error if an answered call is not charged exactly once, or if a refused call is charged although its error did
 * not announce a charge
 */
async function proveCharges(cluster: PatroniCluster, calls: readonly Call[][], price: bigint) {
  const rows = await cluster.query<{ id: string; account: string; rows: string; amount: string }>(
    `select request_id as id, account_id as account, count(*) as rows, -sum(amount) as amount from ledger where kind = 'CHARGE' group by request_id, account_id`,
  );
  const charges = new Map(rows.map((row) => [row.id, row]));
  const wrong: string[] = [];
  let [answered, unconfirmed, chargedUnconfirmed, nanoUsd] = [0, 0, 0, 0n];
  for (const [caller, made] of calls.entries()) {
    const accounts = new Set<string>();
    let sum = 0n;
    for (const call of made) {
      const charged = call.flatMap(({ requestId }) => charges.get(requestId) ?? []);
      const isAnswered = call.at(-1)?.status === 200;
      const mayBe = call.some(mayBeCharged);
      if (isAnswered) answered++;
      else if (mayBe) unconfirmed++;
      if (!isAnswered) chargedUnconfirmed += charged.length;
      const amount = charged.reduce((total, row) => total + BigInt(row.amount), 0n);
      const isRight =
        isAnswered || (mayBe && charged.length > 0) ? amount === price && charged.length === 1 : amount === 0n;
      if (!isRight) wrong.push(`caller ${caller}, ${amount} for ${JSON.stringify(call)}`);
      for (const { account } of charged) accounts.add(account);
      sum += amount;
    }
    hold(`accounts of caller ${caller}`, accounts.size, 1);
    const [account] = accounts;
    const first = caller === 0 ? price : 0n;
    const ofAccount = rows
      .filter((row) => row.account === account)
      .reduce((total, row) => total + BigInt(row.amount), 0n);
    hold(`charges of caller ${caller} in the ledger`, ofAccount, sum + first);
    nanoUsd += sum;
  }
  hold('calls that are charged wrongly', wrong.slice(0, 5), []);
  return { answered, unconfirmed, chargedUnconfirmed, nanoUsd };
}

function isRefusal({ status, code, retryAfter }: Answer): boolean {
  return status === 503 && code === 'STORE_UNAVAILABLE' && Number(retryAfter) > 0;
}

/** True for a repetition whose Idempotency-Key is still held by the attempt before it. */
function isLocked({ status, code }: Attempt, index: number): boolean {
  return index > 0 && status === 429 && code === 'CONCURRENT_CALL';
}

function mayBeCharged({ error }: Answer): boolean {
  return error.includes('may have been charged');
}

function tally(answers: readonly Attempt[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { status, code, retryAfter, error } of answers) {
    const text = [status, code, `Retry-After ${retryAfter}`, error].join(' ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts];
}
