'use client';

import { isSendableKey, seenOperator, useCredential } from '@/lib/browser/credential/credential';
import { forgetOperatorKey, keepOperatorKey, useOperatorKey } from '@/lib/browser/credential/operator-key';
import { useHasPassed } from '@/lib/browser/page/clock';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useAction, useRead } from '@/lib/browser/reads/use-read';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { sameAddress, useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { type CallCredential, UPSTREAM_STATES, type UpstreamHealth, type UpstreamState } from '@/lib/client';
import type { GatewayFigures, OperatorFigures } from '@/lib/protocol/operator-figures';
import { useEffect, useState } from 'react';
import { operatorWords } from './words';

const REFRESH_EVERY_MS = 15_000;
const STALE_MS = 5_000;

export type OperatorView =
  | { kind: 'nobody' }
  | { kind: 'refused'; address: string }
  | { kind: 'looking' }
  | { kind: 'failed'; error: Error; refresh: () => void }
  | {
      kind: 'operator';
      figures: OperatorFigures;
      updatedAtMs: number;
      error: Error | null;
      refresh: () => void;
      presented: CallCredential;
      isByKey: boolean;
    };

/** Identifies an operator by this browser's operator key, else by a wallet's sign-in. API keys do not count. */
export function useOperator(): OperatorView {
  const { key, isComing } = useOperatorKey();
  const credential = useCredential();
  const wallet = useSignedInWallet();
  const presented: CallCredential | null = key !== null ? { kind: 'apiKey', apiKey: key } : (wallet?.presented ?? null);
  const { data, error, updatedAtMs, refetch } = useRead({
    key: ['operator-figures', presented],
    enabled: presented !== null,
    read: async (signal) => {
      const { askOperatorFigures } = await import('@/lib/client/operator-figures');
      return askOperatorFigures(gatewayOptions(presented), { signal });
    },
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
  if (presented === null) return { kind: 'nobody' };
  if (data === null)
    return wallet === null || key !== null ? { kind: 'nobody' } : { kind: 'refused', address: wallet.address };
  if (data !== undefined)
    return { kind: 'operator', figures: data, updatedAtMs, error, refresh, presented, isByKey: key !== null };
  return error === null ? { kind: 'looking' } : { kind: 'failed', error, refresh };
}

function useSignedInWallet(): { address: string; presented: CallCredential } | null {
  const credential = useCredential();
  const wallets = useConnectedWallets();
  const payer = credential.kind === 'wallet' ? [credential] : [];
  const signIn = useSignIns().find(({ address }) =>
    [...wallets, ...payer].some((each) => sameAddress(each.address, address)),
  );
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  return signIn === undefined || hasEnded
    ? null
    : { address: signIn.address, presented: { kind: 'signIn', signIn: signIn.header } };
}

type Upstream = GatewayFigures['networks'][number]['upstreams'][number];

export type ListedUpstream = Omit<UpstreamHealth, 'height' | 'checkedAtMs'> & { network: string };

const ORDER: readonly UpstreamState[] = ['wrongChain', 'failing', 'resting', 'lagging', 'healthy', 'unknown'];

/** Lists unhealthy upstreams first. */
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

const keyWords = operatorWords.signIn.key;

export function useKeyEntry() {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isPending, error } = useAction(async (apiKey: string) => {
    const { askOperatorFigures } = await import('@/lib/client/operator-figures');
    const figures = await askOperatorFigures(gatewayOptions({ kind: 'apiKey', apiKey }));
    if (figures === null) setProblem(keyWords.notAccepted);
    else keepOperatorKey(apiKey);
  });
  return {
    key,
    isPending,
    problem: problem ?? (isPending ? null : (error?.message ?? null)),
    enter: (text: string) => {
      setKey(text.trim());
      setProblem(null);
    },
    submit: () => {
      const fault = key === '' ? keyWords.empty : isSendableKey(key) ? null : keyWords.malformed;
      setProblem(fault);
      if (fault === null && !isPending) void run(key);
    },
  };
}
