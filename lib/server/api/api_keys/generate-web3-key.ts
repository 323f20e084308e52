import { mintRequestSchema, mintTermsOf } from '@/lib/protocol/api-keys/mint-request';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readJson } from '../../http/read-json';
import { fieldError } from '../../http/validation-error';
import { mintKey } from '../../auth/minting/mint-key';
import { mintOf } from '../../auth/minting/mint-of-gateway';
import { showMintedKey } from '../../auth/minting/shown-key';
import { mintKeyDocs, mintTokenDocs } from './docs';

/** Room for an ERC-6492 signature, which brings the code that deploys its wallet. */
const BODY_BYTES_MAX = 64 * 1024;

/**
 * GET /api_keys/generate_web3_key: a token for a wallet to sign. POST: the token and its signature for an API key (spec,
 * "Web3 key minting"). Public, limited by client address.
 */
export const generateWeb3Key: Endpoint = {
  path: '/api/v1/api_keys/generate_web3_key',
  docs: { GET: mintTokenDocs, POST: mintKeyDocs },
  GET: async (call, gateway) => {
    gateway.addressLimiter.take(call.clientIp);
    const token = await gateway.mintTokens.issue(gateway.now());
    return json({ success: true, data: { token } });
  },
  POST: async (call, gateway) => {
    gateway.addressLimiter.take(call.clientIp);
    const request = await readJson(call, mintRequestSchema, BODY_BYTES_MAX);
    const now = gateway.now();
    const terms = mintTermsOf(request);
    if (terms.expiresAt !== null && terms.expiresAt <= now) throw fieldError('expiresAt', 'It lies in the past');
    const minted = await mintKey(mintOf(gateway, call), request, terms, now);
    // Minting follows staking: a look at the stake from before it must not keep the key from its allocation.
    gateway.allocations.lookAgain(minted.accountId);
    return json({ success: true, data: showMintedKey(minted, terms) });
  },
};
