import { parseUsd } from '@/lib/protocol/parse-usd';
import { formatUsd, type NanoUsd } from '@/lib/protocol/pricing';
import { printableLine } from '../printable';

/** Maximum length of `leftOut` in a printed line. */
const LEFT_OUT_CHARACTERS_MAX = 300;

export interface ProxiedCall {
  method: string;
  /** Path of the request, without the proxy's token. */
  path: string;
  status: number;
  durationMs: number;
  requestId: string | null;
  /** Wallet balance after the gateway's hold. */
  balanceRemainingUsd: string | null;
  /** Gateway's charge: exact decimal USD; null if unknown. */
  costUsd: string | null;
  problem: string | null;
  leftOut: readonly string[];
}

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

export class Spending {
  calls = 0;
  #nanoUsd = 0;

  add({ costUsd }: Pick<ProxiedCall, 'costUsd'>): void {
    this.calls++;
    if (costUsd !== null) this.#nanoUsd = Math.min(this.#nanoUsd + nanoUsdOf(costUsd), Number.MAX_SAFE_INTEGER);
  }

  /** Exact decimal USD. */
  get usd(): string {
    return shortUsd(formatUsd(this.#nanoUsd, 9));
  }
}

function nanoUsdOf(costUsd: string): NanoUsd {
  try {
    return parseUsd(costUsd);
  } catch {
    return 0;
  }
}

function shortUsd(usd: string): string {
  return usd.replace(/(\.\d\d\d*?)0+$/, '$1');
}
