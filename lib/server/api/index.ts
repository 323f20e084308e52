import type { Route } from '../http/endpoint';
import { mintRoute } from './api_keys/generate-web3-key';
import { apiKeysRoute } from './api_keys/keys';
import { speechRoute } from './audio/speech';
import { billingBalanceRoute } from './billing/balance';
import { billingUsageRoute } from './billing/usage';
import { completionsRoute } from './chat/completions';
import { countTokensRoute } from './chat/count-tokens';
import { messagesRoute } from './chat/messages';
import { responsesRoute } from './chat/responses';
import { networkHealthRoute } from './crypto/rpc/health';
import { rpcNetworksRoute } from './crypto/rpc/networks';
import { rpcProxyRoute } from './crypto/rpc/proxy';
import { healthRoute } from './health';
import { modelRoute } from './model';
import { modelsRoute } from './models';
import { notOffered } from './not-offered';
import { openapiRoute } from './openapi';
import { operatorFiguresRoute } from './operator/figures';
import { paymentChainRoute } from './payment-chain';
import { sandboxRoute } from './sandbox/describe';
import { sandboxFaucetRoute } from './sandbox/faucet';
import { sandboxWalletRpcRoute } from './sandbox/wallet-rpc';
import { settingsRoute } from './settings';
import { stakingPoolRoute } from './staking-pool';
import { attestationRoute } from './tee/attestation';
import { signatureRoute } from './tee/signature';
import { videoCompleteRoute } from './video/complete';
import { videoQueueRoute } from './video/queue';
import { videoRetrieveRoute } from './video/retrieve';
import { walletBalanceRoute } from './x402/balance';
import { topUpRoute } from './x402/top-up';
import { walletTransactionsRoute } from './x402/transactions';

/** The paths of every gateway, in the order in which the API description has them. */
export const routes: readonly Route[] = [
  rpcProxyRoute,
  rpcNetworksRoute,
  completionsRoute,
  responsesRoute,
  messagesRoute,
  countTokensRoute,
  speechRoute,
  videoQueueRoute,
  videoRetrieveRoute,
  videoCompleteRoute,
  modelsRoute,
  modelRoute,
  attestationRoute,
  signatureRoute,
  mintRoute,
  apiKeysRoute,
  billingBalanceRoute,
  billingUsageRoute,
  topUpRoute,
  walletBalanceRoute,
  walletTransactionsRoute,
  openapiRoute,
  healthRoute,
  networkHealthRoute,
  settingsRoute,
  stakingPoolRoute,
  paymentChainRoute,
  operatorFiguresRoute,
  ...notOffered,
];

/** Those that exist only where there are stand-ins. */
export const sandboxRoutes: readonly Route[] = [sandboxRoute, sandboxFaucetRoute, sandboxWalletRpcRoute];
