import type { Tag } from '../../http/operation';

/** What each group of the API description has, in the order of the groups. */
export const TAGS: Readonly<Record<Tag, string>> = {
  RPC: 'JSON-RPC of blockchains, forwarded and metered by the call.',
  Chat: 'Chats in the form of OpenAI, plain or end-to-end encrypted to an attested enclave.',
  Speech: 'Text to audio.',
  Video: 'Text to video, asked for and fetched later.',
  Models: 'What can be asked, with prices.',
  Attestation: 'Proof of the enclaves in which private models run.',
  'API keys': 'Keys that a wallet with a stake mints, lists and revokes.',
  Billing: 'What a caller has, and what was charged.',
  'Prepaid balance': 'USDC that a wallet pays in over x402 and spends call by call.',
};
