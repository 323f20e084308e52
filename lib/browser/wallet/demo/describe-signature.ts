import { formatDateTime } from '@/lib/browser/text/moments';
import { formatUnits } from '../pay-rails';
import { signingWords as words } from './demo-wallet-words';
import { WITHDRAWAL_TITLE } from '@/lib/protocol/x402/withdrawal-text';
import type { ApprovalDetails } from './approval';

/** Payment rail of this gateway. Demo wallets use rails to show transfers as token amounts. */
export interface KnownRail {
  /** CAIP-2 id. */
  network: string;
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
  title: string;
}

type Described = Pick<ApprovalDetails, 'title' | 'consequence' | 'facts'>;

type StatementField = 'gateway' | 'amount' | 'fee' | 'to' | 'validBefore';

interface TypedData {
  primaryType: string;
  domain?: object | undefined;
  message: unknown;
}

/**
 * Describes typed data in words. For a TransferWithAuthorization (EIP-3009), states the amount and whether it goes to
 * this gateway.
 */
export function describeTypedData(
  { primaryType, domain = {}, message }: TypedData,
  rails: readonly KnownRail[],
): Described {
  const { chainId, verifyingContract } = domain as { chainId?: unknown; verifyingContract?: unknown };
  const said = (typeof message === 'object' && message !== null ? message : {}) as Partial<
    Record<'to' | 'value' | 'validBefore' | StatementField, unknown>
  >;
  const { to, value, validBefore } = said;
  if (primaryType === 'Withdrawal')
    return describeWithdrawal(said, railOf(rails, `eip155:${String(chainId)}`, String(verifyingContract)));
  const units = primaryType === 'TransferWithAuthorization' ? wholeNumber(value) : null;
  if (units === null) {
    return {
      title: words.typedData.title(primaryType),
      consequence: words.typedData.consequence,
      facts: Object.entries(domain).map(([name, each]) => [name, String(each)]),
    };
  }
  const rail = railOf(rails, `eip155:${String(chainId)}`, String(verifyingContract));
  if (rail === undefined) {
    return {
      ...words.unknownToken,
      facts: [
        [words.facts.baseUnits, units.toString()],
        [words.facts.to, String(to)],
        [words.facts.token, String(verifyingContract)],
        [words.facts.chain, String(chainId)],
      ],
    };
  }
  const isOurs = rail.payTo.toLowerCase() === String(to).toLowerCase();
  const amount = `${formatUnits(units, rail.decimals)} ${rail.symbol}`;
  return {
    title: words.pay.title(amount, isOurs, rail.title),
    consequence: isOurs ? `${words.pay.becomesBalance} ${words.pay.noFee}` : words.pay.notOurAddress,
    facts: [
      [words.facts.amount, amount],
      [words.facts.to, String(to)],
      [words.facts.token, `${rail.symbol} ${String(verifyingContract)}`],
      ...(wholeNumber(validBefore) === null
        ? []
        : [[words.facts.validUntil, untilText(Number(validBefore) * 1000)] as const]),
    ],
  };
}

function railOf(rails: readonly KnownRail[], network: string, token: string): KnownRail | undefined {
  return rails.find((rail) => rail.network === network && rail.asset.toLowerCase() === token.toLowerCase());
}

function describeWithdrawal(
  { gateway, amount, fee, to, validBefore }: Partial<Record<StatementField, unknown>>,
  rail: KnownRail | undefined,
): Described {
  const shown = (value: unknown): string => {
    const units = wholeNumber(value) ?? 0n;
    return rail === undefined ? units.toString() : `${formatUnits(units, rail.decimals)} ${rail.symbol}`;
  };
  return {
    title: words.withdrawal.title(shown(amount)),
    consequence: words.withdrawal.consequence,
    facts: [
      [words.facts.fee, shown(fee)],
      [words.facts.to, String(to)],
      [words.facts.where, String(gateway)],
      [words.facts.validUntil, untilText(Number(validBefore) * 1000)],
    ],
  };
}

function lineOf(text: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
}

/**
 * Describes a text that a wallet would sign. For a sign-in (EIP-4361 and similar), states the permission, the site and
 * the expiry. Recognizes the token that a wallet signs to mint an API key.
 */
export function describeMessage(text: string, host: string, rails: readonly KnownRail[] = []): Described {
  if (text.startsWith(`${WITHDRAWAL_TITLE}\n`))
    return describeWithdrawal(
      {
        gateway: lineOf(text, 'Gateway'),
        amount: lineOf(text, 'Amount'),
        fee: lineOf(text, 'Fee'),
        to: lineOf(text, 'To'),
        validBefore: lineOf(text, 'Valid before'),
      },
      railOf(rails, lineOf(text, 'Network'), lineOf(text, 'Token')),
    );
  const domain = /^(\S+) wants you to sign in with your .+ account:$/m.exec(text)?.[1];
  if (domain !== undefined) {
    const untilMs = Date.parse(/^Expiration Time: (\S+)$/m.exec(text)?.[1] ?? '');
    const isOurs = domain === host;
    return {
      title: isOurs ? words.signIn.here : words.signIn.elsewhere(domain),
      consequence: isOurs ? words.signIn.consequence : words.signIn.otherSite,
      facts: [
        [words.facts.where, domain],
        [words.facts.until, Number.isNaN(untilMs) ? words.signIn.noEnd : untilText(untilMs)],
      ],
    };
  }
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) {
    return { title: words.message.title, consequence: words.message.mintToken, facts: [] };
  }
  return { title: words.message.title, consequence: words.message.anything, facts: [] };
}

function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  return (typeof value === 'string' && /^\d{1,78}$/.test(value)) ||
    (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    ? BigInt(value)
    : null;
}

function untilText(atMs: number): string {
  return Number.isFinite(atMs) && Math.abs(atMs) < 8.64e15 ? formatDateTime(atMs) : words.facts.unreadableTime;
}
