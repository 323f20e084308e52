import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { privateKeyToAccount } from 'viem/accounts';
import type { Caip2 } from '@/lib/protocol/x402/payment-required';
import { networkClient, networkRequest } from '../upstreams/nodes/network-client';
import type { EvmRailConfig, PaymentsConfig, RailConfig, SolanaRailConfig } from '../config/payments';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import { EvmFacilitator } from './evm/evm-facilitator';
import { EvmPayout } from './evm/evm-payout';
import { EvmRail } from './evm/evm-rail';
import { EvmSender } from './evm/evm-sender';
import { RemoteFacilitator } from './facilitators/remote-facilitator';
import { Payments, type PaymentsOptions } from './payments';
import type { Rail } from './rail';
import { RailList } from './rail-list';
import { SignerTurns } from './signer-turns';
import { ownFeePayer, RemoteFeePayers } from './solana/fee-payers';
import { SolanaKey } from './solana/solana-key';
import { SolanaPayout } from './solana/solana-payout';
import { SolanaRail } from './solana/solana-rail';
import type { Payout } from './withdrawals/payout';
import { Withdrawals, type WithdrawalsOptions } from './withdrawals/withdrawals';

interface Surroundings extends Omit<PaymentsOptions, 'owner' | 'resumeIntervalMs' | 'openMax'> {
  rpc: RpcNetworks;
}

export function createPayments(
  { rails, minimumTopUpUsd, suggestedTopUpUsd, resumeIntervalMs, answerWithinMs, openMax }: PaymentsConfig,
  surroundings: Surroundings,
): Payments {
  const owner = randomUUID();
  const context = {
    rpc: surroundings.rpc,
    log: surroundings.log,
    turns: new SignerTurns(surroundings.db, owner),
    now: surroundings.now ?? Date.now,
  };
  const all = rails.map((config) => createRail(config, context));
  return new Payments(new RailList(all, minimumTopUpUsd, suggestedTopUpUsd), {
    ...surroundings,
    owner,
    resumeIntervalMs,
    answerWithinMs,
    openMax,
  });
}

/** Creates the `Withdrawals` service. A rail pays out only if a private key is configured for its wallet family. */
export function createWithdrawals(
  { rails, withdrawals, resumeIntervalMs }: PaymentsConfig,
  surroundings: Omit<WithdrawalsOptions, 'owner' | 'resumeIntervalMs'> & { rpc: RpcNetworks; terms: RailList['terms'] },
): Withdrawals {
  const owner = randomUUID();
  const { rpc, db, now, terms: known } = surroundings;
  const turns = new SignerTurns(db, owner);
  const payouts = rails.flatMap((config): Payout[] => {
    const terms = known.find(({ network, asset }) => network === config.network && asset === config.token.address);
    if (!withdrawals || !terms) return [];
    switch (config.family) {
      case 'evm': {
        if (withdrawals.privateKey === null) return [];
        const client = networkClient(rpc, config.rpcNetwork);
        const account = privateKeyToAccount(withdrawals.privateKey.reveal() as `0x${string}`);
        const sender = new EvmSender(account, client, Number(config.network.slice('eip155:'.length)), turns);
        return [new EvmPayout({ config, terms, client, account, sender, now })];
      }
      case 'solana': {
        if (withdrawals.solanaPrivateKey === null) return [];
        const secret = withdrawals.solanaPrivateKey.reveal();
        return [new SolanaPayout({ config, terms, rpc: networkRequest(rpc, config.rpcNetwork), secret, now })];
      }
    }
  });
  return new Withdrawals(payouts, withdrawals, { ...surroundings, owner, resumeIntervalMs });
}

interface RailContext {
  rpc: RpcNetworks;
  turns: SignerTurns;
  log: Logger;
  now: () => number;
}

function createRail(config: RailConfig, context: RailContext): Rail {
  switch (config.family) {
    case 'evm':
      return createEvmRail(config, context);
    case 'solana':
      return createSolanaRail(config, context);
  }
}

function createEvmRail(config: EvmRailConfig, { rpc, turns, now }: RailContext): Rail {
  const client = networkClient(rpc, config.rpcNetwork);
  const { facilitator } = config;
  const chainId = Number(config.network.slice('eip155:'.length));
  const sender =
    facilitator.kind === 'in-process'
      ? new EvmSender(privateKeyToAccount(facilitator.privateKey.reveal() as `0x${string}`), client, chainId, turns)
      : null;
  const remote = facilitator.kind === 'remote' ? new RemoteFacilitator(facilitator) : null;
  return new EvmRail(config, client, new EvmFacilitator(client, sender, config), remote, now);
}

function createSolanaRail(config: SolanaRailConfig, { rpc, log, now }: RailContext): Rail {
  const request = networkRequest(rpc, config.rpcNetwork);
  const { facilitator } = config;
  if (facilitator.kind === 'in-process') {
    const key = new SolanaKey(facilitator.privateKey.reveal());
    return new SolanaRail(config, request, { kind: 'in-process', key }, ownFeePayer(key.address), now);
  }
  const remote = new RemoteFacilitator(facilitator);
  return new SolanaRail(
    config,
    request,
    { kind: 'remote', facilitator: remote },
    new RemoteFeePayers(remote, config.network as Caip2, log),
    now,
  );
}
