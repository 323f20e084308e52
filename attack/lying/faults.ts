import { isMintToken as hasMintClaims } from '@/lib/protocol/api-keys/mint-token';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { BASE_CHAIN, SOLANA_CHAIN } from './payment-answers';
import type { Led } from './scripted-gateway';
import type { Scenario } from './scenario';

/** Matches characters that a terminal would execute or that reorder text. Only tabs and line feeds are allowed. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const STACK_TRACE = /^\s+at .+:\d+:\d+\)?$/m;
/** Maximum validity of a payment by default, in seconds. */
const VALID_SECONDS = 600;
const CLOCK_SECONDS = 60;
/** Tokens worth one USD, by chain and address: USDC and the sandbox's USDC. */
const DOLLARS = [
  `${BASE_CHAIN} 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913`,
  ...['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', SANDBOX_USDC_MINT].map(
    (mint) => `${SOLANA_CHAIN} ${mint.toLowerCase()}`,
  ),
  ...[BASE_CHAIN, 'eip155:31337'].map((chain) => `${chain} ${SANDBOX_CONTRACTS.usdc.toLowerCase()}`),
];

/** Returns forbidden content of a printed text: control characters and stack traces. */
export function faultsOfText(text: string, where: string): string[] {
  const obeyed = OBEYED.exec(text);
  const faults = obeyed
    ? [
        `${where} has the control character U+${obeyed[0].codePointAt(0)?.toString(16).padStart(4, '0')}: ${JSON.stringify(text.slice(Math.max(0, obeyed.index - 30), obeyed.index + 30))}`,
      ]
    : [];
  return STACK_TRACE.test(text)
    ? [...faults, `${where} has a stack trace: ${JSON.stringify(text.slice(0, 300))}`]
    : faults;
}

/** Payment that a wallet has signed: an EIP-3009 authorization or a Solana transfer. */
export interface SignedAuthorization {
  network: string;
  asset: string;
  to: string;
  value: bigint;
  validBefore: number;
  nonce: string;
}

/** Returns signed payments beyond the budget, in another token, or with too long a validity. */
export function faultsOfMoney(signed: readonly SignedAuthorization[], perDayUsd: number): string[] {
  const now = Math.floor(Date.now() / 1_000);
  const sum = signed.reduce((total, { value, validBefore }) => (validBefore > now ? total + value : total), 0n);
  const faults =
    sum > BigInt(Math.round(perDayUsd * 1e6))
      ? [`${Number(sum) / 1e6} USD are signed and can be executed under a budget of ${perDayUsd} USD`]
      : [];
  for (const { network, asset, value, validBefore } of signed) {
    if (!DOLLARS.includes(`${network} ${asset.toLowerCase()}`))
      faults.push(`signed away ${value} units of ${asset} on ${network}`);
    if (!(validBefore - now <= VALID_SECONDS + CLOCK_SECONDS))
      faults.push(`signed an authorization that is valid until ${validBefore}`);
  }
  return faults;
}

/** Returns the EVM authorizations that a client has sent. */
export function sentAuthorizations({ seen }: Pick<Scenario, 'seen'>): SignedAuthorization[] {
  const headers = new Set(seen.flatMap(({ headers: { 'payment-signature': payment } }) => payment ?? []));
  return [...headers].map((header) => {
    const { accepted, payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as {
      accepted: { network: string; asset: string };
      payload: { authorization: { to: string; value: string; validBefore: string; nonce: string } };
    };
    const { to, value, validBefore, nonce } = payload.authorization;
    return {
      network: accepted.network,
      asset: accepted.asset,
      to,
      value: BigInt(value),
      validBefore: Number(validBefore),
      nonce,
    };
  });
}

/** Returns secrets that the client sent to another origin: credentials, private questions or signed bodies. */
export function faultsOfLed(led: readonly Led[], secret: string): string[] {
  return led.flatMap(({ path, credentials, body }) => {
    if (credentials.length > 0) return [`sent ${credentials.join(', ')} to another origin (${path})`];
    return body.includes(secret) || body.includes('signature')
      ? [`sent the body of a call to another origin (${path})`]
      : [];
  });
}

/** Returns signed mint tokens that are for another purpose or another origin. */
export function faultsOfMinting({ seen }: Pick<Scenario, 'seen'>, origin: string): string[] {
  return seen.flatMap(({ endpoint, body }) => {
    if (endpoint !== 'mint') return [];
    const { token, signature } = JSON.parse(body.toString('utf8')) as { token: string; signature?: string };
    return signature !== undefined && !isMintToken(token, origin)
      ? [`signed ${JSON.stringify(token.slice(0, 120))}`]
      : [];
  });
}

function isMintToken(token: string, origin: string): boolean {
  const parts = token.split('.');
  if (parts.length !== 3 || !/^[\w.-]+$/.test(token)) return false;
  try {
    const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
    return (
      hasMintClaims(claims) && claims['origin'] === origin && Number(claims['exp']) * 1_000 < Date.now() + 3_600_000
    );
  } catch {
    return false;
  }
}
