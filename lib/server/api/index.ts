import type { Route } from '../http/endpoint';
import { mintRoute } from './api_keys/generate-web3-key';
import { keyByIdRoute } from './api_keys/key-by-id';
import { apiKeysRoute } from './api_keys/keys';
import { rateLimitsRoute } from './api_keys/rate-limits';
import { speechRoute } from './audio/speech';
import { transcriptionsRoute } from './audio/transcriptions';
import { billingBalanceRoute } from './billing/balance';
import { billingRequestsRoute } from './billing/requests';
import { billingUsageRoute } from './billing/usage';
import { completionsRoute } from './chat/completions';
import { countTokensRoute } from './chat/count-tokens';
import { messagesRoute } from './chat/messages';
import { responsesRoute } from './chat/responses';
import { embeddingsRoute } from './embeddings';
import { networkHealthRoute } from './crypto/rpc/health';
import { rpcNetworksRoute } from './crypto/rpc/networks';
import { rpcProxyRoute } from './crypto/rpc/proxy';
import { healthRoute } from './health';
import { imageGenerateRoute } from './images/generate';
import { imageGenerationsRoute } from './images/generations';
import { modelRoute } from './model';
import { modelsRoute } from './models';
import { notOffered } from './not-offered';
import { openapiRoute } from './openapi';
import { operatorFiguresRoute } from './operator/figures';
import { operatorMarginsRoute } from './operator/margins';
import { paymentChainRoute } from './payment-chain';
import { receiptRoute } from './receipts';
import { sandboxRoute } from './sandbox/describe';
import { sandboxFaucetRoute } from './sandbox/faucet';
import { sandboxWalletRpcRoute } from './sandbox/wallet-rpc';
import { settingsRoute } from './settings';
import { stakingPoolRoute } from './staking-pool';
import { attestationRoute } from './tee/attestation';
import { measurementsRoute } from './tee/measurements';
import { reportRoute } from './tee/report';
import { signatureRoute } from './tee/signature';
import { videoCompleteRoute } from './video/complete';
import { videoQueueRoute } from './video/queue';
import { videoRetrieveRoute } from './video/retrieve';
import { walletBalanceRoute } from './x402/balance';
import { topUpRoute } from './x402/top-up';
import { walletTransactionsRoute } from './x402/transactions';
import { withdrawalRoute, withdrawalsRoute } from './x402/withdrawals';

/** Routes that every gateway serves, in the order of the API description. */
export const routes: readonly Route[] = [
  rpcProxyRoute,
  rpcNetworksRoute,
  completionsRoute,
  responsesRoute,
  messagesRoute,
  countTokensRoute,
  speechRoute,
  transcriptionsRoute,
  embeddingsRoute,
  imageGenerationsRoute,
  imageGenerateRoute,
  videoQueueRoute,
  videoRetrieveRoute,
  videoCompleteRoute,
  modelsRoute,
  modelRoute,
  attestationRoute,
  signatureRoute,
  measurementsRoute,
  reportRoute,
  mintRoute,
  apiKeysRoute,
  rateLimitsRoute,
  keyByIdRoute,
  billingBalanceRoute,
  billingUsageRoute,
  billingRequestsRoute,
  receiptRoute,
  topUpRoute,
  walletBalanceRoute,
  walletTransactionsRoute,
  withdrawalsRoute,
  withdrawalRoute,
  openapiRoute,
  healthRoute,
  networkHealthRoute,
  settingsRoute,
  stakingPoolRoute,
  paymentChainRoute,
  operatorFiguresRoute,
  operatorMarginsRoute,
  ...notOffered,
];

export const sandboxRoutes: readonly Route[] = [sandboxRoute, sandboxFaucetRoute, sandboxWalletRpcRoute];
