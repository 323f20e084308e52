'use client';

import { useCredential } from '@/lib/browser/credential/credential';
import { forgetOperatorKey, useOperatorKey } from '@/lib/browser/credential/operator-key';
import { seenOperator } from '@/lib/browser/credential/seen-operator';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { type CallCredential, UPSTREAM_STATES, type UpstreamHealth, type UpstreamState } from '@/lib/client';
import { askOperatorFigures } from '@/lib/client/operator-figures';
import type { GatewayFigures, OperatorFigures } from '@/lib/protocol/operator-figures';
import { useEffect } from 'react';

const REFRESH_EVERY_MS = 15_000;
const STALE_MS = 5_000;

export type OperatorView =
  /** Neither the operator's key nor the sign-in of a listed wallet is present. */
  | { kind: 'nobody' }
  | { kind: 'looking' }
  | { kind: 'failed'; error: Error; refresh: () => void }
  | {
      kind: 'operator';
      figures: OperatorFigures;
      updatedAtMs: number;
      /** Reason why the last refresh failed. The older data stays. */
      error: Error | null;
      refresh: () => void;
      /** True if the operator's key opened the page; false if a wallet's sign-in did. */
      isByKey: boolean;
    };

/** Identifies an operator by this browser's operator key, else by the wallet that pays. API keys do not count. */
export function useOperator(): OperatorView {
  const { key, isComing } = useOperatorKey();
  const credential = useCredential();
  const presented: CallCredential | null =
    key !== null ? { kind: 'apiKey', apiKey: key } : credential.kind === 'wallet' ? credential.presented : null;
  const { data, error, updatedAtMs, refetch } = useRead({
    key: ['operator-figures', presented],
    enabled: presented !== null,
    read: (signal) => askOperatorFigures(gatewayOptions(presented), { signal }),
    staleMs: STALE_MS,
    // Does not poll for visitors who are not operators.
    everyMs: (state) => (state.data === null ? null : REFRESH_EVERY_MS),
    onReturn: true,
  });
  const isLooking =
    presented === null ? isComing || credential.kind === 'pending' : data === undefined && error === null;
  const isOperator = presented !== null && data !== undefined && data !== null;
  const isUnknown = isLooking || (presented !== null && data === undefined);
  useEffect(() => {
    if (!isUnknown && seenOperator.get() !== isOperator) seenOperator.set(isOperator);
  }, [isUnknown, isOperator]);
  // Forgets an invalid key, which would otherwise take precedence over the wallet.
  const isKeyOld = key !== null && data === null;
  useEffect(() => {
    if (isKeyOld) forgetOperatorKey();
  }, [isKeyOld]);
  const refresh = () => void refetch();
  if (isLooking) return { kind: 'looking' };
  if (presented === null || data === null) return { kind: 'nobody' };
  if (data !== undefined)
    return { kind: 'operator', figures: data, updatedAtMs, error, refresh, isByKey: key !== null };
  return error === null ? { kind: 'looking' } : { kind: 'failed', error, refresh };
}

type Upstream = GatewayFigures['networks'][number]['upstreams'][number];

export type ListedUpstream = Omit<UpstreamHealth, 'height' | 'checkedAtMs'> & { network: string };

/** States that need attention come first. */
const ORDER: readonly UpstreamState[] = ['wrongChain', 'failing', 'resting', 'lagging', 'healthy', 'unknown'];

/** Returns the upstreams of used networks, unhealthy ones first, and the unused networks. */
export function upstreamsByUse(networks: GatewayFigures['networks']): { used: ListedUpstream[]; unused: string[] } {
  const listed = networks.map(({ network, upstreams }) => upstreams.map((upstream) => listedOf(network, upstream)));
  const isUsed = (upstreams: readonly ListedUpstream[]): boolean => upstreams.some(({ state }) => state !== 'unknown');
  const used = listed.filter(isUsed).flat();
  return {
    used: used.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)),
    unused: networks
      .filter(({ upstreams }, index) => upstreams.length > 0 && !isUsed(listed[index] ?? []))
      .map(({ network }) => network),
  };
}

function listedOf(network: string, upstream: Upstream): ListedUpstream {
  const { name, latencyP50Ms, lagBlocks, lastError } = upstream;
  return {
    network,
    name,
    state: stateOf(upstream),
    latencyP50Ms,
    lagBlocks,
    lastError: lastError && { message: lastError.message, atMs: Date.parse(lastError.at) },
  };
}

function stateOf({ state }: Upstream): UpstreamState {
  return UPSTREAM_STATES.find((known) => known === state) ?? 'unknown';
}
