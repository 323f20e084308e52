/** Client of the gateway for browsers and Node, with typed answers and errors. Needs only `fetch`. */
export { createTurnpikeClient } from './turnpike-client';
export type { RawAnswer, RpcCallOptions, RpcRequest, TurnpikeClient } from './turnpike-client';
export type { CallOptions, TurnpikeClientOptions } from './exchange';
export { credentialHeader } from './credential';
export type { CallCredential } from './credential';
export { chargesPath, listCharges, readBalance, splitCharges, sumCharges } from './billing';
export type {
  Balance,
  Charge,
  ChargeGrouping,
  ChargePage,
  ChargeQuery,
  ChargeSplit,
  ChargeSum,
  ChargeSums,
  Currency,
  KeyName,
  PotMovement,
  SplitCharge,
} from './billing';
export { listRequests, requestsPath, sumRequests } from './requests';
export type { AnsweredRequest, RequestPage, RequestQuery, RequestSplit, RequestSum } from './requests';
export { GatewayError, OversizedAnswerError, UnreachableError, UnsignableTokenError } from './gateway-error';
export type { FieldError, GatewayErrorDetail, RateLimit } from './gateway-error';
export { askSettings } from './gateway-settings';
export type { GatewaySettings, PaymentRail, StakingDeployment } from './gateway-settings';
export { askAllocation, askStakingPool } from './staking-pool';
export type { StakingPool } from './staking-pool';
export { askNetworkHealth, listNetworks, UPSTREAM_STATES } from './network-health';
export type { NetworkHealth, UpstreamHealth, UpstreamState } from './network-health';
export type { RpcAnswer, RpcItem, RpcItemError } from './rpc-answer';
export { askFaucet, askSandbox } from './sandbox-info';
export type { FaucetReceipt, SandboxEvmChain, SandboxInfo } from './sandbox-info';
export { changeKey, KEYS_PATH, listKeys, revokeKey } from './api-keys';
export { SOLD } from './sold';
export type { ChangedKey, KeyBudget, KeyListOptions, KeyPage, ListedKey } from './api-keys';
export { MINT_PATH, mintRefusalOf } from './minting';
export type { MintedKey, MintRefusal, MintRefusalReason, MintRemedy, MintRequest } from './minting';
export { followPayment, readPaymentOptions, sendPayment, signedPayment } from './top-up';
export type { FollowOptions, PaymentOutcome, PaymentRequirements, SignedPayment } from './top-up';
export { draftEvmPayment, signedEvmPayment } from './evm-payment';
export type { EvmPaymentDraft } from './evm-payment';
export { signSolanaPayment } from './solana-payment';
export type { SolanaWallet } from './solana-payment';
export { askWithdrawals, draftWithdrawal, withdraw } from './withdrawals';
export type {
  EvmWithdrawalDraft,
  SolanaWithdrawalDraft,
  StatedWithdrawal,
  Withdrawal,
  WithdrawalDraft,
  WithdrawalList,
  WithdrawalTerms,
} from './withdrawals';
export { listMovements } from './wallet-movements';
export type { Movement, MovementPage } from './wallet-movements';
export { speak } from './speech';
export type { SpokenAnswer } from './speech';
export { listSpeechModels, SPEECH_PATH } from './media-models';
export type { SpeechModel, SpeechRequest } from './media-models';
export { listEmbeddingModels } from './media-models';
export type { EmbeddingModel } from './media-models';
export { listTranscriptionModels } from './media-models';
export type { TranscriptionModel } from './media-models';
export { listImageModels } from './media-models';
export type { ImageModel } from './media-models';
export { completeVideo, proveGone, queueVideo, retrieveVideo } from './video';
export type { GoneProof, QueuedVideo, RetrievedVideo } from './video';
export { listVideoModels, VIDEO_PATHS } from './media-models';
export type { VideoModel, VideoRequest } from './media-models';
