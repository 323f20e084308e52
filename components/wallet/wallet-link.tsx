'use client';

import { DEMO_WALLET_RDNS } from '@/lib/browser/wallet/demo/announce-evm';
import { DEMO_WALLET_NAME } from '@/lib/browser/wallet/demo/demo-icon';
import { updateWallets, type WalletLayer } from '@/lib/browser/wallet/wallet-store';
import { base58 } from '@scure/base';
import { useWallet } from '@solana/wallet-adapter-react';
import { VersionedTransaction } from '@solana/web3.js';
import { useEffect, useRef } from 'react';
import { useAccount, useConfig } from 'wagmi';
import { disconnect, signMessage } from 'wagmi/actions';

/** Keeps the store of wallets true: who is connected, and what can be asked of them. Shows nothing. */
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
        if (family === 'evm') return signMessage(evmConfig, { message: text });
        const { signMessage: sign } = latestSolana.current;
        if (sign === undefined) throw new Error('This Solana wallet cannot sign messages. Connect another.');
        return base58.encode(await sign(new TextEncoder().encode(text)));
      },
      async signSolanaTransaction(bytes) {
        const { signTransaction: sign } = latestSolana.current;
        if (sign === undefined) throw new Error('This Solana wallet cannot sign transactions. Connect another.');
        return (await sign(VersionedTransaction.deserialize(bytes))).serialize();
      },
      async disconnect(family) {
        if (family === 'evm') await disconnect(evmConfig);
        else await latestSolana.current.disconnect();
      },
    };
    updateWallets({ layer });
    return () => updateWallets({ layer: null });
  }, [evmConfig]);
  const { address, connector, chainId, status } = account;
  useEffect(() => {
    // While it reconnects, the wallet has an address but cannot be asked yet.
    if (status === 'connecting' || status === 'reconnecting') return;
    const evm = address === undefined || connector === undefined ? null : { family: 'evm' as const, address, walletName: connector.name, isDemo: connector.id === DEMO_WALLET_RDNS, chainId: chainId ?? null };
    updateWallets({ evm });
  }, [address, connector, chainId, status]);
  const solanaAddress = solana.connected ? (solana.publicKey?.toBase58() ?? null) : null;
  const solanaName = solana.wallet?.adapter.name ?? null;
  useEffect(() => {
    const connected = solanaAddress === null || solanaName === null ? null : { family: 'solana' as const, address: solanaAddress, walletName: solanaName, isDemo: solanaName === DEMO_WALLET_NAME, chainId: null };
    updateWallets({ solana: connected });
  }, [solanaAddress, solanaName]);
  return null;
}
