import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
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

/** A rail over a chain of the test's own, which executes each nonce once and pays the receiver what it says. */
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
  /** What verifying ends with; success unless set. */
  verdict: Error | null = null;
  /** What settling does instead of executing the payment. */
  settling: ((payment: Payment) => Promise<string | null>) | null = null;
  /** Waited for before the chain is asked. */
  beforeLook: (() => unknown) | null = null;
  /** The chain executes with this amount. */
  paysInstead: bigint | null = null;
  isSilent = false;
  /** What is not executed can no longer be. */
  isOver = false;
  overAfterSettle = false;
  settles = 0;
  looks = 0;
  /** What looking says of what is not executed, beside that it is possible. */
  saying: Partial<Possible> = {};
  /** Waited for before a payment is verified. */
  beforeVerify: ((payment: ReadPayment) => unknown) | null = null;
  /** Whether payments are those of a key. */
  isProven: (nonce: string) => boolean = () => true;
  /** Whether a refusal may be explained by an execution. */
  searches = true;
  readonly #executed = new Map<string, bigint>();

  get executions(): number {
    return this.#executed.size;
  }

  /** Base units that the receiver has. */
  get received(): bigint {
    return [...this.#executed.values()].reduce((sum, units) => sum + units, 0n);
  }

  /** A payment header for this rail. */
  header({
    nonce,
    units = 5_000_000n,
    payer = this.payer,
    signature = 'good',
  }: {
    nonce: string;
    units?: bigint;
    payer?: string;
    signature?: string;
  }): string {
    return Buffer.from(
      JSON.stringify({
        x402Version: 1,
        scheme: 'exact',
        network: 'scripted',
        payload: { nonce, units: units.toString(), payer, signature },
      }),
    ).toString('base64');
  }

  identity(nonce: string): string {
    return `eip155:1/0xtoken/${nonce}`;
  }

  /** Somebody has the chain execute a payment. A second time changes nothing. */
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
