import type { Attack } from './attack';
import { CHAT_FIELD_ATTACKS } from './chat-fields';
import { DISK_ATTACKS } from './disk';
import { EVM_ALTERED_PAYMENTS } from './evm-altered-payments';
import { EVM_CONTRACT_WALLETS } from './evm-contract-wallets';
import { EVM_FACILITATORS } from './evm-facilitators';
import { EVM_PAYMENT_RACES } from './evm-payment-races';
import { CLIENT_ATTACKS } from './lying/client-attacks';
import { UPSTREAM_ATTACKS } from './lying-upstreams/upstream-attacks';
import { LEADING_AWAY_ATTACKS } from './leading-away';
import { LEAVING_ATTACKS } from './leaving';
import { PAGE_ATTACKS } from './pages';
import { LIMIT_ATTACKS, PATH_ATTACKS } from './paths';
import { SOLANA_ATTACKS } from './payments-solana';
import { WEB_ATTACKS } from './payments-web';
import { PROOF_ATTACKS } from './proof';
import { SCHEMA_ATTACKS } from './schemas';
import { SIGN_IN_ATTACKS } from './sign-in';

/** All attacks, grouped by family. Attacks that use up the rate limit of an address come last. */
export const ATTACKS: readonly Attack[] = [
  ...SOLANA_ATTACKS,
  ...EVM_ALTERED_PAYMENTS,
  ...EVM_PAYMENT_RACES,
  ...EVM_CONTRACT_WALLETS,
  ...EVM_FACILITATORS,
  ...WEB_ATTACKS,
  ...LEADING_AWAY_ATTACKS,
  ...SIGN_IN_ATTACKS,
  ...PATH_ATTACKS,
  ...SCHEMA_ATTACKS,
  ...CHAT_FIELD_ATTACKS,
  ...DISK_ATTACKS,
  ...LEAVING_ATTACKS,
  ...PROOF_ATTACKS,
  ...CLIENT_ATTACKS,
  ...UPSTREAM_ATTACKS,
  ...PAGE_ATTACKS,
  ...LIMIT_ATTACKS,
];
