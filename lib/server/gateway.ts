import type { Logger } from 'pino';
import type { SignInVerifier } from './auth/sign-in-verifier';
import type { PersonalSignatures } from './auth/verify-signature';
import type { Config } from './config/load';
import type { Inference } from './chat/inference';
import type { AddressLimiter } from './http/rate-limit/address-limiter';
import type { DailyAllocations } from './billing/allocation/daily-allocations';
import type { CallerLimiter } from './http/rate-limit/caller-limiter';
import type { Meter } from './billing/meter';
import type { MintTokens } from './auth/minting/mint-tokens';
import type { Payments } from './payments/payments';
import type { Rails } from './payments/rails';
import type { RpcNetworks } from './upstreams/nodes/networks';
import type { SandboxAccess } from './api/sandbox/sandbox-access';
import type { Speech } from './speech/speech';
import type { StakeReader } from './staking/stake-reader';
import type { Database } from './db/schema';
import type { Video } from './video/video';

/** Everything that endpoints work with: made once at start-up, the same under every entry. What it serves, it does not know: see `ServedGateway`. */
export interface Gateway {
  config: Config;
  log: Logger;
  meter: Meter;
  /** Sees to it that daily allocations are fixed before they are spent. */
  allocations: DailyAllocations;
  /** The store, for what is no charge. */
  db: Database;
  /** The validation tokens of key minting. */
  mintTokens: MintTokens;
  rpc: RpcNetworks;
  /** Chat models and where they run. */
  inference: Inference;
  /** Video models, the requests for videos, and where they are kept. */
  video: Video;
  /** Speech models and what encodes their audio. */
  speech: Speech;
  /** What wallets have staked. */
  stake: StakeReader;
  /** Whether a wallet signed a message, asked of its chain where need be. */
  signatures: PersonalSignatures;
  /** Which wallet a sign-in header is of. */
  signIn: SignInVerifier;
  /** Where prepaid money comes in (x402). */
  rails: Rails;
  /** Takes it. */
  payments: Payments;
  addressLimiter: AddressLimiter;
  /** Of one address to what the console asks for again and again. */
  consoleLimiter: AddressLimiter;
  /** Of one caller to endpoints other than the RPC proxy. */
  callerLimiter: CallerLimiter;
  /** The stand-ins' own doors, where there are any: their endpoints do not exist otherwise. */
  sandbox: SandboxAccess | null;
  /** Value of X-Service-Profile on every answer; null for none. */
  profileHeader: string | null;
  pricePerCreditNanoUsd: number;
  /** The clock, Unix milliseconds. */
  now(): number;
  /** The OpenAPI document of what is served, JSON text: made when it is first asked for, and kept. */
  apiDescription(): string;
  /** The origin under which people reach the gateway, for links in answers. */
  origin: string;
  close(): Promise<void>;
}
