/** Customer of a Turnpike gateway: signs in, pays within a budget, and sends calls. For browsers and Node. */
export { createTurnpike, type Turnpike, type TurnpikeOptions } from './turnpike';
export type { TurnpikeAccount } from './account/account';
export type { EvmAccount, EvmWalletClient } from './account/evm-account';
export type { Eip1193Provider } from './account/eip1193-provider';
export type { SolanaSigner } from './account/solana-signer';
export type { StandardWallet } from './account/standard-wallet';
export type { Budget, BudgetLimit } from './budget';
export { type ClientErrorCode, TurnpikeError } from './turnpike-error';
export type { EventListener, TurnpikeEvent } from './turnpike-event';
export type { CreditedPayment } from './wallet-top-up';
export type { Balance, Currency } from '@/lib/client/billing';
export type { RpcAnswer, RpcItem, RpcItemError } from '@/lib/client/rpc-answer';
export type { RpcCallOptions, RpcRequest } from '@/lib/client/turnpike-client';
export type { PaymentOutcome } from '@/lib/client/top-up';
