import { isRecord, list, object, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { amountOf, listOf, recordOf, textOf } from './lenient-values';

/** How the upstreams of one network are, as GET /api/network-health tells it. */
export interface NetworkHealth {
  /** Network slug. */
  network: string;
  /** In the order of the operator's configuration. */
  upstreams: readonly UpstreamHealth[];
}

export const UPSTREAM_STATES = ['healthy', 'lagging', 'resting', 'failing', 'wrongChain', 'unknown'] as const;
/** `unknown` until it was first asked; `wrongChain` where it serves another chain than its network's, and is never asked; `resting` after it asked for fewer requests; `failing` while calls go elsewhere. */
export type UpstreamState = (typeof UPSTREAM_STATES)[number];

/** One upstream by its place in the configuration; its URL stays with the operator. */
export interface UpstreamHealth {
  name: string;
  state: UpstreamState;
  /** Median round trip of its last answers to the gateway, milliseconds. */
  latencyP50Ms: number | null;
  /** Newest block or slot as a decimal text: it may lie beyond 2^53. */
  height: string | null;
  /** Blocks or slots behind the best upstream of its network. */
  lagBlocks: number | null;
  /** `atMs` is Unix time in milliseconds. */
  lastError: { message: string; atMs: number | null } | null;
  /** What it was found not to serve, and how often others outvoted it, as the gateway tells it; absent where it tells nothing. */
  limits?: Readonly<Record<string, unknown>>;
}

const networkList = object({ networks: list(text) });

/** The live list of network slugs, sorted. Public; limited by IP. @throws GatewayError, UnreachableError */
export async function listNetworks(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<readonly string[]> {
  return (await fitting(networkList, await exchanger(options)('GET', '/api/v1/crypto/rpc/networks', callOptions)))
    .networks;
}

/** How the upstreams of every network are. Public, for the console on the gateway's own origin. @throws GatewayError, UnreachableError */
export async function askNetworkHealth(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<readonly NetworkHealth[]> {
  const { body } = await exchanger(options)('GET', '/api/network-health', callOptions);
  return readNetworkHealth(body);
}

/** Reads the body of the answer. Never throws: what is not of the known shape is left out, or `unknown`. */
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
  const atMs = typeof value.at === 'string' ? Date.parse(value.at) : NaN;
  return { message, atMs: Number.isNaN(atMs) ? null : atMs };
}
