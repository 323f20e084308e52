import { isApiError } from '@/lib/protocol/errors';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-required';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import type { CallPayment, CallPayments, TakenPayment } from '../billing/call-payment';
import type { Call } from '../http/call';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import {
  type PaymentHeader,
  paymentHeaderOf,
  paymentReceipt,
  paymentRefusal,
  requireCredited,
} from './payment-answers';
import type { Payments } from './payments';
import { IdentifierReused, PaymentUsed, type Presentation } from './presentation';

interface CallPaymentsSettings {
  payments: Payments;
  minimumNanoUsd: number;
  refusals: AddressLimiter;
}

/** Accepts payments that are sent with calls. Each payment tops up its payer's balance and is bound to one call. */
export class PaymentsForCalls implements CallPayments {
  constructor(private readonly settings: CallPaymentsSettings) {}

  isPresent(call: Call): boolean {
    return PAYMENT_HEADERS.some((name) => call.header(name) !== null);
  }

  async read(call: Call): Promise<CallPayment | null> {
    const header = paymentHeaderOf(call);
    if (header === null) return null;
    const presentation = await this.#guarded(call, () => this.settings.payments.present(call.header(header) ?? ''));
    const { payer, amountNanoUsd, isProven, recorded } = presentation;
    return {
      payer,
      amountNanoUsd,
      isProven,
      isRecorded: recorded !== null,
      take: (request) => this.#take(presentation, { call, header, request }),
    };
  }

  async #take(
    presentation: Presentation,
    { call, header, request }: { call: Call; header: PaymentHeader; request: string },
  ): Promise<TakenPayment> {
    const { payments, minimumNanoUsd } = this.settings;
    const { terms } = payments.rails;
    const payment = await this.#guarded(call, () =>
      payments.take(presentation, { client: call.clientIp, purpose: { call: request, minimumNanoUsd } }),
    );
    requireCredited(payment, header, terms);
    if (payment.account_id === null) throw new Error(`Payment ${payment.id} is not credited to any account.`);
    return { id: payment.id, accountId: payment.account_id, headers: paymentReceipt(payment, header, terms) };
  }

  async #guarded<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    const { refusals } = this.settings;
    refusals.take(call.clientIp);
    try {
      const result = await work();
      refusals.giveBack(call.clientIp, Date.now());
      return result;
    } catch (error) {
      // A used payment also counts towards the client's limit of refusals. Otherwise a stranger could copy it from the
      // chain and try many request bodies.
      const isCounted = [InvalidPayment, PaymentUsed, IdentifierReused].some((kind) => error instanceof kind);
      if (!isCounted || isApiError(error)) refusals.giveBack(call.clientIp, Date.now());
      throw paymentRefusal(error);
    }
  }
}
