import type { PersonalSignatures } from '../../auth/verify-signature';
import type { Meter } from '../../billing/meter';
import type { Database } from '../../db/schema';
import { createWithdrawals } from '../../payments/create-payments';
import type { RailList } from '../../payments/rail-list';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { walletWithdrawal, walletWithdrawals } from '../x402/withdrawals';
import type { Capability } from './capability';
import type { Ground } from './ground';

interface Needs {
  db: Database;
  meter: Meter;
  networks: RpcNetworks;
  signatures: PersonalSignatures;
  rails: Pick<RailList, 'terms'>;
}

/** Pays prepaid money back, and resumes withdrawals that an earlier process left unfinished. */
export async function openWithdrawals(
  { config, log, now, rules }: Ground,
  { db, meter, networks, signatures, rails }: Needs,
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
