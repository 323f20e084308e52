import type { Generated, Kysely } from 'kysely';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';

/**
 * Tables, with the columns that SQLite and Postgres have in common. Amounts are integers of nano-USD, and times are
 * Unix milliseconds.
 */
export interface Schema {
  accounts: {
    id: Generated<number>;
    label: string;
    tier: Tier;
    created_at: number;
  };
  api_keys: {
    id: Generated<number>;
    account_id: number;
    /** Hex SHA-256 of the key. The key itself is not stored. */
    hash: string;
    last6: string;
    type: ApiKeyType;
    description: string;
    limit_period: LimitPeriod;
    /** Limits in nano-USD per period; null if none. */
    limit_usd: number | null;
    limit_diem: number | null;
    /** Limit for prepaid money; null if the key cannot spend prepaid money. */
    limit_prepaid: Generated<number | null>;
    /** Scope as JSON; null if the key may do everything. */
    allow: Generated<string | null>;
    alert_at: Generated<number | null>;
    webhook_url: Generated<string | null>;
    /** ADMIN key that created the key; null if a wallet or the operator created it. */
    made_by: Generated<number | null>;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
  };
  /** One row per account: balances, and the requests of the current minute. */
  meters: {
    account_id: number;
    diem: number;
    bundled: number;
    usd: number;
    x402: number;
    minute_started_at: number;
    minute_requests: number;
    /** Epoch of the daily balance: UTC days since 1970. */
    diem_epoch: Generated<number>;
    /**
     * Part of the daily balance that only calls of earlier epochs can spend: their reservations when the new allocation
     * was written, minus their charges.
     */
    diem_carried: Generated<number>;
  };
  /** Addresses are normalized by `walletKey`. */
  wallets: { address: string; account_id: number; created_at: number };
  /** Daily allocations, written once per account and UTC day. Stake and pool are in base units. */
  allocations: { account_id: number; epoch: number; amount: number; staked: string; pool: string; created_at: number };
  /**
   * Every change of a balance, its reason, and the balance after it. Append-only. A view of `ledger_rows`, whose
   * columns differ between SQLite and Postgres.
   */
  ledger: {
    id: Generated<number>;
    account_id: number;
    pot: Pot;
    kind: LedgerKind;
    amount: number;
    balance_after: number;
    api_key_id: number | null;
    /** Resource of a charge, such as `rpc/ethereum-mainnet`. For other kinds, the reason. */
    resource: string;
    detail: string;
    units: number;
    request_id: string;
    created_at: number;
    /**
     * Number of paid calls: 1 in the first row of a charge and 0 in its rows for other balances. In a row that replaces
     * archived charges, the number of their calls.
     */
    calls: Generated<number>;
    /** Archive of the charges that this row replaces; null if it replaces none. */
    archive_id: Generated<number | null>;
  };
  /** On Postgres, `archive_id` is 0 for rows that replace no archived charges. */
  ledger_rows: { id: number; archive_id: number | null };
  /** Each id stands for one pair of resource and detail in `ledger_rows`. Append-only. */
  ledger_names: { id: Generated<number>; resource: string; detail: string };
  /** Files of archived charges. In the ledger, daily rows replace these charges. */
  ledger_archives: {
    /** Counts from 1 without gaps. */
    id: number;
    file: string;
    sha256: string;
    /** Hash of the previous archive file; empty for the first. */
    previous_sha256: string;
    archived_rows: number;
    /** Number and sum of the daily rows that replace the archived rows. */
    daily_rows: number;
    amount: number;
    /** All archived rows were made before this time. */
    before_at: number;
    created_at: number;
  };
  /** One row: the archiver has processed the ledger rows up to `through_id` that are older than `before_at`. */
  ledger_archive_place: { through_id: number; before_at: number };
  /**
   * Has a row only within a transaction that deletes archived charges. Without that row, triggers refuse to delete
   * ledger rows.
   */
  ledger_archiving: { before_at: number };
  /** Append-only log of operators' commands. A command has two rows, for its beginning and its outcome. */
  audit_log: {
    id: Generated<number>;
    action: string;
    at: number;
    actor: string;
    command: string;
    arguments: string;
    outcome: AuditOutcome;
    detail: string;
  };
  /** View of the ledger: one row per charged request, across all balances. */
  usage: {
    id: number;
    account_id: number;
    api_key_id: number | null;
    resource: string;
    detail: string;
    units: number;
    amount: number;
    request_id: string;
    created_at: number;
  };
  /** Credits per minute, for the rolling 24-hour cap. */
  credit_minutes: { account_id: number; minute: number; credits: number };
  /** Spending of keys with a limit, by period: `2026-11-20`, `2026-11` or `all`. */
  key_spend: { api_key_id: number; period: string; usd: number; diem: number; prepaid: Generated<number> };
  /** Alerts whose amount was reached, and the state of their delivery. One row for each key, period and amount. */
  key_alerts: {
    id: Generated<number>;
    api_key_id: number;
    period: string;
    spent: number;
    threshold: number;
    reached_at: number;
    webhook_url: string | null;
    attempts: Generated<number>;
    next_attempt_at: number | null;
    delivered_at: Generated<number | null>;
    error: Generated<string | null>;
    lease_until: Generated<number>;
  };
  /**
   * Sums of charges by UTC day (days since 1970), account, key and resource. Each charge updates its sum. Amounts are
   * positive.
   */
  charge_days: {
    day: number;
    account_id: number;
    /** 0 for charges without an API key. */
    api_key_id: number;
    resource: string;
    calls: number;
    units: number;
    diem: number;
    bundled: number;
    usd: number;
    x402: number;
    last_at: number;
  };
  /** Sums of charges, top-ups and net withdrawals by UTC day. Each new row updates them. */
  ledger_days: {
    day: number;
    /** Connection that writes the row; 0 on SQLite. Each connection has its own row, so that none waits for another. */
    writer: number;
    calls: number;
    charged: number;
    paid_in: number;
    withdrawn: number;
  };
  /** For each account, the newest ledger row that a check has proven, and the balances after that row. */
  ledger_proofs: { account_id: number; through_id: number; diem: number; bundled: number; usd: number; x402: number };
  /** Verified x402 payments. Rows are never deleted, because they prevent a second credit. */
  payments: {
    id: string;
    /** Unique: (chain, token, from, nonce) on EVM, the message's hash on Solana. */
    identity: string;
    network: string;
    asset: string;
    payer: string;
    pay_to: string;
    /** Base units of the token, in decimal. */
    amount_units: string;
    amount: number;
    state: PaymentState;
    /** Signed content as JSON, from which the payment can be submitted again. */
    content: string;
    transaction_id: string | null;
    /** Block or slot before which the payment was not on chain. */
    from_height: number;
    expires_at: number | null;
    /** Block height after which the payment can no longer be executed. */
    expires_height: number | null;
    attempts: Generated<number>;
    looks: Generated<number>;
    error: string | null;
    waits_for: string | null;
    /** Last block in which the gateway searched for the payment and did not find it. */
    searched_to: number | null;
    /** Address of the client that sent the payment. Stored only while the payment is open. */
    client: string | null;
    /** Hash of the one call that this payment pays for; null for a top-up. */
    call: string | null;
    /** Identifier that the payer gave the payment. Kept for 24 hours; null if none. */
    identifier: Generated<string | null>;
    account_id: number | null;
    balance_after: number | null;
    /** Process that handles the payment, and the end of its lease. */
    lease_owner: string | null;
    lease_until: Generated<number>;
    next_look_at: number;
    created_at: number;
    submitted_at: number | null;
    tried_at: number | null;
    settled_at: number | null;
    credited_at: number | null;
  };
  /** Withdrawals of prepaid money. Rows are never deleted, because they prevent a second payout. */
  withdrawals: {
    id: string;
    /** Unique: chain, token, wallet, and the nonce of the wallet's signed statement. */
    identity: string;
    account_id: number;
    /** Wallet that requested the withdrawal and receives the money. */
    wallet: string;
    network: string;
    asset: string;
    /** Amount debited from the balance, including the fee. */
    amount: number;
    fee: number;
    /** Base units of the token that the wallet gets, in decimal. */
    payout_units: string;
    /** The wallet's signed statement as JSON. */
    statement: string;
    /** Transfer as JSON, signed by the paying wallet's key. Can be executed once. */
    content: string;
    state: WithdrawalState;
    balance_after: number;
    transaction_id: string | null;
    /** Block before which the transfer was not on chain. */
    from_height: number;
    /** Time after which the withdrawal gets no new transfer. */
    expires_at: number;
    searched_to: number | null;
    attempts: Generated<number>;
    looks: Generated<number>;
    error: string | null;
    waits_for: string | null;
    lease_owner: string | null;
    lease_until: Generated<number>;
    next_look_at: number;
    created_at: number;
    tried_at: number | null;
    ended_at: number | null;
  };
  /** EVM keys that submit payments and payouts, by chain and address, and the lock of withdrawals. */
  payment_signers: {
    key: string;
    next_nonce: Generated<number>;
    used_at: Generated<number>;
    lease_owner: string | null;
    lease_until: Generated<number>;
  };
  /** Video requests. A row is created before the charge, and deleted some time after the video. */
  video_requests: {
    id: string;
    account_id: number;
    model: string;
    upstream: string;
    /** Request as JSON; empty after deletion. */
    content: string;
    price: number;
    /** Request id of the video's charge in the ledger. */
    request_id: string;
    state: VideoState;
    /** Time at which the request was first sent. The upstream might not have received it. */
    submitted_at: number | null;
    upstream_id: string | null;
    expected_ms: number | null;
    /** Name of the video's file in storage. Set before the file is written; null after the file is deleted. */
    media_key: string | null;
    media_bytes: number | null;
    error: string | null;
    refunded: Generated<number>;
    /** Process that handles the video, and the end of its lease. */
    lease_owner: string | null;
    lease_until: Generated<number>;
    next_look_at: number;
    looks: Generated<number>;
    created_at: number;
    ended_at: number | null;
    execution_ms: number | null;
  };
  /** Checkpoints of long calls on SQLite. After a crash, the next start charges the calls. */
  running_charges: {
    request_id: string;
    account_id: number;
    api_key_id: number | null;
    key_hash: string | null;
    purse: string;
    amount: number;
    resource: string;
    detail: string;
    units: number;
  };
  idempotency_records: {
    account_id: number;
    key: string;
    fingerprint: string;
    body: Uint8Array;
    /** 0 if only the call is recorded, without its answer. */
    is_kept: Generated<number>;
    created_at: number;
  };
  /** Requests to paid endpoints, including refused and failed ones. */
  requests: {
    id: Generated<number>;
    account_id: number;
    api_key_id: number | null;
    at: number;
    product: Sold;
    network: string | null;
    /** JSON-RPC method, or `batch of 12`. */
    method: string | null;
    model: string | null;
    status: number;
    code: string | null;
    /** 1 if the status is an error or the answer broke off. */
    failed: number;
    duration_us: number;
    units: number;
    cost: number;
    request_id: string;
  };
  /** Receipts of calls whose caller asked for one. */
  receipts: {
    id: Generated<number>;
    account_id: number;
    at: number;
    request_id: string;
    payment_id: string | null;
    completion_id: string | null;
    /** The receipt's payload as JSON, without `network`, `transaction` and `enclave`. */
    facts: string;
    /** The enclave's proof as JSON; null until it is fetched. */
    enclave: Generated<string | null>;
  };
  /** Log of enclave measurements. `entry` never changes. */
  measurements: {
    /** Counts from 1 without gaps. */
    seq: number;
    /** Hash of the measurement (`measurementDigest`). */
    digest: string;
    model: string;
    role: string;
    entry: string;
    last_seen: number;
    logged_at: number;
    /** 1 if an earlier entry has the same digest. */
    is_return: Generated<number>;
    /** 1 if the model's last report contained the measurement. */
    is_current: Generated<number>;
    /** Number of changes after this entry that were not logged. */
    skipped: Generated<number>;
  };
  /** Attestation reports to which receipts refer. */
  attestation_reports: {
    id: Generated<number>;
    sha256: string;
    model: string;
    at: number;
    signing_address: string | null;
    facts: string;
    bytes: number;
    report: string;
  };
  /** Values by name. For example, `profile` is the profile that owns the database. */
  installation: { name: string; value: string };
  /**
   * Number of each caller's idempotency records, and bytes of the caller's stored answers that are larger than 1 KiB.
   */
  idempotency_sums: { account_id: number; records: Generated<number>; bytes: Generated<number> };
}

export type Database = Kysely<Schema>;

export const TIERS = ['standard', 'paid', 'staff'] as const;
export type Tier = (typeof TIERS)[number];

export const API_KEY_TYPES = ['INFERENCE', 'ADMIN'] as const;
export type ApiKeyType = (typeof API_KEY_TYPES)[number];

export const LIMIT_PERIODS = ['EPOCH', 'MONTH', 'LIFETIME'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** Balances in spending order. Calls by wallet sign-in spend only x402. */
export const POTS = ['diem', 'bundled', 'usd', 'x402'] as const;
export type Pot = (typeof POTS)[number];

/**
 * CHARGE is a paid call. EXPIRY is the rest of an expired allocation or erased account. TOP_UP is a payment. REVERSAL
 * returns the money of a failed WITHDRAWAL.
 */
export type LedgerKind = 'GRANT' | 'CHARGE' | 'ALLOCATION' | 'EXPIRY' | 'TOP_UP' | 'REFUND' | 'WITHDRAWAL' | 'REVERSAL';

/** A command that has only `begun` is running or was interrupted. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed';

/**
 * States in order. UNPAID lasts until the charge is in the ledger. FAILED charges are refunded, except expired
 * allocations.
 */
const VIDEO_STATES = ['UNPAID', 'QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'DELETED'] as const;
export type VideoState = (typeof VIDEO_STATES)[number];

/** States in order. A payment fails only when its money can no longer move. */
export const PAYMENT_STATES = ['verified', 'submitted', 'settled', 'credited', 'failed'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** States in order. A withdrawal is debited before anything is sent, and credited back if it fails. */
export const WITHDRAWAL_STATES = ['debited', 'submitted', 'sent', 'failed'] as const;
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];
