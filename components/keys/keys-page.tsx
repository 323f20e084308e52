'use client';

import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { keyRequests } from '@/lib/browser/keys/key-requests';
import { useListCredential } from '@/lib/browser/keys/use-list-credential';
import { useGatewaySettings } from '@/lib/browser/settings';
import { useWalletChain } from '@/lib/browser/wallet/use-wallet-chain';
import { chooseWallet, useWallets, useWalletsWanted } from '@/lib/browser/wallet/wallet-store';
import { Wallet } from 'lucide-react';
import dynamic from 'next/dynamic';
import { MintSection } from './mint-section';
import { KeyListSection } from './key-list-section';

const StakingSection = dynamic(() => import('./staking-section').then((module) => module.StakingSection), { ssr: false, loading: () => <StakingSkeleton /> });

/** Stake, mint a key, and see and end the keys that a wallet has minted. */
export function KeysPage() {
  const { evm, solana, layer } = useWallets();
  const wanted = useWalletsWanted();
  const credential = useListCredential(evm);
  const settings = useGatewaySettings();
  const { deployment } = useWalletChain();
  const isConnecting = wanted && layer === null;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">Keys &amp; staking</h1>
        <p className="text-dim">Whoever stakes may mint API keys, and spends a share of the daily pool with them. No account, no email address: the wallet is the identity.</p>
      </header>
      {evm === null && isConnecting && <StakingSkeleton />}
      {evm === null && !isConnecting && <NoWallet hasSolana={solana !== null} />}
      {evm !== null && settings.isError && (
        <Notice tone="bad" title="The gateway does not say where its staking contracts are." actions={<Button size="sm" onClick={() => void settings.refetch()}>Try again</Button>}>
          {settings.error.message}
        </Notice>
      )}
      {evm !== null && settings.data && deployment === null && (
        <Notice tone="warn" title="This gateway has no staking contracts.">Its operator has configured none, so no keys can be minted here. Ask the operator for a key, or sign in with a wallet and top up.</Notice>
      )}
      {evm !== null && layer !== null && settings.data && deployment !== null && (
        <>
          <StakingSection wallet={evm} config={layer.evmConfig} deployment={deployment} dailyPoolUsd={settings.data.staking.dailyPoolUsd} />
          <MintSection wallet={evm} stakeSymbol={settings.data.staking.symbols.stake} />
        </>
      )}
      <KeyListSection wallet={evm} />
      <RequestCode requests={keyRequests(evm?.address ?? null)} credential={credential} />
    </div>
  );
}

function NoWallet({ hasSolana }: { hasSolana: boolean }) {
  return (
    <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-edge px-4 py-12 text-center">
      <p className="max-w-md font-medium">{hasSolana ? 'Minting a key needs an Ethereum wallet.' : 'Connect an Ethereum wallet to stake and to mint a key.'}</p>
      <p className="max-w-md text-sm text-dim">
        {hasSolana
          ? 'The stake lies in a contract on an EVM chain, so only an EVM wallet can prove it. Your Solana wallet signs in and pays from its prepaid balance without any key.'
          : 'In the sandbox a demo wallet is ready: its key is made and kept in this browser.'}
      </p>
      <Button tone="primary" onClick={chooseWallet}>
        <Wallet aria-hidden />
        {hasSolana ? 'Connect an Ethereum wallet' : 'Connect wallet'}
      </Button>
    </div>
  );
}

function StakingSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 lg:grid-cols-2">
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  );
}
