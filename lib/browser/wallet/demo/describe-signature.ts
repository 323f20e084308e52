import { formatUnits } from '../../top-up/usd-amount';
import type { ApprovalDetails } from './approval';

/** A payment that this gateway asks for: what a demo wallet recognizes as money. */
export interface KnownRail {
  /** CAIP-2. */
  network: string;
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
  /** Of the chain, for people. */
  title: string;
}

type Described = Pick<ApprovalDetails, 'title' | 'consequence' | 'facts'>;

interface TypedData {
  primaryType: string;
  domain?: object | undefined;
  message: unknown;
}

/**
 * Typed data in words: a TransferWithAuthorization (EIP-3009) as the money that it moves, to this gateway or to
 * somebody else; anything else by its name and the fields of its domain.
 */
export function describeTypedData({ primaryType, domain = {}, message }: TypedData, rails: readonly KnownRail[]): Described {
  const { chainId, verifyingContract } = domain as { chainId?: unknown; verifyingContract?: unknown };
  const { to, value, validBefore } = (typeof message === 'object' && message !== null ? message : {}) as { to?: unknown; value?: unknown; validBefore?: unknown };
  const units = primaryType === 'TransferWithAuthorization' ? wholeNumber(value) : null;
  if (units === null) {
    return { title: `Sign ${primaryType}`, consequence: 'Typed data (EIP-712). A contract may act on it for this wallet, a token payment included.', facts: Object.entries(domain).map(([name, each]) => [name, String(each)]) };
  }
  const rail = rails.find(({ network, asset }) => network === `eip155:${String(chainId)}` && asset.toLowerCase() === String(verifyingContract).toLowerCase());
  if (rail === undefined) {
    return { title: 'Pay with a token that is not known here', consequence: 'Whoever gets this signature can move that much of the token out of this wallet, once.', facts: [['Base units', units.toString()], ['To', String(to)], ['Token', String(verifyingContract)], ['Chain', String(chainId)]] };
  }
  const isOurs = rail.payTo.toLowerCase() === String(to).toLowerCase();
  const amount = `${formatUnits(units, rail.decimals)} ${rail.symbol}`;
  return {
    title: `Pay ${amount} to ${isOurs ? 'this gateway' : 'a stranger'} on ${rail.title}`,
    consequence: isOurs ? 'It becomes the prepaid balance of this wallet. The gateway pays the network fee.' : 'This is not the gateway’s address. Refuse, unless you know whose it is.',
    facts: [['Amount', amount], ['To', String(to)], ['Token', `${rail.symbol} ${String(verifyingContract)}`], ...(wholeNumber(validBefore) === null ? [] : [['Valid until', untilText(Number(validBefore) * 1000)] as const])],
  };
}

/** A text in words: a sign-in (EIP-4361 and its like) as what it allows, where, and until when; a token for minting as that. */
export function describeMessage(text: string, host: string): Described {
  const domain = /^(\S+) wants you to sign in with your .+ account:$/m.exec(text)?.[1];
  if (domain !== undefined) {
    const untilMs = Date.parse(/^Expiration Time: (\S+)$/m.exec(text)?.[1] ?? '');
    const isOurs = domain === host;
    return {
      title: isOurs ? 'Sign in to this gateway' : `Sign in to ${domain}`,
      consequence: isOurs ? 'Allows calls to be paid from what this wallet has prepaid here. It moves nothing out of the wallet.' : 'This is not the gateway whose page you see. Refuse, unless you meant to sign in there.',
      facts: [['Where', domain], ['Until', Number.isNaN(untilMs) ? 'no end is given' : untilText(untilMs)]],
    };
  }
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) {
    return { title: 'Sign a message', consequence: 'A token of the gateway, for minting an API key: it proves that this wallet asks for the key. It moves no money.', facts: [] };
  }
  return { title: 'Sign a message', consequence: 'Proves to whoever gets the signature that this wallet said exactly this. It moves no money by itself.', facts: [] };
}

function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  return (typeof value === 'string' && /^\d{1,78}$/.test(value)) || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ? BigInt(value) : null;
}

function untilText(atMs: number): string {
  return Number.isFinite(atMs) && Math.abs(atMs) < 8.64e15 ? new Date(atMs).toLocaleString() : 'no end that could be read';
}
