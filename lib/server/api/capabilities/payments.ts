import type { ContractChecks } from '../../auth/contract-checks';
import type { PersonalSignatures } from '../../auth/verify-signature';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { Meter } from '../../billing/meter';
import type { Config } from '../../config/load';
import type { Database } from '../../db/schema';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { PaymentsForCalls } from '../../payments/call-payments';
import { createPayments, createWithdrawals } from '../../payments/create-payments';
import { measurePayments } from '../../payments/payment-metrics';
import type { RailList } from '../../payments/rail-list';
import type { RailTerms } from '../../payments/rail-terms';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { paymentChain } from '../payment-chain';
import { walletBalance } from '../x402/balance';
import { topUp } from '../x402/top-up';
import { walletTransactions } from '../x402/transactions';
import { walletWithdrawal, walletWithdrawals } from '../x402/withdrawals';
import type { Capability, Ground } from './capability';

interface Needs {
  db: Database;
  networks: RpcNetworks;
  contractChecks: ContractChecks;
  allocations: DailyAllocations;
  /** Starts a rail's simulated chain before a payment. */
  prepare: ((rail: RailTerms) => Promise<void>) | undefined;
}

/** Opens x402 payments, and resumes payments that an earlier process left unfinished. */
export async function openPayments(
  { config, log, metrics, now, rules }: Ground,
  { db, networks, contractChecks, allocations, prepare }: Needs,
) {
  const payments = createPayments(config.payments, {
    rpc: networks,
    db,
    log,
    contractChecks,
    exclusive: config.databaseUrl === null,
    ...(prepare ? { prepare } : {}),
  });
  measurePayments(metrics, db, now);
  const { rails } = payments;
  const minimumNanoUsd = rails.all.length === 0 ? null : perCallMinimum(config);
  const refusals = new AddressLimiter(config.limits.publicRequestsPerMinutePerIp);
  await payments.start();
  return {
    rails,
    perCallMinimumNanoUsd: minimumNanoUsd,
    callPayments: minimumNanoUsd === null ? null : new PaymentsForCalls({ payments, minimumNanoUsd, refusals }),
    endpoints: ({ config: { brand }, auth, addressLimiter, consoleLimiter }) => [
      topUp({ payments, rails, rules, addressLimiter, realm: brand.name }),
      walletBalance({ auth, allocations, offer: rails, db, now }),
      walletTransactions({ auth, db, now }),
      paymentChain({ networks, rails, consoleLimiter, log }),
    ],
    reload: (next) => () => {
      refusals.limit = next.limits.publicRequestsPerMinutePerIp;
    },
    close: () => payments.close(),
  } satisfies Capability & Record<string, unknown>;
}

/** Returns the minimum payment that a call may carry, in nano-USD; null if calls are paid only from a balance. */
function perCallMinimum({ payments: { perCall } }: Config): number | null {
  return perCall.minimumUsd === null ? null : Math.round(perCall.minimumUsd * 1e9);
}

interface WithdrawalsNeeds {
  db: Database;
  meter: Meter;
  networks: RpcNetworks;
  signatures: PersonalSignatures;
  rails: Pick<RailList, 'terms'>;
}

/** Opens withdrawals of prepaid money, and resumes withdrawals that an earlier process left unfinished. */
export async function openWithdrawals(
  { config, log, now, rules }: Ground,
  { db, meter, networks, signatures, rails }: WithdrawalsNeeds,
): Promise<Capability> {
  const withdrawals = createWithdrawals(config.payments, {
    rpc: networks,
    terms: rails.terms,
    db,
    meter,
    signatures,
    log,
    now,
    exclusive: config.databaseUrl === null,
  });
  await withdrawals.start();
  return {
    endpoints: ({ auth }) => [
      walletWithdrawals({ auth, withdrawals, rules, now }),
      walletWithdrawal({ auth, withdrawals, rules, now }),
    ],
    close: () => withdrawals.close(),
  };
}
