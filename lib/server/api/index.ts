import type { Endpoint } from '../http/endpoint';
import { generateWeb3Key } from './api_keys/generate-web3-key';
import { apiKeys } from './api_keys/keys';
import { audioSpeech } from './audio/speech';
import { billingBalance } from './billing/balance';
import { billingUsage } from './billing/usage';
import { chatCompletions } from './chat/completions';
import { networkHealth } from './crypto/rpc/health';
import { rpcNetworks } from './crypto/rpc/networks';
import { rpcProxy } from './crypto/rpc/proxy';
import { health } from './health';
import { model } from './model';
import { models } from './models';
import { notOffered } from './not-offered';
import { openapi } from './openapi';
import { paymentChain } from './payment-chain';
import { sandboxDescription } from './sandbox/describe';
import { sandboxFaucet } from './sandbox/faucet';
import { sandboxWalletRpc } from './sandbox/wallet-rpc';
import { settings } from './settings';
import { videoComplete } from './video/complete';
import { videoQueue } from './video/queue';
import { videoRetrieve } from './video/retrieve';
import { walletBalance } from './x402/balance';
import { teeAttestation } from './tee/attestation';
import { teeSignature } from './tee/signature';
import { topUp } from './x402/top-up';
import { walletTransactions } from './x402/transactions';

/** The endpoints of every gateway. */
export const endpoints: readonly Endpoint[] = [
  rpcProxy,
  rpcNetworks,
  chatCompletions,
  audioSpeech,
  videoQueue,
  videoRetrieve,
  videoComplete,
  models,
  model,
  teeAttestation,
  teeSignature,
  generateWeb3Key,
  apiKeys,
  billingBalance,
  billingUsage,
  topUp,
  walletBalance,
  walletTransactions,
  openapi,
  health,
  networkHealth,
  settings,
  paymentChain,
  ...notOffered,
];

/** Those that exist only where there are stand-ins. */
export const sandboxEndpoints: readonly Endpoint[] = [sandboxDescription, sandboxFaucet, sandboxWalletRpc];
