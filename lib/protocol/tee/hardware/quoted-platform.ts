import { Malformed } from '../malformed';
import { parseQuote } from '../quote/quote';
import type { TrustedRoot } from '../trusted-roots';
import { readPckPlatform } from './pck-extension';
import { followChain } from './trusted-chain';

/** Platform in Intel's collateral, identified by FMSPC and the Intel authority that certified the processor. */
export interface QuotedPlatform {
  /** 12 upper-case hex characters. */
  fmspc: string;
  authority: 'processor' | 'platform';
}

const PCK_CHAIN_LENGTH = 3;

/**
 * Returns the platform whose collateral a quote needs. The processor's certificate must lead to a trusted root, so that
 * forged bytes cannot decide which collateral is fetched.
 *
 * @throws {Malformed | Untrusted}
 */
export async function quotedPlatform(quoteBytes: Uint8Array, roots: readonly TrustedRoot[]): Promise<QuotedPlatform> {
  const { leaf } = await followChain(parseQuote(quoteBytes).pckChain, roots, PCK_CHAIN_LENGTH);
  const authority = / PCK (Processor|Platform) CA\b/.exec(leaf.issuerText)?.[1]?.toLowerCase();
  if (authority !== 'processor' && authority !== 'platform')
    throw new Malformed(
      'The processor is certified by neither of the two authorities for which revocation lists are published.',
    );
  return { fmspc: readPckPlatform(leaf).fmspc, authority };
}
