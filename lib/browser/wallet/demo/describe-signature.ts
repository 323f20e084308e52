import { formatDateTime } from '../../moments';
import { formatUnits } from '../../top-up/usd-amount';
import { signingWords as words } from '../../words/demo-wallet';
import type { ApprovalDetails } from './approval';

/** Payment rail of this gateway. Demo wallets describe transfers of the rail's token as amounts of money. */
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

interface TypedData {
  primaryType: string;
  domain?: object | undefined;
  message: unknown;
}

/**
 * Describes typed data in words. For a TransferWithAuthorization (EIP-3009), states the amount and whether it goes to
 * this gateway. For other data, states name and domain.
 */
export function describeTypedData(
  { primaryType, domain = {}, message }: TypedData,
  rails: readonly KnownRail[],
): Described {
  const { chainId, verifyingContract } = domain as { chainId?: unknown; verifyingContract?: unknown };
  const { to, value, validBefore } = (typeof message === 'object' && message !== null ? message : {}) as {
    to?: unknown;
    value?: unknown;
    validBefore?: unknown;
  };
  const units = primaryType === 'TransferWithAuthorization' ? wholeNumber(value) : null;
  if (units === null) {
    return {
      title: words.typedData.title(primaryType),
      consequence: words.typedData.consequence,
      facts: Object.entries(domain).map(([name, each]) => [name, String(each)]),
    };
  }
  const rail = rails.find(
    ({ network, asset }) =>
      network === `eip155:${String(chainId)}` && asset.toLowerCase() === String(verifyingContract).toLowerCase(),
  );
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

/**
 * Describes a text in words. For a sign-in (EIP-4361 and similar), states what it allows, where and until when.
 * Recognizes the token that a wallet signs to mint a key.
 */
export function describeMessage(text: string, host: string): Described {
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
