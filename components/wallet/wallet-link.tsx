'use client';

import { DEMO_WALLET_NAME, DEMO_WALLET_RDNS } from '@/lib/browser/wallet/demo/demo-evm-provider';
import {
  type ConnectedWallet,
  updateWallets,
  type WalletFamily,
  type WalletLayer,
  WalletTrouble,
} from '@/lib/browser/wallet/wallet-store';
import { base58 } from '@scure/base';
import { useWallet } from '@solana/wallet-adapter-react';
import { VersionedTransaction } from '@solana/web3.js';
import { useEffect, useRef } from 'react';
import { useAccount, useConfig } from 'wagmi';
import { disconnect, signMessage } from 'wagmi/actions';

/** Keeps the wallet store in sync with the libraries. Renders nothing. */
export function WalletLink() {
  const evmConfig = useConfig();
  const account = useAccount();
  const solana = useWallet();
  const latestSolana = useRef(solana);
  useEffect(() => {
    latestSolana.current = solana;
  });
  useEffect(() => {
    const layer: WalletLayer = {
      evmConfig,
      async signMessage(family, text) {
        switch (family) {
          case 'evm':
            return signMessage(evmConfig, { message: text });
          case 'solana': {
            const { signMessage: sign } = latestSolana.current;
            if (sign === undefined) throw new WalletTrouble('cannot');
            return base58.encode(await sign(new TextEncoder().encode(text)));
          }
        }
      },
      async signSolanaTransaction(bytes) {
        const { signTransaction: sign } = latestSolana.current;
        if (sign === undefined) throw new WalletTrouble('cannot');
        return (await sign(VersionedTransaction.deserialize(bytes))).serialize();
      },
      disconnect(family) {
        switch (family) {
          case 'evm':
            return disconnect(evmConfig);
          case 'solana':
            return latestSolana.current.disconnect();
        }
      },
    };
    updateWallets({ layer });
    return () => updateWallets({ layer: null });
  }, [evmConfig]);
  const { address, connector, chainId, status } = account;
  // A reconnecting wallet has an address but cannot answer yet.
  const isConnecting = status === 'connecting' || status === 'reconnecting';
  const isEvm = !isConnecting && address !== undefined && connector !== undefined;
  useReport(
    isEvm
      ? {
          family: 'evm',
          address,
          walletName: connector.name,
          isDemo: connector.id === DEMO_WALLET_RDNS,
          chainId: chainId ?? null,
        }
      : null,
    'evm',
    isConnecting,
  );
  const solanaAddress = solana.connected ? (solana.publicKey?.toBase58() ?? null) : null;
  const solanaName = solana.wallet?.adapter.name ?? null;
  const isSolana = solanaAddress !== null && solanaName !== null;
  useReport(
    isSolana
      ? {
          family: 'solana',
          address: solanaAddress,
          walletName: solanaName,
          isDemo: solanaName === DEMO_WALLET_NAME,
          chainId: null,
        }
      : null,
    'solana',
    solana.connecting,
  );
  return null;
}

/** Wait before a wallet counts as disconnected. The libraries start without a wallet and reconnect shortly after. */
const FOUND_AGAIN_WITHIN_MS = 3_000;

/**
 * Reports a library's wallet to the store. Reports a disconnect at once. Until the first connection, reports that no
 * wallet is connected only after a delay.
 */
function useReport(wallet: ConnectedWallet | null, family: WalletFamily, isConnecting: boolean): void {
  const hasBeenConnected = useRef(false);
  const text = wallet === null ? null : JSON.stringify(wallet);
  useEffect(() => {
    if (isConnecting) return;
    const report = () => updateWallets({ [family]: text === null ? null : (JSON.parse(text) as ConnectedWallet) });
    if (text !== null || hasBeenConnected.current) {
      hasBeenConnected.current = text !== null;
      report();
      return;
    }
    const timer = setTimeout(report, FOUND_AGAIN_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [family, text, isConnecting]);
}
