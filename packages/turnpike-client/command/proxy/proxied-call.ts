import { formatUsd, type NanoUsd, parseUsd } from '@/lib/protocol/pricing';
import { printableLine } from '../printable';

/** A line of a terminal, not the whole of a request. */
const LEFT_OUT_CHARACTERS_MAX = 300;

/** A call that has come to its end, for whoever watches. */
export interface ProxiedCall {
  method: string;
  /** Without the token. */
  path: string;
  status: number;
  durationMs: number;
  requestId: string | null;
  /** Of a wallet, after the call was reserved. */
  balanceRemainingUsd: string | null;
  /** What the gateway charged: decimal USD, exact; null where it does not say. */
  costUsd: string | null;
  /** Why it was refused, or did not come to its end; null where all went well. */
  problem: string | null;
  /** The parts of the request that the model was not sent. */
  leftOut: readonly string[];
}

/** A call as a line for people. */
export function describeCall({
  method,
  path,
  status,
  durationMs,
  costUsd,
  balanceRemainingUsd,
  problem,
  leftOut,
}: ProxiedCall): string {
  const cost = costUsd === null ? '' : `, ${shortUsd(costUsd)} USD`;
  const rest = balanceRemainingUsd === null ? '' : `, ${balanceRemainingUsd} USD left`;
  const reason = problem === null ? '' : `\n  ${printableLine(problem)}`;
  const omitted =
    leftOut.length === 0 ? '' : `\n  Left out: ${printableLine(leftOut.join('; ').slice(0, LEFT_OUT_CHARACTERS_MAX))}`;
  return `${method} ${printableLine(path)}: ${status} in ${durationMs} ms${cost}${rest}${reason}${omitted}\n`;
}

/** The sum of what calls cost. */
export class Spending {
  calls = 0;
  #nanoUsd = 0;

  add({ costUsd }: Pick<ProxiedCall, 'costUsd'>): void {
    this.calls++;
    if (costUsd !== null) this.#nanoUsd = Math.min(this.#nanoUsd + nanoUsdOf(costUsd), Number.MAX_SAFE_INTEGER);
  }

  /** Decimal USD, exact. */
  get usd(): string {
    return shortUsd(formatUsd(this.#nanoUsd, 9));
  }
}

/** 0 for what is no price: the gateway wrote it, and its calls were made all the same. */
function nanoUsdOf(costUsd: string): NanoUsd {
  try {
    return parseUsd(costUsd);
  } catch {
    return 0;
  }
}

/** Without zeros at the end that say nothing; cents stay. */
function shortUsd(usd: string): string {
  return usd.replace(/(\.\d\d\d*?)0+$/, '$1');
}
