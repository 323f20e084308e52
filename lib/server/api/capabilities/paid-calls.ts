import type { Auth } from '../../auth/auth';
import type { PaymentChallenge } from '../../auth/payment-challenge';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import { ChargeTally, measureBilling } from '../../billing/billing-metrics';
import type { Meter } from '../../billing/meter';
import { OpenCalls } from '../../billing/open-calls';
import { PaidCalls } from '../../billing/paid-calls';
import type { ReceiptKeys } from '../../billing/receipts/receipt-keys';
import { ReceiptNotes } from '../../billing/receipts/receipt-notes';
import { readBalance } from '../../billing/usage/read-balance';
import { askStore } from '../../db/ask-store';
import type { Database } from '../../db/schema';
import type { PaymentsForCalls } from '../../payments/call-payments';
import { billingBalance } from '../billing/balance';
import { billingUsage } from '../billing/usage';
import { receipt } from '../receipts';
import type { Capability, Ground } from './capability';
import type { ChatCapability } from './chat';

export function openReceipts(
  { config, log, now, rules: { origin } }: Ground,
  { db, receiptKeys: keys, chat }: { db: Database; receiptKeys: ReceiptKeys; chat: ChatCapability },
) {
  const { days, perAccountMax } = config.retention.receipts;
  return {
    notes: days === 0 ? null : new ReceiptNotes({ db, origin, perAccountMax, now, log }),
    endpoints: ({ auth }) => {
      const { access, attestation, kept } = chat;
      return [receipt({ auth, db, keys, models: chat.current.models, access, attestation, kept, log })];
    },
  } satisfies Capability & { notes: ReceiptNotes | null };
}

interface Needs {
  db: Database;
  meter: Meter;
  auth: Auth;
  challenge: PaymentChallenge;
  allocations: DailyAllocations;
  callPayments: PaymentsForCalls | null;
  receipts: ReceiptNotes | null;
}

export function openPaidCalls({ config, log, memory, metrics, now }: Ground, needs: Needs) {
  const { db, auth, allocations } = needs;
  const openCalls = new OpenCalls();
  const charges = new ChargeTally();
  measureBilling(metrics, { charges, openCalls });
  const paidCalls = new PaidCalls({
    ...needs,
    openCalls,
    charges,
    memory,
    keptAnswerBytesMax: config.idempotency.answerBytesMax,
    balanceOf: (accountId) => askStore(() => readBalance(db, accountId, now())),
    now,
    log,
  });
  return {
    paidCalls,
    openCalls,
    endpoints: () => [billingBalance({ auth, allocations, db, now }), billingUsage({ auth, db, now })],
  } satisfies Capability & Record<string, unknown>;
}
