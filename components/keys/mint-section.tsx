'use client';

import { readQuantity } from '@/components/json/summarize-quantity';
import { FailureCard } from '@/components/paying/recovery/failure-card';
import { performCall, type RpcCallState } from '@/components/rpc/perform-call';
import { checkRequest } from '@/components/rpc/request-text';
import { curlSample } from '@/components/rpc/rpc-samples';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { StepMark, type StepMarkKind } from '@/components/ui/step-mark';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { enterKey, maskCredential, useOwnKey } from '@/lib/browser/credential/credential';
import { useNow } from '@/lib/browser/page/clock';
import { useNetworks } from '@/lib/browser/reads/networks';
import { useIsConnected } from '@/lib/browser/reads/settings';
import { firstRequestOf } from '@/lib/browser/rpc/first-request';
import { formatBalance, formatCost, formatUsdNumber } from '@/lib/browser/text/amounts';
import { formatCountdown } from '@/lib/browser/text/moments';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import type { CallCredential, MintedKey, StakingDeployment } from '@/lib/client';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Config } from 'wagmi';
import { KEYS_ANCHOR, useRevokedKeys } from './key-changes';
import { mintWords as words } from './key-list-words';
import { useMintDraft } from './mint-fields';
import { MintForm } from './mint-form';
import { dailyAllocationUsd } from './staking/allocation';
import { useKnownStakes } from './staking/pool-state';
import { firstCallNetwork, mintAdviceOf, type MintState, useMint, useWalletBalance } from './use-mint';

interface MintSectionProps {
  wallet: ConnectedWallet;
  config: Config;
  deployment: StakingDeployment;
  symbols: { stake: string; dailyCredit: string };
  dailyPoolUsd: number;
}

export function MintSection({ wallet, config, deployment, symbols, dailyPoolUsd }: MintSectionProps) {
  const { state, mint, clear, clearFailure } = useMint();
  const { chain } = useWalletChain();
  const { staked, lacksStake, lacksAllocation, dailyStake } = useKnownStakes({ wallet, config, deployment });
  const prepaidUsd = useWalletBalance(wallet.address)?.x402Usd ?? null;
  const dailyUsd = dailyStake === null ? null : dailyAllocationUsd({ ...dailyStake, dailyPoolUsd });
  const allocationUsd = dailyUsd === null ? null : words.spends.today(formatBalance(dailyUsd));
  const draft = useMintDraft();
  const { clear: clearDraft } = draft;
  const [isAnother, setIsAnother] = useState(false);
  const isDone = state.step === 'done';
  const revoked = useRevokedKeys();
  const isOver = state.step === 'done' && revoked.has(state.key.id);
  useEffect(() => {
    if (isOver) clear();
  }, [isOver, clear]);
  useEffect(() => {
    if (isDone) clearDraft();
  }, [isDone, clearDraft]);
  useEffect(() => {
    // A change of stake may have removed the cause of an earlier failure.
    clearFailure();
  }, [staked, clearFailure]);
  const isRunning = state.step === 'token' || state.step === 'signature' || state.step === 'check';
  return (
    <section aria-label={words.title} className="grid gap-4 rounded-md border border-line p-4">
      <header className="grid gap-1">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <p className="text-sm text-dim">{words.intro(symbols.stake)}</p>
      </header>
      {state.step === 'done' ? (
        <MintedKeyCard
          minted={state.key}
          allow={state.allow}
          lackingSymbol={lacksAllocation ? symbols.dailyCredit : null}
          onDone={() => (setIsAnother(true), clear())}
        />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <MintForm
            draft={draft}
            isRunning={isRunning}
            problem={lacksStake ? words.stakeFirst(symbols.stake) : null}
            takesFocus={isAnother}
            allocation={lacksAllocation ? words.spends.none(symbols.dailyCredit) : allocationUsd}
            prepaidUsd={prepaidUsd}
            hasNoAllocation={lacksAllocation}
            onMint={(wish) => void mint(wallet.address, wish)}
          />
          <MintSteps state={state} stakeSymbol={symbols.stake} network={chain.name} />
        </div>
      )}
    </section>
  );
}

/**
 * Shows the new key once, and the balances that pay for its calls.
 * @param lackingSymbol symbol of the token that the wallet would have to stake for an allocation; null if the wallet
 *   has that stake
 */
function MintedKeyCard({
  minted,
  allow,
  lackingSymbol,
  onDone,
}: {
  minted: MintedKey;
  allow: MintWish['allow'];
  lackingSymbol: string | null;
  onDone: () => void;
}) {
  const copy = useRef<HTMLButtonElement>(null);
  // The pressed button is gone, so focus moves to Copy.
  useEffect(() => {
    copy.current?.focus();
  }, []);
  const hasMoney = lackingSymbol === null || minted.prepaidLimitUsd !== undefined;
  const inUse = useOwnKey()?.apiKey === minted.apiKey;
  return (
    <div className="grid gap-3">
      <Notice tone="warn" title={words.copyNow}>
        {words.onlyHash}
      </Notice>
      <code
        aria-label={words.newKey}
        className="figures rounded-md border border-line bg-surface px-3 py-2 text-sm break-all"
      >
        {minted.apiKey}
      </code>
      <p className="text-sm text-dim">
        {minted.prepaidLimitUsd !== undefined
          ? words.spendsPrepaid(formatUsdNumber(minted.prepaidLimitUsd))
          : lackingSymbol === null
            ? words.spendsAllocation
            : words.spendsNothing(lackingSymbol)}
      </p>
      {hasMoney && <FirstKeyCall apiKey={minted.apiKey} allow={allow} />}
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton
          ref={copy}
          tone="primary"
          size="md"
          text={minted.apiKey}
          label={words.copyKey}
          aria-label={words.copyKey}
        />
        {!hasMoney ? (
          <Button asChild>
            <a href={`#${KEYS_ANCHOR}`}>{words.addMoney}</a>
          </Button>
        ) : (
          <Button disabled={inUse} onClick={() => enterKey({ apiKey: minted.apiKey, remember: false })}>
            {inUse ? words.inUse : words.useNow}
          </Button>
        )}
        <Button onClick={onDone}>{words.another}</Button>
      </div>
    </div>
  );
}

function FirstKeyCall({ apiKey, allow }: { apiKey: string; allow: MintWish['allow'] }) {
  const { networks } = useNetworks();
  const isConnected = useIsConnected();
  const network = firstCallNetwork(
    networks.filter(({ slug }) => isConnected(slug)),
    allow,
  );
  const text = firstRequestOf(network?.slug ?? '');
  const check = checkRequest(text);
  const [state, setState] = useState<RpcCallState>({ status: 'idle' });
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  if (network === undefined || !check.ok) return null;
  const credential: CallCredential = { kind: 'apiKey', apiKey };
  const commandWith = (presented: CallCredential) =>
    curlSample({
      url: `${window.location.origin}/api/v1/crypto/rpc/${network.slug}`,
      credential: presented,
      idempotencyKey: null,
      document: check.document,
      calls: check.calls,
      isBatch: false,
    });
  const run = async () => {
    const controller = new AbortController();
    leaving.current = controller;
    const request = { network: network.slug, text, calls: check.calls, credential, idempotencyKey: null };
    setState({ status: 'sending', request });
    const ended = await performCall(request, controller.signal);
    if (!controller.signal.aborted) setState(ended);
  };
  return (
    <section aria-label={words.tryCommand} className="grid gap-2">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-sm font-medium">{words.tryIt}</h3>
        <CopyButton text={() => commandWith(credential)} label={words.copyCommand} iconOnly />
        <Button size="sm" disabled={state.status === 'sending'} onClick={() => void run()}>
          <Play aria-hidden />
          {state.status === 'sending' ? words.isRunning : words.run}
        </Button>
      </div>
      <pre
        tabIndex={0}
        className="figures overflow-x-auto rounded-md border border-line bg-surface px-3 py-2 text-xs whitespace-pre"
      >
        {commandWith(maskCredential(credential))}
      </pre>
      <p className="text-xs text-dim">{words.copyIsWhole}</p>
      <p role="status" className="figures min-h-5 text-sm text-good">
        {state.status === 'answered' && sentenceOf(state)}
      </p>
      {state.status === 'failed' && <FailureCard error={state.error} onRetry={() => void run()} />}
    </section>
  );
}

function sentenceOf({ answer }: Extract<RpcCallState, { status: 'answered' }>): string {
  const [item] = answer.items;
  if (item?.error !== undefined) return item.error.message;
  const result = typeof item?.result === 'object' ? '' : String(item?.result ?? '');
  return words.ran(readQuantity(result) ?? result, answer.costUsd === null ? '' : formatCost(answer.costUsd));
}

const STEPS = ['token', 'signature', 'check'] as const;
type Step = (typeof STEPS)[number];

function MintSteps({ state, stakeSymbol, network }: { state: MintState; stakeSymbol: string; network: string }) {
  const purposes: Record<Step, string> = {
    token: words.tokenStep,
    signature: words.signatureStep,
    check: words.checkStep(stakeSymbol),
  };
  return (
    <div className="grid content-start gap-3">
      <ol aria-label={words.stepsLabel} className="grid gap-3">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-2.5 text-sm">
            <StepMark kind={markOf(state, step)} />
            <div className="grid gap-0.5">
              <p className="font-medium">
                {index + 1}. {words.steps[step]}{' '}
                {step === 'signature' && state.step === 'signature' && (
                  <span className="font-normal text-dim">{words.lookAtWallet}</span>
                )}
              </p>
              <p className="text-xs text-dim">{purposes[step]}</p>
              {step === 'token' && 'tokenEndsAtMs' in state && <TokenCountdown endsAtMs={state.tokenEndsAtMs} />}
            </div>
          </li>
        ))}
      </ol>
      {state.step === 'failed' && <MintProblem error={state.error} pool={{ symbol: stakeSymbol, network }} />}
    </div>
  );
}

function markOf(state: MintState, step: Step): StepMarkKind {
  const reached = state.step === 'failed' ? state.at : state.step;
  if (reached === 'idle') return 'waiting';
  if (reached === 'done') return 'done';
  const [at, here] = [STEPS.indexOf(reached), STEPS.indexOf(step)];
  if (here < at) return 'done';
  if (here > at) return 'waiting';
  return state.step === 'failed' ? 'failed' : 'active';
}

function TokenCountdown({ endsAtMs }: { endsAtMs: number }) {
  const leftMs = endsAtMs - useNow(1000);
  return (
    <p className="text-xs text-dim">
      {leftMs > 0 ? (
        <>
          {words.goodFor} <span className="figures">{formatCountdown(leftMs)}</span>.
        </>
      ) : (
        words.tokenExpired
      )}
    </p>
  );
}

function MintProblem({ error, pool }: { error: Error; pool: { symbol: string; network: string } }) {
  const advice = mintAdviceOf(error, pool);
  if (advice === null) return <WalletProblem error={error} />;
  return (
    <Notice tone="bad" title={advice.sentence}>
      {advice.cure}
    </Notice>
  );
}
