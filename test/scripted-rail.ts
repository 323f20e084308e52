import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import {
  ChainUnreachable,
  type Finding,
  type Possible,
  type Rail,
  type ReadPayment,
  type SoughtPayment,
  type VerifiedAt,
} from '@/lib/server/payments/rail';
import type { RailTerms } from '@/lib/server/payments/rail-terms';
import type { Payment } from '@/lib/server/db/payments';

/** Rail over a simulated chain that executes each nonce once and then pays the receiver the stated amount. */
export class ScriptedRail implements Rail {
  readonly payer = '0x00000000000000000000000000000000000000aa';
  readonly terms: RailTerms = {
    network: 'eip155:1',
    name: 'scripted',
    rpcNetwork: 'ethereum-mainnet',
    asset: '0xtoken',
    symbol: 'USDC',
    decimals: 6,
    payTo: '0xreceiver',
  };
  /** Error of `verify`; null for success. */
  verdict: Error | null = null;
  /** Replaces the default settlement, which executes the payment. */
  settling: ((payment: Payment) => Promise<string | null>) | null = null;
  /** Awaited before each look at the chain. */
  beforeLook: (() => unknown) | null = null;
  /** Amount that the chain executes, instead of the payment's amount. */
  paysInstead: bigint | null = null;
  isSilent = false;
  /** True if payments that are not yet executed can no longer be executed. */
  isOver = false;
  overAfterSettle = false;
  settles = 0;
  looks = 0;
  /** Fields to add to the result of `look` for a payment that can still be executed. */
  saying: Partial<Possible> = {};
  /** Awaited before each verification. */
  beforeVerify: ((payment: ReadPayment) => unknown) | null = null;
  /** Returns whether a payment's signature proves its payer. */
  isProven: (nonce: string) => boolean = () => true;
  /** True if the rail looks for an execution that explains a refusal. */
  searches = true;
  readonly #executed = new Map<string, bigint>();

  get executions(): number {
    return this.#executed.size;
  }

  /** Returns the receiver's base units. */
  get received(): bigint {
    return [...this.#executed.values()].reduce((sum, units) => sum + units, 0n);
  }

  /** Returns a payment header for this rail. */
  header({
    nonce,
    units = 5_000_000n,
    payer = this.payer,
    signature = 'good',
    id,
  }: {
    nonce: string;
    units?: bigint;
    payer?: string;
    signature?: string;
    /** Payment identifier. Without one, the header has the form of x402 v1. */
    id?: unknown;
  }): string {
    const payload = { nonce, units: units.toString(), payer, signature };
    const payment =
      id === undefined
        ? { x402Version: 1, scheme: 'exact', network: 'scripted', payload }
        : {
            x402Version: 2,
            accepted: this.requirements(units),
            payload,
            extensions: { 'payment-identifier': { info: { required: false, id } } },
          };
    return Buffer.from(JSON.stringify(payment)).toString('base64');
  }

  identity(nonce: string): string {
    return `eip155:1/0xtoken/${nonce}`;
  }

  /** Executes a payment on chain. Repeating this has no effect. */
  execute(nonce: string, units: bigint): void {
    if (!this.#executed.has(nonce)) this.#executed.set(nonce, this.paysInstead ?? units);
  }

  executeOf(payment: Payment): void {
    const { nonce, units } = JSON.parse(payment.content) as { nonce: string; units: string };
    this.execute(nonce, BigInt(units));
  }

  requirements(amountUnits: bigint): PaymentRequirements {
    const { network, asset, payTo } = this.terms;
    return { scheme: 'exact', network, asset, amount: amountUnits.toString(), payTo, maxTimeoutSeconds: 60, extra: {} };
  }

  read({ content }: PresentedPayment): ReadPayment {
    return {
      identity: this.identity(String(content.nonce)),
      payer: String(content.payer),
      amountUnits: BigInt(String(content.units)),
      expiresAt: null,
      content: { ...content },
      isProven: this.isProven(String(content.nonce)),
    };
  }

  async verify(payment: ReadPayment): Promise<VerifiedAt> {
    await this.beforeVerify?.(payment);
    if (this.verdict) throw this.verdict;
    return { fromHeight: 0, expiresHeight: null };
  }

  searchFrom(): Promise<VerifiedAt | null> {
    return Promise.resolve(this.searches ? { fromHeight: 0, expiresHeight: null } : null);
  }

  async settle(payment: Payment): Promise<string | null> {
    this.settles++;
    if (this.settling) return this.settling(payment);
    this.executeOf(payment);
    return null;
  }

  async look(payment: SoughtPayment): Promise<Finding> {
    this.looks++;
    await this.beforeLook?.();
    if (this.isSilent) throw new ChainUnreachable('silent');
    const { nonce } = JSON.parse(payment.content) as { nonce: string };
    const units = this.#executed.get(nonce);
    if (units !== undefined) return { outcome: 'paid', transactionId: `tx-${nonce}`, amountUnits: units };
    const isOver = this.overAfterSettle ? this.isOver && this.settles > 0 : this.isOver;
    return isOver ? { outcome: 'impossible', reason: 'over' } : { outcome: 'possible', note: null, ...this.saying };
  }
}
