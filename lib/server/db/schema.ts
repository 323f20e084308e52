import type { Generated, Kysely } from 'kysely';

/** The tables, as Kysely sees them on either database. Amounts are integer nano-USD, times Unix milliseconds. */
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
    /** SHA-256 of the key, hex. The key itself is nowhere. */
    hash: string;
    last6: string;
    type: ApiKeyType;
    description: string;
    limit_period: LimitPeriod;
    /** Caps in nano-USD a period; null for none. */
    limit_usd: number | null;
    limit_diem: number | null;
    /** The same of what the wallet prepaid; null where the key spends nothing of that. */
    limit_prepaid: Generated<number | null>;
    /** What it may be used for, as JSON; null for everything. */
    allow: Generated<string | null>;
    /** What it has spent in a period when its owner is told, and where; null for nowhere. */
    alert_at: Generated<number | null>;
    webhook_url: Generated<string | null>;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
  };
  /** One row a caller: the balances of its pots, and its running minute. */
  meters: {
    account_id: number;
    diem: number;
    bundled: number;
    usd: number;
    x402: number;
    minute_started_at: number;
    minute_requests: number;
    /** The epoch that the daily pot is of: days of UTC since 1970. */
    diem_epoch: Generated<number>;
    /** What of it calls of earlier epochs held when this one was fixed, less what they were charged: never spendable otherwise. */
    diem_carried: Generated<number>;
  };
  /** Wallets that have an account; addresses as `walletKey` gives them. */
  wallets: { address: string; account_id: number; created_at: number };
  /** The daily allocation that was fixed for an account in an epoch, and from what: stake and pool in base units. */
  allocations: { account_id: number; epoch: number; amount: number; staked: string; pool: string; created_at: number };
  /** Append-only: every change of a balance, why, and the balance after it. Triggers refuse anything else. */
  ledger: {
    id: Generated<number>;
    account_id: number;
    pot: Pot;
    kind: LedgerKind;
    amount: number;
    balance_after: number;
    api_key_id: number | null;
    /** What was bought, such as `rpc/ethereum-mainnet`; what was granted, for other kinds. */
    resource: string;
    detail: string;
    units: number;
    request_id: string;
    created_at: number;
    /** How many paid calls it stands for: 1, or those of a day whose rows are in an archive. */
    calls: Generated<number>;
    /** The archive that has its rows, where it is such a daily row. */
    archive_id: Generated<number | null>;
  };
  /** Files that have charges whose daily rows are in the ledger. Each names the checksum of the one before it. */
  ledger_archives: {
    /** From 1, without gaps. */
    id: number;
    file: string;
    /** Of the file, hex. */
    sha256: string;
    /** Of the file before it; empty for the first. */
    previous_sha256: string;
    archived_rows: number;
    /** What became of them in the ledger: how many rows, and their sum. */
    daily_rows: number;
    amount: number;
    /** All of them are older. */
    before_at: number;
    created_at: number;
  };
  /** Has a row within the transaction that deletes archived charges, and never else: the ledger's triggers look. */
  ledger_archiving: { before_at: number };
  /** Append-only: what operators did by command. Two rows an action: that it began, and what came of it. */
  audit_log: {
    id: Generated<number>;
    /** What the rows of an action have in common. */
    action: string;
    at: number;
    /** Who, as `user@host`. */
    actor: string;
    command: string;
    /** Options as JSON, without what is secret or personal. */
    arguments: string;
    outcome: AuditOutcome;
    /** Why it failed, and the account that it was about. */
    detail: string;
  };
  /** A view of the ledger: one row a charged request, over all pots. */
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
  /** Credits charged in each minute: the rolling 24-hour cap. */
  credit_minutes: { account_id: number; minute: number; credits: number };
  /** What a key with a limit has spent in a period (`2026-11-20`, `2026-11` or `all`). */
  key_spend: { api_key_id: number; period: string; usd: number; diem: number; prepaid: Generated<number> };
  /** Periods in which a key reached what its owner wanted to be told of, and what became of telling. */
  key_alerts: {
    id: Generated<number>;
    api_key_id: number;
    period: string;
    spent: number;
    threshold: number;
    reached_at: number;
    /** Where it is told; null for the list of keys alone. */
    webhook_url: string | null;
    attempts: Generated<number>;
    /** When it is tried again; null where that is over. */
    next_attempt_at: number | null;
    delivered_at: Generated<number | null>;
    error: Generated<string | null>;
    lease_until: Generated<number>;
  };
  /** What a key has spent by day of UTC (days since 1970), summed from the ledger: a copy that can be made again. */
  key_usage_days: { api_key_id: number; day: number; usd: number; diem: number; last_used_at: number };
  /** Up to when an account's charges are in `key_usage_days`. */
  key_usage_marks: { account_id: number; through: number };
  /** Payments by x402, one row for each that was ever verified. Never deleted: it is what forbids a second credit. */
  payments: {
    id: string;
    /** What makes it this payment and no other: (chain, token, from, nonce) on EVM, the hash of the message on Solana. */
    identity: string;
    network: string;
    asset: string;
    payer: string;
    pay_to: string;
    /** Base units of the token, in digits. */
    amount_units: string;
    amount: number;
    state: PaymentState;
    /** What was signed, as JSON: all that submitting it again takes. */
    content: string;
    transaction_id: string | null;
    /** Block or slot before which it was not on chain. */
    from_height: number;
    /** After this it can no longer be executed. */
    expires_at: number | null;
    /** The same as a block height. */
    expires_height: number | null;
    attempts: Generated<number>;
    looks: Generated<number>;
    error: string | null;
    /** What it waits for, in a sentence for who pays. */
    waits_for: string | null;
    /** Block up to which the chain was searched for its execution, without finding it. */
    searched_to: number | null;
    /** Address of the client that presented it, while it is open. */
    client: string | null;
    /** Hash of the call that it was presented with, which it pays for and no other; null for a top-up. */
    call: string | null;
    account_id: number | null;
    balance_after: number | null;
    /** The process that works on it, and until when. */
    lease_owner: string | null;
    lease_until: Generated<number>;
    next_look_at: number;
    created_at: number;
    /** When it was submitted first, and last. */
    submitted_at: number | null;
    tried_at: number | null;
    settled_at: number | null;
    credited_at: number | null;
  };
  /** Keys that submit payments, by network and address: one process at a time sends with each. */
  payment_signers: {
    key: string;
    next_nonce: Generated<number>;
    used_at: Generated<number>;
    lease_owner: string | null;
    lease_until: Generated<number>;
  };
  /** Requests for videos, from before they are charged until a while after they are deleted. */
  video_requests: {
    /** The queue_id. */
    id: string;
    account_id: number;
    model: string;
    upstream: string;
    /** What was asked for, as JSON. Emptied with the deletion. */
    content: string;
    price: number;
    /** Under which its charge stands in the ledger. */
    request_id: string;
    state: VideoState;
    /** When it was first sent to the upstream, which may not have heard it. */
    submitted_at: number | null;
    /** The upstream's own queue id. */
    upstream_id: string | null;
    /** How long the upstream says that it takes, in milliseconds. */
    expected_ms: number | null;
    /** The name of the media in the storage, from before they are written until they are deleted there. */
    media_key: string | null;
    media_bytes: number | null;
    /** Why it failed, in a sentence for who asked for it. */
    error: string | null;
    refunded: Generated<number>;
    /** The process that works on it, and until when. */
    lease_owner: string | null;
    lease_until: Generated<number>;
    next_look_at: number;
    looks: Generated<number>;
    created_at: number;
    /** When it was there, had failed, or was deleted. */
    ended_at: number | null;
    /** How long it took, where it was made. */
    execution_ms: number | null;
  };
  /** On SQLite, what calls that run for long came to so far: left by a process that died, and charged at the next start. */
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
    /** Empty where the answer is not kept. */
    body: Uint8Array;
    /** 1, or 0 where only the fact is kept that the call was made. */
    is_kept: Generated<number>;
    created_at: number;
  };
  /** Facts about the database itself: `profile`, whom it belongs to. */
  installation: { name: string; value: string };
  /** What each caller has in `idempotency_records`: how many, and the bytes of those bodies that are larger than 1 KiB. */
  idempotency_sums: { account_id: number; records: Generated<number>; bytes: Generated<number> };
}

export type Database = Kysely<Schema>;

export const TIERS = ['standard', 'paid', 'staff'] as const;
export type Tier = (typeof TIERS)[number];

export const API_KEY_TYPES = ['INFERENCE', 'ADMIN'] as const;
export type ApiKeyType = (typeof API_KEY_TYPES)[number];

export const LIMIT_PERIODS = ['EPOCH', 'MONTH', 'LIFETIME'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** Pots in the order in which a charge empties them; x402 is a purse of its own, spent by wallet sign-in only. */
export const POTS = ['diem', 'bundled', 'usd', 'x402'] as const;
export type Pot = (typeof POTS)[number];

/** Money put in by hand; a paid call; the daily allocation, and what was left of it; money paid in, and paid back. */
export type LedgerKind = 'GRANT' | 'CHARGE' | 'ALLOCATION' | 'EXPIRY' | 'TOP_UP' | 'REFUND';

/** `done`, `refused` and `failed` are final; an action that only has `begun` was broken off, or is under way. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed';

/** From left to right; UNPAID is before its charge is known to be in the ledger. FAILED and paid back are one. */
export const VIDEO_STATES = ['UNPAID', 'QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'DELETED'] as const;
export type VideoState = (typeof VIDEO_STATES)[number];

/** From left to right; a payment fails only when its money can no longer move. */
export const PAYMENT_STATES = ['verified', 'submitted', 'settled', 'credited', 'failed'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];
