import type { Logger } from 'pino';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { formatUsd } from '@/lib/protocol/pricing';
import { routes } from './api';
import { generateWeb3Key } from './api/api_keys/generate-web3-key';
import { keyById } from './api/api_keys/key-by-id';
import { apiKeys } from './api/api_keys/keys';
import { rateLimits } from './api/api_keys/rate-limits';
import { audioSpeech } from './api/audio/speech';
import { audioTranscriptions } from './api/audio/transcriptions';
import { createEmbeddings } from './api/embeddings';
import { brandImages } from './api/brand-images';
import { billingBalance } from './api/billing/balance';
import { billingRequests } from './api/billing/requests';
import { billingUsage } from './api/billing/usage';
import { chatCompletions } from './api/chat/completions';
import { countMessageTokens } from './api/chat/count-tokens';
import { chatMessages } from './api/chat/messages';
import { chatResponses } from './api/chat/responses';
import { networkHealth } from './api/crypto/rpc/health';
import { rpcNetworks } from './api/crypto/rpc/networks';
import { rpcProxy } from './api/crypto/rpc/proxy';
import { discovery } from './api/discovery/discovery';
import { elsewhere } from './api/elsewhere';
import { health } from './api/health';
import { imageGenerate } from './api/images/generate';
import { imageGenerations } from './api/images/generations';
import { model } from './api/model';
import { models } from './api/models';
import { notOffered } from './api/not-offered';
import { openapi } from './api/openapi';
import { apiDescription } from './api/openapi/described';
import { type OperatorFigureParts, operatorFigures } from './api/operator/figures';
import { paymentChain } from './api/payment-chain';
import { livez, type Readiness, readyz } from './api/probes';
import { receipt } from './api/receipts';
import { sandboxDescription } from './api/sandbox/describe';
import { sandboxFaucet } from './api/sandbox/faucet';
import type { SandboxAccess } from './api/sandbox/sandbox-access';
import { sandboxWalletRpc } from './api/sandbox/wallet-rpc';
import { settings } from './api/settings';
import { stakingPool } from './api/staking-pool';
import { AttestationAccess } from './api/tee/attestation-access';
import { teeAttestation } from './api/tee/attestation';
import { teeMeasurements } from './api/tee/measurements';
import { teeSignature } from './api/tee/signature';
import { videoComplete } from './api/video/complete';
import { videoQueue } from './api/video/queue';
import { videoRetrieve } from './api/video/retrieve';
import { walletBalance } from './api/x402/balance';
import { topUp } from './api/x402/top-up';
import { walletTransactions } from './api/x402/transactions';
import { walletWithdrawal, walletWithdrawals } from './api/x402/withdrawals';
import { Endorsements } from './attestation/endorsements';
import { MeasurementLog } from './attestation/measurement-log';
import { OwnVerdicts } from './attestation/own-verdicts';
import { SeenReports } from './attestation/seen-reports';
import type { Auth } from './auth/auth';
import type { Mint } from './auth/minting/mint-key';
import type { MintTokens } from './auth/minting/mint-tokens';
import type { GatewayRules } from './auth/sign-in-rules';
import type { DailyAllocations } from './billing/allocation/daily-allocations';
import type { WebhookSender } from './billing/key-alerts/webhook';
import type { Meter } from './billing/meter';
import type { OpenCalls } from './billing/open-calls';
import type { PaidCalls } from './billing/paid-calls';
import type { ReceiptKeys } from './billing/receipts/receipt-keys';
import type { Chat } from './chat/chat';
import type { IsAttested } from './chat/privacy-of';
import type { Config } from './config/load';
import type { Database } from './db/schema';
import type { Embeddings } from './embeddings/embeddings';
import type { StoreStatus } from './db/store-status';
import type { Endpoint } from './http/endpoint';
import { AddressLimiter } from './http/rate-limit/address-limiter';
import type { Images } from './images/images';
import type { Payments } from './payments/payments';
import type { Withdrawals } from './payments/withdrawals/withdrawals';
import type { Speech } from './speech/speech';
import type { PoolTotal } from './staking/pool-total';
import type { Transcriptions } from './transcriptions/transcriptions';
import type { RpcNetworks } from './upstreams/nodes/networks';
import type { Video } from './video/video';

/** Parts of a gateway, each created once. */
export interface Parts {
  db: Database;
  meter: Meter;
  storeStatus: StoreStatus;
  auth: Auth;
  allocations: DailyAllocations;
  paidCalls: PaidCalls;
  receiptKeys: ReceiptKeys;
  openCalls: OpenCalls;
  mintTokens: MintTokens;
  networks: RpcNetworks;
  chat: Chat;
  speech: Speech;
  embeddings: Embeddings;
  images: Images;
  transcriptions: Transcriptions;
  video: Video;
  payments: Payments;
  withdrawals: Withdrawals;
  /** Client of the simulators; null disables their endpoints. */
  sandbox: SandboxAccess | null;
}

/** Parts, and values that change with the configuration. */
export interface EndpointParts extends Parts {
  minting: Mint;
  poolTotal: PoolTotal;
  operator: Omit<OperatorFigureParts, 'consoleLimiter'>;
  /** Minimum payment with a call; null if calls cannot carry a payment. */
  perCallMinimumNanoUsd: number | null;
  readiness: Readiness;
  webhooks: WebhookSender;
  rules: GatewayRules;
  config: Config;
  log: Logger;
  now: () => number;
}

/** Returns the endpoints in the order of `routes`, then those of the sandbox. */
export function endpointsOf({
  db,
  auth,
  meter,
  storeStatus,
  allocations,
  paidCalls,
  receiptKeys,
  minting,
  mintTokens,
  networks,
  chat,
  speech,
  embeddings,
  images,
  transcriptions,
  video,
  payments,
  withdrawals,
  poolTotal,
  operator,
  perCallMinimumNanoUsd,
  readiness,
  sandbox,
  webhooks,
  rules,
  config,
  log,
  now,
}: EndpointParts): Endpoint[] {
  const { rails } = payments;
  const { publicUrls, limits, brand } = config;
  const addressLimiter = new AddressLimiter(limits.publicRequestsPerMinutePerIp);
  // Limits requests that the console repeats, by client address.
  const consoleLimiter = new AddressLimiter(limits.consoleRequestsPerMinutePerIp);
  const seen = new SeenReports();
  const measured = new MeasurementLog({ db, keys: receiptKeys, now, log });
  const access = new AttestationAccess(db, limits, now);
  const catalogues = {
    auth,
    chat: chat.models,
    speech: speech.models,
    embeddings: embeddings.models,
    images: images.models,
    transcriptions: transcriptions.models,
    video: video.models,
    seen,
  };
  const { attestation: policy, attestationServices: services } = config.inference;
  const { requestBytesMax } = config.rpc;
  const attestation = { endorsements: new Endorsements({ services, policy, log }), policy, seen, measured, now, log };
  const verdicts = new OwnVerdicts(attestation);
  const isAttested: IsAttested = (model) => verdicts.isAttested(model);
  const description = apiDescription(routes, {
    pricePerCreditUsd: config.pricePerCreditUsd,
    networks: networks.slugs,
    perCallMinimumUsd: perCallMinimumNanoUsd === null ? null : formatUsd(perCallMinimumNanoUsd, 6),
    brand,
  });
  const pricePerCreditNanoUsd = parseUsd(config.pricePerCreditUsd);
  return [
    rpcProxy({ paidCalls, networks, pricePerCreditNanoUsd, requestBytesMax, log }),
    rpcNetworks({ networks, addressLimiter }),
    chatCompletions({ paidCalls, chat, isAttested }),
    chatResponses({ paidCalls, chat, isAttested }),
    chatMessages({ paidCalls, chat, isAttested }),
    countMessageTokens({ auth, chat }),
    audioSpeech({ paidCalls, speech }),
    audioTranscriptions({ paidCalls, transcriptions }),
    createEmbeddings({ paidCalls, embeddings }),
    imageGenerations({ paidCalls, images, now }),
    imageGenerate({ paidCalls, images }),
    videoQueue({ paidCalls, video }),
    videoRetrieve({ auth, video }),
    videoComplete({ auth, video }),
    models(catalogues),
    model(catalogues),
    teeAttestation({
      auth,
      models: chat.models,
      access,
      attestation,
    }),
    teeSignature({ auth, models: chat.models, access, seen, log }),
    teeMeasurements({ db, addressLimiter }),
    generateWeb3Key({
      minting,
      tokens: mintTokens,
      allocations,
      networks,
      webhooks: { config: config.webhooks, sender: webhooks },
      addressLimiter,
      rules,
      now,
    }),
    apiKeys({ auth, db, meter, networks, webhooks: { config: config.webhooks, sender: webhooks }, now }),
    rateLimits({ auth, allocations, db, limits, now }),
    keyById({ auth, db, now }),
    billingBalance({ auth, allocations, db, now }),
    billingUsage({ auth, db, now }),
    billingRequests({ auth, db, now }),
    receipt({ auth, db, keys: receiptKeys, models: chat.models, access, seen, log }),
    topUp({ payments, rails, rules, addressLimiter, realm: brand.name }),
    walletBalance({ auth, allocations, offer: rails, db, now }),
    walletTransactions({ auth, db, now }),
    walletWithdrawals({ auth, withdrawals, rules, now }),
    walletWithdrawal({ auth, withdrawals, rules, now }),
    openapi({ description, rules }),
    health({ storeStatus }),
    networkHealth({ networks, consoleLimiter }),
    settings({ config, rules, networks, rails, consoleLimiter }),
    stakingPool({ db, staking: config.staking, total: poolTotal, allocations, consoleLimiter }),
    paymentChain({ networks, rails, consoleLimiter, log }),
    operatorFigures({ ...operator, consoleLimiter }),
    ...brandImages(brand),
    ...notOffered,
    ...elsewhere({ rules }),
    livez(),
    readyz({ readiness }),
    ...discovery({
      rules,
      description,
      receiptKeys: receiptKeys.keys,
      listing: { routes, networks: networks.slugs, takesCallPayments: perCallMinimumNanoUsd !== null, brand },
    }),
    ...(sandbox
      ? [
          sandboxDescription({ sandbox, origin: rules.origin, publicUrls, attestationRoots: policy.roots }),
          sandboxFaucet({ sandbox, publicUrls }),
          sandboxWalletRpc({ networks, publicUrls, requestBytesMax, log }),
        ]
      : []),
  ];
}
