import { isRecord, recordOf } from '@/lib/protocol/json-record';
import { amountOf, listOf, textOf } from './lenient-values';
import { list, object, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Health of one network's upstreams (GET /api/network-health). */
export interface NetworkHealth {
  network: string;
  /** Upstreams in the configured order. */
  upstreams: readonly UpstreamHealth[];
}

export const UPSTREAM_STATES = ['healthy', 'lagging', 'resting', 'failing', 'wrongChain', 'unknown'] as const;
/**
 * `unknown`: no answer yet. `wrongChain`: serves another chain and gets no requests. `resting`: paused after a rate
 * limit or used-up credits. `failing`: avoided after errors.
 */
export type UpstreamState = (typeof UPSTREAM_STATES)[number];

/** An upstream, identified by its position in the configuration. Its URL is not public. */
export interface UpstreamHealth {
  name: string;
  state: UpstreamState;
  /** Median round trip of recent answers, in milliseconds. */
  latencyP50Ms: number | null;
  /** Newest block or slot as decimal text, because it may exceed 2^53. */
  height: string | null;
  /** Blocks or slots behind the network's best upstream. */
  lagBlocks: number | null;
  /** `atMs` is in Unix milliseconds. */
  lastError: { message: string; atMs: number | null } | null;
  /** Unix milliseconds; null before the first check. */
  checkedAtMs: number | null;
  /**
   * Observed limits of this upstream: pruned data, range and batch sizes, missing methods, and how often its answers
   * differed from the majority.
   */
  limits?: Readonly<Record<string, unknown>>;
}

const networkList = object({ networks: list(text) });

/**
 * Fetches the slugs of the live networks, sorted. Public; limited by IP.
 *
 * @throws {GatewayError | UnreachableError}
 */
export async function listNetworks(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<readonly string[]> {
  return (await fitting(networkList, await exchanger(options)('GET', '/api/v1/crypto/rpc/networks', callOptions)))
    .networks;
}

/**
 * Fetches the state of all networks' upstreams. Public, but without CORS headers.
 *
 * @throws {GatewayError | UnreachableError}
 */
export async function askNetworkHealth(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<readonly NetworkHealth[]> {
  const { body } = await exchanger(options)('GET', '/api/network-health', callOptions);
  return readNetworkHealth(body);
}

/** Parses network health. Never throws; malformed parts are left out or `unknown`. */
export function readNetworkHealth(body: unknown): readonly NetworkHealth[] {
  return listOf(recordOf(body)['networks'])
    .filter(isRecord)
    .flatMap((entry) => {
      const network = textOf(entry.network);
      return network === null
        ? []
        : [{ network, upstreams: listOf(entry['upstreams']).filter(isRecord).map(readUpstream) }];
    });
}

function readUpstream(entry: Readonly<Record<string, unknown>>, index: number): UpstreamHealth {
  return {
    name: textOf(entry.name) ?? `upstream ${index + 1}`,
    state: UPSTREAM_STATES.find((state) => state === entry.state) ?? 'unknown',
    latencyP50Ms: amountOf(entry.latencyP50Ms),
    height: readHeight(entry.height),
    lagBlocks: amountOf(entry.lagBlocks),
    lastError: readLastError(entry.lastError),
    checkedAtMs: readMoment(entry['checkedAt']),
    ...(isRecord(entry['limits']) && { limits: entry['limits'] }),
  };
}

function readHeight(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,40}$/.test(text) ? text : null;
}

function readLastError(value: unknown): UpstreamHealth['lastError'] {
  if (!isRecord(value)) return null;
  const message = textOf(value.message);
  if (message === null) return null;
  return { message, atMs: readMoment(value.at) };
}

function readMoment(value: unknown): number | null {
  const atMs = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? null : atMs;
}
