'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Notice } from '@/components/ui/notice';
import { useNow } from '@/lib/browser/clock';
import { formatCountdown } from '@/lib/browser/countdown';
import { mintAdviceOf } from '@/lib/browser/keys/mint-advice';
import type { MintState } from '@/lib/browser/keys/use-mint';
import { mintWords as words } from '@/lib/browser/words/wallet-keys';
import { StepMark, type StepMarkKind } from './step-mark';

const STEPS = ['token', 'signature', 'check'] as const;
type Step = (typeof STEPS)[number];

/** Shows the progress of minting: the token with its 15-minute limit, the signature, and the check on the chain. */
export function MintSteps({ state, stakeSymbol, network }: { state: MintState; stakeSymbol: string; network: string }) {
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
